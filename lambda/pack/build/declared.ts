import type { Booked, DeclaredPosition } from "../../accounting/booked.ts";
import { declarationsFor } from "../../accounting/breaks.ts";
import type { DeclaredLine } from "../../inputs/declared-line.ts";

interface Counts {
  untilPack: number;
  inPack: number;
}

const NONE: Readonly<Counts> = { untilPack: 0, inPack: 0 };

/** The lines for one market, by time. */
interface Lines {
  readonly own: readonly DeclaredPosition[];
  /** Of each: the fills after it and before the next. */
  readonly counts: readonly Counts[];
  /** The last whose time has come. */
  at: number;
}

/** Counts the fills that come after each declared position. What it holds grows with lines and markets, not with fills. */
export class DeclaredCounts {
  readonly #used: readonly DeclaredPosition[];
  readonly #markets = new Map<string, Lines>();

  /** The lines that the accounts look at. */
  constructor(used: readonly DeclaredPosition[]) {
    this.#used = used;
  }

  /** Booked fills in order: first those of before the pack, then its own. */
  add(batch: readonly Booked[], where: keyof Counts): void {
    if (this.#used.length === 0) {
      return;
    }
    for (const { fill, time } of batch) {
      const lines = this.#linesFor(fill.market ?? "");
      while ((lines.own[lines.at + 1]?.asOf ?? Number.POSITIVE_INFINITY) <= time) {
        lines.at += 1;
      }
      const counts = lines.counts[lines.at];
      if (counts !== undefined) {
        counts[where] += 1;
      }
    }
  }

  /** All lines of the user as they are in his file, with what was counted. */
  linesOf(all: readonly DeclaredPosition[]): DeclaredLine[] {
    const sums = new Map<DeclaredPosition, Readonly<Counts>>(this.#used.map((line) => [line, NONE]));
    for (const { own, counts } of this.#markets.values()) {
      const after = { ...NONE };
      for (const [at, line] of [...own.entries()].toReversed()) {
        after.untilPack += counts[at]?.untilPack ?? 0;
        after.inPack += counts[at]?.inPack ?? 0;
        const { untilPack, inPack } = sums.get(line) ?? NONE;
        sums.set(line, { untilPack: untilPack + after.untilPack, inPack: inPack + after.inPack });
      }
    }
    return all.map((line) => {
      const { untilPack = null, inPack = null } = sums.get(line) ?? {};
      return { ...understood(line), isUsed: sums.has(line), fillsUntilPack: untilPack, fillsInPack: inPack };
    });
  }

  #linesFor(market: string): Lines {
    let lines = this.#markets.get(market);
    if (lines === undefined) {
      const own = declarationsFor(this.#used, market);
      lines = { own, counts: own.map(() => ({ ...NONE })), at: -1 };
      this.#markets.set(market, lines);
    }
    return lines;
  }
}

/** What was understood of the lines before there is a pack. */
export function uncounted(all: readonly DeclaredPosition[]): DeclaredLine[] {
  return all.map((line) => ({ ...understood(line), isUsed: null, fillsUntilPack: null, fillsInPack: null }));
}

function understood({ market, quantity, asOf, breakFrom }: DeclaredPosition) {
  return { market, quantity, asOf, ...(breakFrom === undefined ? {} : { breakFrom }) };
}
