import type { Booked, DeclaredPosition } from "../../accounting/booked.ts";
import { declarationsFor } from "../../accounting/breaks.ts";
import type { DeclaredLine, Unused } from "../../inputs/declared-line.ts";

interface Counts {
  untilPack: number;
  inPack: number;
}

const NONE: Readonly<Counts> = { untilPack: 0, inPack: 0 };

/** The lines for one market, by time. */
interface Lines {
  readonly own: readonly DeclaredPosition[];
  /** For each line: the fills after it and before the next line. */
  readonly counts: readonly Counts[];
  /** ms UTC. From then on the lines for all other markets do not apply. */
  readonly othersUntil: number;
  /** The last line whose time has come. */
  at: number;
}

/** How a pack used the lines. */
export interface Use {
  /** Null: the line is used. */
  readonly unusedOf: (line: DeclaredPosition) => Unused | null;
  /** See accounts.ts. */
  readonly taken: ReadonlySet<DeclaredPosition>;
}

/**
 * Counts the fills that come after each declared position. Its size grows with lines and markets, not with
 * fills.
 */
export class DeclaredCounts {
  readonly #used: readonly DeclaredPosition[];
  readonly #markets = new Map<string, Lines>();

  /** The lines that the accounts use. */
  constructor(used: readonly DeclaredPosition[]) {
    this.#used = used;
  }

  /** Booked fills in order: first those before the pack, then its own. */
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
      const isOther = lines.own[lines.at]?.market === null;
      if (counts !== undefined && !(isOther && time >= lines.othersUntil)) {
        counts[where] += 1;
      }
    }
  }

  /** All lines in the order of the user's file, with their counts. */
  linesOf(all: readonly DeclaredPosition[], { unusedOf, taken }: Use): DeclaredLine[] {
    const sums = this.#sums();
    return all.map((line) => {
      const unused = unusedOf(line);
      const { untilPack: fillsUntilPack, inPack: fillsInPack } = sums.get(line) ?? NONE;
      return unused === null
        ? {
            ...understood(line),
            isUsed: true,
            unused,
            isPriceUsed: line.price === null ? null : taken.has(line),
            fillsUntilPack,
            fillsInPack,
          }
        : { ...NOT_KNOWN, ...understood(line), isUsed: false, unused };
    });
  }

  /**
   * The fills after each line. Lines for all other markets leave out fills that a market's own line covers.
   */
  #sums(): ReadonlyMap<DeclaredPosition, Readonly<Counts>> {
    const sums = new Map<DeclaredPosition, Readonly<Counts>>();
    for (const { own, counts } of this.#markets.values()) {
      const ofNamed = { ...NONE };
      const ofOthers = { ...NONE };
      for (const [at, line] of [...own.entries()].toReversed()) {
        const after = line.market === null ? ofOthers : ofNamed;
        after.untilPack += counts[at]?.untilPack ?? 0;
        after.inPack += counts[at]?.inPack ?? 0;
        const { untilPack, inPack } = sums.get(line) ?? NONE;
        sums.set(line, { untilPack: untilPack + after.untilPack, inPack: inPack + after.inPack });
      }
    }
    return sums;
  }

  #linesFor(market: string): Lines {
    let lines = this.#markets.get(market);
    if (lines === undefined) {
      const own = declarationsFor(this.#used, market);
      const breaks = own.map(({ breakFrom = Number.POSITIVE_INFINITY }) => breakFrom);
      lines = { own, counts: own.map(() => ({ ...NONE })), othersUntil: Math.min(...breaks), at: -1 };
      this.#markets.set(market, lines);
    }
    return lines;
  }
}

const NOT_KNOWN = { isUsed: null, unused: null, isPriceUsed: null, fillsUntilPack: null, fillsInPack: null } as const;

/** How the lines were understood before there is a pack. */
export function uncounted(all: readonly DeclaredPosition[]): DeclaredLine[] {
  return all.map((line) => ({ ...NOT_KNOWN, ...understood(line) }));
}

function understood({ market, quantity, price, asOf, breakFrom }: DeclaredPosition) {
  return { market, quantity, price, asOf, ...(breakFrom === undefined ? {} : { breakFrom }) };
}
