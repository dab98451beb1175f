import { ZERO } from "../../../core/amount.ts";
import { count, counted } from "../../../core/text.ts";
import { cashFact } from "../../catalogue/facts.ts";
import type { Cash, PackContext } from "../../make/maker.ts";
import { CASH } from "../../tables/cash.ts";
import { unknownText } from "../../tables/cash-text.ts";
import type { Control } from "../../tables/control.ts";
import { differenceCell, tableColumns } from "../columns.ts";
import { type Html, html, outside, symbol } from "../html.ts";
import { file, LONGEST, moreIn, type View } from "../parts.ts";
import { column, listTable } from "../table.ts";

const MOST_CONTROLS = 40;
const MOST_CASH = 20;

/** The pack's controls, and cash against the user's statements. */
export function reconciliationSection({ context, closing, controls }: View): Html {
  const rows = [...(controls.rows.atEnd?.(closing) ?? [])];
  const all = [...Map.groupBy(rows, ({ control }) => control).values()].flat();
  const left = all.filter(({ sides }) => "reason" in sides).length;
  const [label, text] = cashFact(context, closing.cash);
  const why = left > 0 ? ["reason"] : [];
  const names = context.accounts.length === 1 ? ["market"] : ["account", "market"];
  return html`
<p>Each control compares two figures that are calculated in different ways: fills with their count, a market's position with its purchases and sales, its PnL and open positions with its cash, fees charged with fees recognised and carried, rows with totals, imports with the fills. ${count(all.length - left)} hold; ${count(left)} cannot be checked, because a PnL or position is not known. ${file(context, "control-totals.csv")} describes both sides of each. If a control failed, no pack would be made.</p>${listTable<Control>(
    {
      id: "controls",
      caption: "Controls",
      columns: tableColumns(controls.columns, ["control", ...names, "currency", "left", "right", "holds", ...why]),
      items: all.toSorted((a, b) => Number("left" in a.sides) - Number("left" in b.sides)),
      keyOf: ({ control, account, market, currency }) =>
        [control, account, market, currency].filter((name) => name !== null && name !== "").join(" "),
      most: MOST_CONTROLS,
      more: moreIn(context, "control", "control-totals.csv"),
    },
  )}
<h3>Cash</h3>
<p>${label}: ${outside(text, LONGEST)}</p>${closing.cash.length === 0 ? null : cashTable(context, closing.cash)}`;
}

const ORDER: readonly Cash["result"][] = ["differs", "no statement", "agrees"];

/** Calculated cash and the user's statements of it. */
function cashTable(context: PackContext, cash: readonly Cash[]): Html {
  const { accounts } = context;
  return listTable<Cash>({
    id: "cash-statements",
    caption: "Cash compared with the user's statements (balances.csv)",
    columns: [
      column("Currency", ({ account, currency }) => {
        const name = currency === "" ? "a currency that is not known" : symbol(currency);
        return accounts.length === 1 ? name : html`${name} of ${outside(account)}`;
      }),
      ...tableColumns(CASH.columns, ["from", "to", "opening_cash", "movement", "stated_closing_cash"], {
        currency: ({ currency }) => currency,
      }),
      column("Check", checkOf),
    ],
    items: cash.toSorted((a, b) => ORDER.indexOf(a.result) - ORDER.indexOf(b.result)),
    most: MOST_CASH,
    note: html`Movement: gross PnL less fees, with funding and transfers as far as they were given. ${file(context, "balance.csv")} has all rows and the exact amounts.`,
    more: (left) => ` ${counted(left, "more row")}.`,
  });
}

function checkOf(row: Cash): Html {
  const unknown = unknownText([row]);
  switch (row.result) {
    case "agrees":
      return html`<span class="equal"><span aria-hidden="true">✓</span> agrees</span>${unknown === null ? "" : `; ${unknown}`}`;
    case "differs":
      return html`<strong class="differs"><span aria-hidden="true">✗</span> differs by ${differenceCell(row.difference ?? ZERO, row.currency)}</strong>`;
    default: {
      const ends = [row.opening === null ? "at the start" : "", row.closing === null ? "at the end" : ""];
      return html`not compared (no statement ${ends.filter((end) => end !== "").join(" and ")})`;
    }
  }
}
