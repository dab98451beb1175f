import type { DeclaredPosition } from "../../accounting/booked.ts";
import type { DeclaredLine, Unused } from "../../inputs/declared-line.ts";

/** How a pack used the lines of opening-positions.csv. */
export interface Use {
  /** Null: the line is used. */
  readonly unusedOf: (line: DeclaredPosition) => Unused | null;
  /** See accounts.ts. */
  readonly taken: ReadonlySet<DeclaredPosition>;
}

/** All lines in the order of the user's file. `use`: null before there is a pack. */
export function declaredLines(all: readonly DeclaredPosition[], use: Use | null): DeclaredLine[] {
  return all.map((own) => {
    const { market, quantity, price, asOf, breakFrom } = own;
    const line = { market, quantity, price, asOf, ...(breakFrom === undefined ? {} : { breakFrom }) };
    if (use === null) {
      return { ...line, isUsed: null, unused: null, isPriceUsed: null };
    }
    const unused = use.unusedOf(own);
    const isPriceUsed = unused !== null || price === null ? null : use.taken.has(own);
    return { ...line, isUsed: unused === null, unused, isPriceUsed };
  });
}
