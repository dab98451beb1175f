import { clockText } from "../core/period.ts";
import { counted, firstOf } from "../core/text.ts";
import type { DeclaredPosition } from "./booked.ts";

/** How a line of the user's opening-positions.csv was understood, and its effect on a pack. */
export interface DeclaredLine extends Omit<DeclaredPosition, "where"> {
  /** False: the line has no effect on the pack. Null: there is no pack. */
  readonly isUsed: boolean | null;
  /** Why the line is not used. Null: it is used, or there is no pack. */
  readonly unused: Unused | null;
  /** False: the earlier fills give the cost. Null: no price, the line is not used, or there is no pack. */
  readonly isPriceUsed: boolean | null;
}

type Unused = keyof typeof UNUSED;

const UNUSED = {
  not_covered: "the archive does not cover all of the time from then up to the period",
  after_period: "its time is not before the end of the period",
  not_linear: "PnL is not calculated for the contract of that market",
} as const;

/**
 * One sentence for each of the first lines, without its full stop, and one that counts the rest. Times are on
 * the zone's clocks.
 */
export function declaredTexts(lines: readonly DeclaredLine[], zone: string, most: number): readonly string[] {
  const texts = lines.map((line) => declaredText(line, zone));
  const are = (left: number) => `${left === 1 ? "is" : "are"} not shown`;
  return firstOf(texts, most, (left) => `${counted(left, "more line")} of opening-positions.csv ${are(left)}`);
}

function declaredText(line: DeclaredLine, zone: string): string {
  const { market, quantity, price, asOf, breakFrom, unused, isPriceUsed } = line;
  const at = price === null ? "" : ` (average price ${price})`;
  const what = market === null ? "no position in any other market" : `${quantity} ${market}${at}`;
  const after = breakFrom === undefined ? "" : `, after a break that began at ${clockText(breakFrom, zone)}`;
  const declared = `Declared ${what} at ${clockText(asOf, zone)}${after}`;
  if (unused !== null) {
    return `${declared}; not used, because ${UNUSED[unused]}`;
  }
  const left = isPriceUsed === false ? "; its price is not used, because the earlier fills give the cost" : "";
  return `${declared}${left}`;
}

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
