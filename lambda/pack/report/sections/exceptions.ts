import { count, listed } from "../../../core/text.ts";
import { exceptionCounts } from "../../catalogue/facts.ts";
import { shownName } from "../../catalogue/names.ts";
import { nameOf } from "../../make/given.ts";
import type { ExceptionRow } from "../../make/maker.ts";
import { EXCEPTIONS } from "../../tables/exceptions.ts";
import { tableColumns } from "../columns.ts";
import { type Html, html, outside, symbol } from "../html.ts";
import { file, LONGEST, moreIn, stacked, type View } from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";

/** The page shows this many rows. exceptions.csv has all. */
const MOST_FILLS = 10;
const MOST_NOTES = 20;
const MOST_NAMES = 20;

/** What a reader must know of single fills and of markets. */
export function exceptionsSection(view: View): Html {
  const { context } = view;
  const { exceptions } = view.closing;
  return html`
<p>Period cut-off is based on ${context.basis === "fill" ? "the time of the fill, or of its transaction if the venue gave no time of the fill" : "the time of the transaction"}. Fills whose other time lies outside the period are among the exceptions.</p>
<p>${exceptions.count === 0 ? "There are no exceptions." : html`Exceptions: ${exceptionCounts(exceptions)}. ${file(context, "exceptions.csv")} lists all of them.`}</p>${fillTable(view)}${noteTable(view)}`;
}

function marketOf({ context }: View, { account, market }: ExceptionRow): string {
  return nameOf(context, { account, market: market ?? "" });
}

function fillTable(view: View): Html | null {
  const { exceptions } = view.closing;
  // A note about a market has no time.
  const items = exceptions.first.filter(({ txCreated }) => txCreated !== null).slice(0, MOST_FILLS);
  const left = exceptions.ofFills - items.length;
  return items.length === 0
    ? null
    : listTable<ExceptionRow>({
        id: "exceptions-table",
        caption: "Exceptions about single fills",
        columns: [
          ...tableColumns(EXCEPTIONS.columns, ["tx_created"]),
          column("Market", (row) => row.market && symbol(marketOf(view, row))),
          ...tableColumns(EXCEPTIONS.columns, ["column", "reason", "value"]),
          column("Match, order", ({ matchId, orderId }) => stacked([matchId, orderId].map((id) => id && outside(id)))),
        ],
        items,
        note: left > 0 ? moreIn(view.context, "row", "exceptions.csv")(left) : null,
      });
}

/** Markets with the same note stand together. */
function noteTable(view: View): Html | null {
  const rows = view.closing.exceptions.first.filter(({ txCreated }) => txCreated === null);
  const notes = [...Map.groupBy(rows, ({ reason }) => reason)];
  const names = (own: readonly ExceptionRow[]) =>
    listed([...new Set(own.flatMap((row) => (row.market === null ? [] : shownName(marketOf(view, row)))))], MOST_NAMES);
  return notes.length === 0
    ? null
    : listTable<(typeof notes)[number]>({
        id: "notes-table",
        caption: "Notes about fields, values and markets",
        columns: [
          column("Reason", ([reason]) => outside(reason, LONGEST)),
          numberColumn("Notes", ([, own]) => count(own.length)),
          column("Markets", ([, own]) => outside(names(own), LONGEST)),
        ],
        items: notes,
        most: MOST_NOTES,
        more: moreIn(view.context, "note", "exceptions.csv"),
      });
}
