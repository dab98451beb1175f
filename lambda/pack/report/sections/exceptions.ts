import { count, counted } from "../../../core/text.ts";
import { nameOf } from "../../make/given.ts";
import type { ExceptionRow } from "../../make/maker.ts";
import { EXCEPTIONS } from "../../tables/exceptions.ts";
import { tableColumns } from "../columns.ts";
import { type Html, type HtmlValue, html, outside, symbol } from "../html.ts";
import { firstOf } from "../limits.ts";
import { exceptionCounts, file, type Section, stacked } from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";
import type { View } from "../view.ts";

/** The page shows this many rows. exceptions.csv has all. */
const MOST_EXCEPTIONS = 10;
const MOST_NOTES = 20;
const MOST_NAMES = 20;

/** What a reader must know of single fills and of markets. */
export function exceptionsSection(view: View): Section {
  const { context, closing, kept } = view;
  const { exceptions } = closing;
  return {
    id: "exceptions",
    body: html`
<p>${cutOff(context.basis, kept.acrossBorder)}</p>
<p>${exceptions.count === 0 ? "There are no exceptions." : html`Exceptions: ${exceptionCounts(exceptions)}. ${file(context, "exceptions.csv")} lists all of them.`}</p>${fillTable(view)}${noteTable(view)}`,
  };
}

function shownOrNot(value: string | null): HtmlValue {
  return value === null ? null : outside(value);
}

/** A note about a market has no time. */
function isNote({ txCreated }: ExceptionRow): boolean {
  return txCreated === null;
}

function fillTable({ context, closing: { exceptions } }: View): Html | null {
  const items = exceptions.first.filter((row) => !isNote(row)).slice(0, MOST_EXCEPTIONS);
  return items.length === 0
    ? null
    : listTable<ExceptionRow>({
        id: "exceptions-table",
        caption: "Exceptions about single fills",
        columns: [
          ...tableColumns(EXCEPTIONS.columns, ["tx_created"]),
          column("Market", (row) => (row.market === null ? null : symbol(nameIn(context, row)))),
          ...tableColumns(EXCEPTIONS.columns, ["column", "reason", "value"]),
          column("Match, order", ({ matchId, orderId }) => stacked([shownOrNot(matchId), shownOrNot(orderId)])),
        ],
        items,
        note:
          exceptions.ofFills > items.length
            ? `The first ${count(items.length)} of ${count(exceptions.ofFills)}.`
            : null,
      });
}

/** Markets with the same note stand together. */
function noteTable({ context, closing: { exceptions } }: View): Html | null {
  const rows = exceptions.first.filter(isNote);
  const notes = [...Map.groupBy(rows, ({ reason }) => reason)];
  return notes.length === 0
    ? null
    : listTable<(typeof notes)[number]>({
        id: "notes-table",
        caption: "Notes about fields, values and markets",
        columns: [
          column("Reason", ([reason]) => outside(reason)),
          numberColumn("Notes", ([, own]) => count(own.length)),
          column("Markets", ([, own]) => namesOf(context, own)),
        ],
        items: notes,
        most: MOST_NOTES,
        more: (left) => `${counted(left, "more note")}.`,
      });
}

function nameIn(context: View["context"], { account, market }: ExceptionRow): string {
  return nameOf(context, { account, market: market ?? "" });
}

function namesOf(context: View["context"], rows: readonly ExceptionRow[]): Html {
  const { shown, left } = firstOf(
    [...new Set(rows.flatMap((row) => (row.market === null ? [] : nameIn(context, row))))],
    MOST_NAMES,
  );
  return html`${shown.map((name, at) => html`${at === 0 ? null : ", "}${symbol(name)}`)}${left === 0 ? null : ` and ${count(left)} more`}`;
}

function cutOff(basis: "fill" | "transaction", acrossBorder: number): Html {
  const rule =
    basis === "fill"
      ? "the time of the fill, or of its transaction if the venue gave no time of the fill"
      : "the time of the transaction";
  return html`Period cut-off is based on ${rule}. ${
    acrossBorder === 0
      ? "No fill of this period has its other time outside the period."
      : `${counted(acrossBorder, "fill")} of this period ${acrossBorder === 1 ? "has its" : "have their"} other time outside the period: see exceptions.csv.`
  }`;
}
