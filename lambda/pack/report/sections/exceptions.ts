import { count } from "../../../core/text.ts";
import { exceptionCounts } from "../../catalogue/facts.ts";
import { listed } from "../../catalogue/names.ts";
import { nameOf } from "../../make/given.ts";
import type { ExceptionRow } from "../../make/maker.ts";
import { EXCEPTIONS } from "../../tables/exceptions.ts";
import { tableColumns } from "../columns.ts";
import { type Html, html, outside, symbol } from "../html.ts";
import { file, LONGEST, moreIn, stacked, type View } from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";

/** The page shows this many rows. exceptions.csv has all. */
const MOST_EXCEPTIONS = 10;
const MOST_NOTES = 20;
const MOST_NAMES = 20;

/** What a reader must know of single fills and of markets. */
export function exceptionsSection({ context, closing: { exceptions } }: View): Html {
  const name = ({ account, market }: ExceptionRow) => nameOf(context, { account, market: market ?? "" });
  // A note about a market has no time.
  const fills = exceptions.first.filter(({ txCreated }) => txCreated !== null).slice(0, MOST_EXCEPTIONS);
  const notes = [
    ...Map.groupBy(
      exceptions.first.filter(({ txCreated }) => txCreated === null),
      ({ reason }) => reason,
    ),
  ];
  const shown = (value: string | null) => value && outside(value);
  return html`
<p>Period cut-off is based on ${context.basis === "fill" ? "the time of the fill, or of its transaction if the venue gave no time of the fill" : "the time of the transaction"}. Fills whose other time lies outside the period are among the exceptions.</p>
<p>${exceptions.count === 0 ? "There are no exceptions." : html`Exceptions: ${exceptionCounts(exceptions)}. ${file(context, "exceptions.csv")} lists all of them.`}</p>${
    fills.length === 0
      ? null
      : listTable<ExceptionRow>({
          id: "exceptions-table",
          caption: "Exceptions about single fills",
          columns: [
            ...tableColumns(EXCEPTIONS.columns, ["tx_created"]),
            column("Market", (row) => row.market && symbol(name(row))),
            ...tableColumns(EXCEPTIONS.columns, ["column", "reason", "value"]),
            column("Match, order", ({ matchId, orderId }) => stacked([shown(matchId), shown(orderId)])),
          ],
          items: fills,
          note:
            exceptions.ofFills > fills.length
              ? `The first ${count(fills.length)} of ${count(exceptions.ofFills)}.`
              : null,
        })
  }${
    notes.length === 0
      ? null
      : listTable<(typeof notes)[number]>({
          id: "notes-table",
          caption: "Notes about fields, values and markets",
          columns: [
            column("Reason", ([reason]) => outside(reason)),
            numberColumn("Notes", ([, own]) => count(own.length)),
            column("Markets", ([, own]) =>
              outside(listed([...new Set(own.filter(({ market }) => market !== null).map(name))], MOST_NAMES), LONGEST),
            ),
          ],
          items: notes,
          most: MOST_NOTES,
          more: moreIn(context, "note", "exceptions.csv"),
        })
  }`;
}
