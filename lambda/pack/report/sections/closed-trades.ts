import { count, counted } from "../../../core/text.ts";
import { nameOf } from "../../make/given.ts";
import { type Ended, tradesTable } from "../../tables/trades.ts";
import { tableColumns } from "../columns.ts";
import { type Html, html, symbol } from "../html.ts";
import { utc } from "../numbers.ts";
import { byCurrency, file, stacked, type View } from "../parts.ts";
import { column, listTable } from "../table.ts";

/** Round trips, from flat to flat: their number, and the largest gains and losses. */
export function closedTradesSection(view: View): Html {
  const { context, trips } = view;
  const table = tradesTable(context);
  const keys = ["quantity", "open_value", "close_value", "gross_pnl", "fees", "net_excl_funding"];
  return html`
<p>A closed trade runs from a flat position back to flat. Its PnL excludes funding and is the same under every method. A trade whose beginning is not in the records is not listed. ${file(context, "closed-trades.csv")} lists all closed trades.</p>${byCurrency(
    view,
    ({ name, number, scope: { cell } }) => {
      const list = (isLoss: boolean): Html | null => {
        const items = trips.of(name, isLoss);
        const [id, title] = isLoss ? ["losses", "Largest losses"] : ["gains", "Largest gains"];
        return items.length === 0
          ? null
          : listTable<Ended>({
              id: `${id}-${number}`,
              caption: html`${title} before fees, ${symbol(name)}`,
              columns: [
                column(
                  "Market",
                  ({ account, trip }) =>
                    html`${symbol(nameOf(context, { ...trip, account }))} <small>${trip.side}, ${counted(trip.fills, "fill")}</small>`,
                ),
                column("Opened and closed, UTC", ({ trip }) => stacked([utc(trip.openedAt), utc(trip.closedAt)])),
                ...tableColumns(table.columns, keys, { currency: () => name }),
              ],
              items,
            });
      };
      const text = `${counted(cell.trips, "closed trade")}: ${count(cell.wonTrips)} with a gain and ${count(cell.lostTrips)} with a loss, before fees.`;
      return cell.trips === 0
        ? html`<p class="empty">No position was opened and fully closed within the records.</p>`
        : html`<p>${text}</p>${list(false)}${list(true)}`;
    },
  )}`;
}
