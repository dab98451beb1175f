import { ZERO } from "../../../core/amount.ts";
import { minorUnit } from "../../../core/currency.ts";
import { count, counted } from "../../../core/text.ts";
import type { Cash, PackContext } from "../../make/maker.ts";
import { CASH } from "../../tables/cash.ts";
import { byCurrency, unknownText } from "../../tables/cash-text.ts";
import { tableColumns } from "../columns.ts";
import { type Html, type HtmlValue, html, outside, symbol } from "../html.ts";
import { firstOf } from "../limits.ts";
import { signedMoney } from "../numbers.ts";
import { file } from "../parts.ts";
import { column, listTable } from "../table.ts";
import type { View } from "../view.ts";

const MOST_ROWS = 20;
/** The sheet to sign names this many currencies of a kind. */
const MOST_NAMED = 5;

/** What the user's statements of cash show, in one sentence: no more than was compared. */
export function cashLine({ context, closing: { cash } }: View): Html {
  if (cash.every(({ opening, closing }) => opening === null && closing === null)) {
    return html`Statements of cash: none were given for this period, so cash was not compared with the venue's.`;
  }
  const currencies = byCurrency(cash);
  const texts = KINDS.flatMap(([kind, are]) => {
    const own = currencies.filter((rows) => kindOf(rows) === kind);
    const { shown, left } = firstOf(own, MOST_NAMED);
    const more = left === 0 ? "" : ` and ${count(left)} more`;
    return own.length === 0
      ? []
      : [html`${are} in ${shown.map((rows, at) => html`${at === 0 ? "" : ", "}${withUnknown(context, rows)}`)}${more}`];
  });
  return html`Statements of cash (balances.csv): ${texts.map((text, at) => html`${at === 0 ? "" : "; "}${text}`)}.`;
}

type Kind = "differ" | "none" | "some" | "all";

const KINDS: readonly (readonly [Kind, string])[] = [
  ["differ", "differ"],
  ["none", "not compared"],
  ["some", "agree for part of the period"],
  ["all", "agree"],
];

function kindOf(rows: readonly Cash[]): Kind {
  if (rows.some(({ result }) => result === "differs")) {
    return "differ";
  }
  if (rows.every(({ result }) => result === "agrees")) {
    return "all";
  }
  return rows.some(({ result }) => result === "agrees") ? "some" : "none";
}

function nameOf({ accounts }: PackContext, { account, currency }: Cash): Html {
  const name = currency === "" ? html`a currency that is not known` : symbol(currency);
  return accounts.length === 1 ? name : html`${name} of ${outside(account)}`;
}

/** The currency, and whether the calculated cash lacks fills: then it may agree by chance. */
function withUnknown(context: PackContext, rows: readonly Cash[]): Html {
  const unknown = unknownText(rows);
  const names = rows.slice(0, 1).map((row) => nameOf(context, row));
  return unknown === null ? html`${names}` : html`${names} (${unknown})`;
}

/** Calculated cash and the user's statements of it. Null: there is no cash. */
export function statementTable({ context, closing: { cash } }: View): Html | null {
  return cash.length === 0
    ? null
    : listTable<Cash>({
        id: "cash-statements",
        caption: "Cash compared with the user's statements (balances.csv)",
        columns: [
          column("Currency", (row) => nameOf(context, row)),
          ...tableColumns(CASH.columns, ["from", "to", "opening_cash", "movement", "stated_closing_cash"], {
            currency: ({ currency }) => currency,
          }),
          column("Check", checkOf),
        ],
        items: cash.toSorted((a, b) => ORDER.indexOf(a.result) - ORDER.indexOf(b.result)),
        most: MOST_ROWS,
        note: html`Movement: gross PnL less fees, with funding and transfers as far as they were given. ${file(context, "balance.csv")} has all rows and the exact amounts.`,
        more: (left) => ` ${counted(left, "more row")}.`,
      });
}

const ORDER: readonly Cash["result"][] = ["differs", "no statement", "agrees"];

function checkOf(row: Cash): Html {
  const { result, opening, closing } = row;
  const unknown = unknownText([row]);
  if (result === "agrees") {
    return html`<span class="equal"><span aria-hidden="true">✓</span> agrees</span>${unknown === null ? "" : `; ${unknown}`}`;
  }
  if (result === "differs") {
    return html`<strong class="differs"><span aria-hidden="true">✗</span> differs by ${differenceText(row)}</strong>`;
  }
  const ends = [...(opening === null ? ["at the start"] : []), ...(closing === null ? ["at the end"] : [])];
  return html`not compared (no statement ${ends.join(" and ")})`;
}

/** Below the currency's minor unit, with every digit: rounded, it would be zero. */
function differenceText({ difference, currency }: Cash): HtmlValue {
  const amount = difference ?? ZERO;
  return amount.abs().lt(minorUnit(currency)) ? String(amount) : signedMoney(amount, currency);
}
