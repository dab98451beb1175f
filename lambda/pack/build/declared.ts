import type { Booked, DeclaredPosition } from "../../accounting/booked.ts";
import { declarationsFor } from "../../accounting/breaks.ts";
import type { DeclaredLine } from "../../core/declared-line.ts";
import { getOrMake } from "../../core/get-or-make.ts";

/** Lines for one market by time, how many fills came after each and before the next, and which of them is the last that was passed. */
interface Lines {
  readonly own: readonly DeclaredPosition[];
  readonly fills: number[];
  at: number;
}

/** Counts the fills of a pack that come after each declared position. What it holds grows with lines and markets, not with fills. */
export class DeclaredCounts {
  readonly #used: readonly DeclaredPosition[];
  readonly #markets = new Map<string, Lines>();

  /** The lines that the accounts look at. */
  constructor(used: readonly DeclaredPosition[]) {
    this.#used = used;
  }

  /** Booked fills of the pack, in order. */
  add(batch: readonly Booked[]): void {
    if (this.#used.length === 0) {
      return;
    }
    for (const { fill, time } of batch) {
      const lines = getOrMake(this.#markets, fill.market ?? "", () => linesFor(this.#used, fill.market ?? ""));
      while ((lines.own[lines.at + 1]?.asOf ?? Number.POSITIVE_INFINITY) <= time) {
        lines.at += 1;
      }
      if (lines.at >= 0) {
        lines.fills[lines.at] = (lines.fills[lines.at] ?? 0) + 1;
      }
    }
  }

  /** All lines of the user as they are in his file, with what was counted. */
  linesOf(all: readonly DeclaredPosition[]): DeclaredLine[] {
    const used = new Set(this.#used);
    const counts = new Map<DeclaredPosition, number>();
    for (const { own, fills } of this.#markets.values()) {
      let after = 0;
      for (const [at, line] of [...own.entries()].toReversed()) {
        after += fills[at] ?? 0;
        counts.set(line, (counts.get(line) ?? 0) + after);
      }
    }
    return all.map((line) => {
      const isUsed = used.has(line);
      return { ...understood(line), isUsed, fillsAfter: isUsed ? (counts.get(line) ?? 0) : null };
    });
  }
}

/** What was understood of the lines before there is a pack. */
export function uncounted(all: readonly DeclaredPosition[]): DeclaredLine[] {
  return all.map((line) => ({ ...understood(line), isUsed: null, fillsAfter: null }));
}

function understood({ market, quantity, asOf, breakFrom }: DeclaredPosition) {
  return { market, quantity, asOf, ...(breakFrom === undefined ? {} : { breakFrom }) };
}

function linesFor(used: readonly DeclaredPosition[], market: string): Lines {
  return { own: declarationsFor(used, market), fills: [], at: -1 };
}
