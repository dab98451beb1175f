import { openValueIn } from "../../../accounting/carried.ts";
import { openIn } from "../../../accounting/holdings.ts";
import { counted } from "../../../core/text.ts";
import { nameOf } from "../../make/given.ts";
import { positionsTable } from "../../tables/positions.ts";
import { tableColumns, whose } from "../columns.ts";
import { type Html, html, symbol } from "../html.ts";
import { byCurrency, file, NOT_KNOWN, type View } from "../parts.ts";
import { listTable } from "../table.ts";

const MOST_POSITIONS = 10;

/** The open positions at the end of the period, at cost. */
export function positionsSection(view: View): Html {
  const { context } = view;
  const keys = [...whose(context), "quantity", "open_value", "average_open_price", "deferred_fee", "lots", "status"];
  return html`
<p>Open positions are shown at cost, not market value. The cost of a short position is negative. Fees carried are opening fees that count when the position is closed. ${file(context, "open-lots.csv")} lists every lot. The statement has the totals.</p>${byCurrency(
    view,
    ({ name, number, scope }) => {
      const open = openIn(scope.holdings).sort((a, b) => openValueIn(b.after).abs().cmp(openValueIn(a.after).abs()));
      return open.length === 0
        ? html`<p class="empty">No position in ${symbol(name)} is open at the end of the period.</p>`
        : listTable({
            id: `positions-${number}`,
            caption: html`${counted(open.length, "open position")} at cost, ${symbol(name)}`,
            columns: tableColumns(positionsTable(context).columns, keys, { currency: () => name, empty: NOT_KNOWN }),
            items: open,
            keyOf: (row) => nameOf(context, row),
            most: MOST_POSITIONS,
            all: file(context, "open-positions.csv"),
          });
    },
  )}`;
}
