import { count } from "../../../core/text.ts";
import { cashFact } from "../../catalogue/facts.ts";
import type { Agreement } from "../../make/maker.ts";
import { CASH } from "../../tables/cash.ts";
import { OTHER_CASH } from "../../tables/cash-text.ts";
import { tableColumns, whose } from "../columns.ts";
import { type Html, html, outside } from "../html.ts";
import { file, LONGEST, type View } from "../parts.ts";
import { listTable } from "../table.ts";

const MOST_CONTROLS = 40;
const MOST_CASH = 20;

/** Differences come first. */
const ORDER: readonly Agreement[] = ["differs", "not known", "no statement", "agrees"];
const CASH_KEYS = [
  ...["from", "to", "opening_cash", "movement", "stated_closing_cash"],
  ...["difference", "fills_not_known", "result", "reason"],
];

/** The pack's controls, and cash against the user's statements. */
export function reconciliationSection({ context, closing, controls }: View): Html {
  const { cash } = closing;
  const rows = [...(controls.rows.atEnd?.(closing) ?? [])];
  const left = rows.filter(({ sides }) => "reason" in sides).length;
  const [label, text] = cashFact(context, cash);
  const [market = "", ...account] = whose(context);
  return html`
<p>Each control compares two figures that are calculated in different ways: fills with their count, a market's position with its purchases and sales, its PnL and open positions with its cash, fees charged with fees recognised and carried, rows with totals, imports with the fills. ${count(rows.length - left)} hold; ${count(left)} cannot be checked, because a PnL or position is not known. ${file(context, "control-totals.csv")} describes both sides of each. If a control failed, no pack would be made.</p>${listTable(
    {
      id: "controls",
      caption: "Controls",
      columns: tableColumns(controls.columns, [
        ...["control", ...account, market, "currency", "left", "right", "holds"],
        ...(left > 0 ? ["reason"] : []),
      ]),
      items: rows.toSorted((a, b) => Number("left" in a.sides) - Number("left" in b.sides)),
      keyOf: (row) => [row.control, row.account, row.market, row.currency].filter(Boolean).join(" "),
      most: MOST_CONTROLS,
      all: file(context, "control-totals.csv"),
    },
  )}
<h3>Cash</h3>
<p>${label}: ${outside(text, LONGEST)} Movement: gross PnL by average cost less fees, with funding and transfers as far as they were given. ${context.methods.primary === "average" ? null : OTHER_CASH}</p>${
    cash.length === 0
      ? null
      : listTable({
          id: "cash-statements",
          caption: "Cash compared with the user's statements (balances.csv)",
          columns: tableColumns(CASH.columns, ["currency", ...account, ...CASH_KEYS], {
            currency: ({ currency }) => currency,
          }),
          items: cash.toSorted((a, b) => ORDER.indexOf(a.result) - ORDER.indexOf(b.result)),
          most: MOST_CASH,
          all: file(context, "balance.csv"),
        })
  }`;
}
