import { type Holding, openValueIn } from "../../../accounting/holdings.ts";
import { counted } from "../../../core/text.ts";
import { nameOf } from "../../make/given.ts";
import { openIn, positionsTable } from "../../tables/positions.ts";
import { tableColumns } from "../columns.ts";
import { type Html, html, symbol } from "../html.ts";
import { units } from "../numbers.ts";
import { byCurrency, file, methodName, moreIn, NOT_KNOWN, type View } from "../parts.ts";
import { column, listTable } from "../table.ts";

const MOST_POSITIONS = 10;

/** The open positions at the end of the period, at cost. */
export function positionsSection(view: View): Html {
  const { context } = view;
  return html`
<p>Open positions are shown at cost, not market value. The cost of a short position is negative. Fees carried are opening fees that count when the position is closed. ${file(context, "open-lots.csv")} lists every lot. The statement has the totals.</p>${byCurrency(
    view,
    ({ name, number, scope }) => {
      const open = openIn(scope.holdings).sort((a, b) => openValueIn(b.after).abs().cmp(openValueIn(a.after).abs()));
      const lots = open.reduce((sum, { after }) => sum + after.lots.length, 0);
      const by = lots === 0 ? "" : ` (${counted(lots, "lot")} by ${methodName(context)})`;
      const why = open.some(({ after }) => after.blank !== null) ? ["status"] : [];
      return open.length === 0
        ? html`<p class="empty">No position is open at the end of the period.</p>`
        : listTable<Holding>({
            id: `positions-${number}`,
            caption: html`${counted(open.length, "open position")} at cost, ${symbol(name)}${by}`,
            columns: [
              column("Market", (row) => symbol(nameOf(context, row))),
              {
                head: "Position",
                kind: "quantity",
                cell: ({ after: { position } }) => (position === null ? NOT_KNOWN : units(position, "sign")),
              },
              ...tableColumns(
                positionsTable(context).columns,
                ["open_value", "average_open_price", "deferred_fee", ...why],
                { currency: () => name, empty: NOT_KNOWN },
              ),
            ],
            items: open,
            keyOf: (row) => nameOf(context, row),
            most: MOST_POSITIONS,
            more: moreIn(context, "position", "open-positions.csv"),
          });
    },
  )}`;
}
