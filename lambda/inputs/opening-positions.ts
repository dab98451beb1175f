import type { DeclaredPosition } from "../accounting/booked.ts";
import { clockText } from "../core/clock-text.ts";
import { FillbookError } from "../core/errors.ts";
import { decimalAt, marketAt, priceAt, type Row, textAt, timeAt } from "./cells.ts";
import { oncePerKey } from "./copied-lines.ts";
import type { InputFile } from "./files.ts";
import { readTable } from "./table.ts";

export const OPENING_POSITION_COLUMNS = ["market", "quantity", "average_price", "as_of", "evidence", "break"] as const;
type Column = (typeof OPENING_POSITION_COLUMNS)[number];
/** The column may be absent. */
export const OPTIONAL_COLUMNS: readonly Column[] = ["break"];

/** Means every market that the file does not name. */
const ALL_OTHERS = "*";

/** A line of opening-positions.csv. */
export interface OpeningPosition extends DeclaredPosition {
  /** The user's evidence, as text for people. */
  readonly evidence: string;
}

/** In the order of the file. A date is a day of the zone. Throws `usage` with the line. */
export function readOpeningPositions(file: InputFile, zone: string): OpeningPosition[] {
  const positions: OpeningPosition[] = [];
  const once = oncePerKey("declares");
  readTable(
    file,
    OPENING_POSITION_COLUMNS,
    (row) => {
      const position = positionOf(row, zone);
      const market = position.market ?? ALL_OTHERS;
      once(row, `${market} ${position.asOf}`, `${market} as of ${clockText(position.asOf, zone)}`);
      positions.push(position);
    },
    OPTIONAL_COLUMNS,
  );
  refuseOverlaps(positions, zone);
  return positions;
}

function positionOf(row: Row<Column>, zone: string): OpeningPosition {
  const isOthers = row.cells.market === ALL_OTHERS;
  const quantity = decimalAt(row, "quantity");
  const price = row.cells.average_price === "" ? null : priceAt(row, "average_price");
  if (isOthers && !quantity.isZero()) {
    throw new FillbookError(
      "usage",
      `${row.where}: the line for all other markets (*) declares a position other than 0`,
      {
        hint: "its quantity must be 0; write a separate line for each market with a position",
      },
    );
  }
  if (quantity.isZero() && price !== null) {
    throw new FillbookError("usage", `${row.where}: a position of 0 cannot have an average_price`, {
      hint: "leave average_price empty, or correct the quantity",
    });
  }
  const position = {
    market: isOthers ? null : marketAt(row, "market"),
    quantity,
    price,
    asOf: timeAt(row, "as_of", zone),
    evidence: textAt(row, "evidence"),
    where: row.where,
  };
  return row.cells.break === "" ? position : { ...position, breakFrom: breakAt(row, position, zone) };
}

/** ms UTC from which fills are missing. */
function breakAt(row: Row<Column>, { market, asOf, evidence }: OpeningPosition, zone: string): number {
  const breakFrom = timeAt(row, "break", zone);
  const refuse = (message: string, hint: string) => new FillbookError("usage", `${row.where}: ${message}`, { hint });
  if (market === null) {
    throw refuse(
      "the line for all other markets (*) declares a break",
      "write a separate line for each market whose fills are missing",
    );
  }
  if (breakFrom > asOf) {
    throw refuse(
      `the break begins at ${clockText(breakFrom, zone)}, after as_of, ${clockText(asOf, zone)}`,
      "break is the time from which fills are missing; as_of is the time from which they are complete again",
    );
  }
  if (evidence.trim() === "") {
    throw refuse("it declares a break without evidence", "explain in the column evidence why fills are missing");
  }
  return breakFrom;
}

/** While fills are missing, no other line may say what is open: it would end the break. */
function refuseOverlaps(positions: readonly OpeningPosition[], zone: string): void {
  for (const own of Map.groupBy(positions, ({ market }) => market).values()) {
    const sorted = own.toSorted((a, b) => a.asOf - b.asOf);
    for (const [at, { market, breakFrom, where }] of sorted.entries()) {
      const before = sorted[at - 1];
      if (before !== undefined && breakFrom !== undefined && breakFrom < before.asOf) {
        throw new FillbookError(
          "usage",
          `${where}: its break begins at ${clockText(breakFrom, zone)}, but ${before.where}, declares ${market} as of ${clockText(before.asOf, zone)}, which is within the break`,
          { hint: "keep one of the two lines, or let the break begin at the as_of of the other line or later" },
        );
      }
    }
  }
}
