import { exceptionCounts } from "../../catalogue/facts.ts";
import type { ExceptionRow } from "../../make/maker.ts";
import { EXCEPTIONS } from "../../tables/exceptions.ts";
import { tableColumns, whose } from "../columns.ts";
import { type Html, html } from "../html.ts";
import { file, type View } from "../parts.ts";
import { listTable } from "../table.ts";

/** The page shows this many rows of each table. exceptions.csv has all. */
const MOST_ROWS = 20;

/** What a reader must know of single fills, fields, values and markets. */
export function exceptionsSection({ context, closing: { exceptions } }: View): Html {
  const { count, ofFills, first } = exceptions;
  const all = file(context, "exceptions.csv");
  const list = (
    id: string,
    caption: string,
    rows: readonly ExceptionRow[],
    names: readonly string[],
    number: number,
  ) =>
    rows.length === 0
      ? null
      : listTable({
          id,
          caption,
          columns: tableColumns(EXCEPTIONS.columns, names),
          items: rows,
          most: MOST_ROWS,
          count: number,
          all,
        });
  const isOfFill = ({ txCreated }: ExceptionRow) => txCreated !== null;
  const keys = [...whose(context), "column", "reason", "value"];
  return html`
<p>Period cut-off is based on ${context.basis === "fill" ? "the time of the fill, or of its transaction if the venue gave no time of the fill" : "the time of the transaction"}. Fills whose other time lies outside the period are among the exceptions.</p>
<p>${count === 0 ? "There are no exceptions." : html`Exceptions: ${exceptionCounts(exceptions)}. ${all} lists all of them.`}</p>${list("exceptions-table", "Exceptions about single fills", first.filter(isOfFill), ["tx_created", ...keys, "match_id"], ofFills)}${list(
    "notes-table",
    "Notes about fields, values and markets",
    first.filter((row) => !isOfFill(row)),
    keys,
    count - ofFills,
  )}`;
}
