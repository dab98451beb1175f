import type { DeclaredPosition } from "../accounting/booked.ts";
import { usageError } from "../core/errors.ts";
import { clockText } from "../core/period.ts";
import { blankOr, decimal, market, optional, price, text, time } from "./cells.ts";
import { OPENING_POSITIONS } from "./files.ts";
import { inputTable, type Row } from "./table.ts";

/** Means every market that the file does not name. */
const ALL_OTHERS = "*";

export const OPENINGS_TABLE = inputTable({
  name: OPENING_POSITIONS,
  about:
    "positions that were open at a time (market *: all others, with 0); break is optional: the time from which fills of that market are missing, up to as_of (evidence says why)",
  columns: {
    market: (cell) => (cell.text === ALL_OTHERS ? null : market(cell)),
    quantity: decimal,
    average_price: blankOr(price),
    as_of: time,
    evidence: text,
    break: optional(time),
  },
  once: ["market", "as_of"],
});

/** A line of opening-positions.csv. */
export interface OpeningPosition extends DeclaredPosition {
  /** The user's evidence, as text for people. */
  readonly evidence: string;
}

/** In the order of the file. */
export function openingsOf(rows: readonly Row<typeof OPENINGS_TABLE.columns>[], zone: string): OpeningPosition[] {
  const positions = rows.map((row) => positionOf(row, zone));
  refuseOverlaps(positions, zone);
  return positions;
}

function positionOf(row: Row<typeof OPENINGS_TABLE.columns>, zone: string): OpeningPosition {
  const { market: own, quantity, average_price: average, as_of: asOf, evidence, break: from, where } = row;
  const isBroken = from !== null;
  const refuseIf = (isWrong: boolean, message: string, hint: string) => {
    if (isWrong) {
      throw usageError(`${where}: ${message}`, hint);
    }
  };
  refuseIf(
    own === null && !quantity.isZero(),
    "the line for all other markets (*) declares a position other than 0",
    "its quantity must be 0; write a separate line for each market with a position",
  );
  refuseIf(
    quantity.isZero() && average !== null,
    "a position of 0 cannot have an average_price",
    "leave average_price empty, or correct the quantity",
  );
  refuseIf(
    isBroken && own === null,
    "the line for all other markets (*) declares a break",
    "write a separate line for each market whose fills are missing",
  );
  refuseIf(
    isBroken && from > asOf,
    `the break begins at ${clockText(from ?? asOf, zone)}, after as_of, ${clockText(asOf, zone)}`,
    "break is the time from which fills are missing; as_of is the time from which they are complete again",
  );
  refuseIf(
    isBroken && evidence.trim() === "",
    "it declares a break without evidence",
    "explain in the column evidence why fills are missing",
  );
  const position = { market: own, quantity, price: average, asOf, evidence, where };
  return isBroken ? { ...position, breakFrom: from } : position;
}

/** While fills are missing, no other line may say what is open: it would end the break. */
function refuseOverlaps(positions: readonly OpeningPosition[], zone: string): void {
  for (const own of Map.groupBy(positions, (one) => one.market).values()) {
    const sorted = own.toSorted((a, b) => a.asOf - b.asOf);
    for (const [at, { market: name, breakFrom, where }] of sorted.entries()) {
      const before = sorted[at - 1];
      if (before !== undefined && breakFrom !== undefined && breakFrom < before.asOf) {
        throw usageError(
          `${where}: its break begins at ${clockText(breakFrom, zone)}, but ${before.where}, declares ${name} as of ${clockText(before.asOf, zone)}, which is within the break`,
          "keep one of the two lines, or let the break begin at the as_of of the other line or later",
        );
      }
    }
  }
}
