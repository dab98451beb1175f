import type { Amount } from "../core/amount.ts";
import { clockText } from "../core/clock-text.ts";
import { marketAt, priceAt, timeAt } from "./cells.ts";
import { oncePerKey } from "./copied-lines.ts";
import type { InputFile } from "./files.ts";
import { readTable } from "./table.ts";

export const MARK_COLUMNS = ["market", "time", "price"] as const;

/** A line of marks.csv: the price of one unit of a market's base at a time. */
export interface Mark {
  readonly market: string;
  /** ms UTC */
  readonly time: number;
  /** In the quote currency of the market. */
  readonly price: Amount;
}

/** By time. A date is a day of the zone. Throws `usage` with the line. */
export function readMarks(file: InputFile, zone: string): Mark[] {
  const marks: Mark[] = [];
  const once = oncePerKey("gives the price of");
  readTable(file, MARK_COLUMNS, (row) => {
    const mark = {
      market: marketAt(row, "market"),
      time: timeAt(row, "time", zone),
      price: priceAt(row, "price"),
    };
    once(row, `${mark.market} ${mark.time}`, `${mark.market} at ${clockText(mark.time, zone)}`);
    marks.push(mark);
  });
  return marks.sort((a, b) => a.time - b.time);
}
