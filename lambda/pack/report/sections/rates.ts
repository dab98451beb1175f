import type { FigureKey } from "../../../accounting/cube/figures.ts";
import { type Scope, scopesOf } from "../../../accounting/cube/scopes.ts";
import { shownFigures } from "../../tables/figure-column.ts";
import { ratesTable } from "../../tables/rates.ts";
import { figureColumns, inReport, tableColumns } from "../columns.ts";
import { type Html, html, outside, symbol } from "../html.ts";
import { file, methodName, type View } from "../parts.ts";
import { column, listTable } from "../table.ts";

/** The page shows this many rows of each table. */
const MOST_RATES = 20;
const MOST_MONTHS = 36;

const KEYS: readonly FigureKey[] = [
  "gross_pnl",
  "fees_recognised",
  "realised_pnl_net_of_fees_excl_funding",
  "fees_paid",
  "rebates",
  "funding",
];

/** Amounts in the reporting currency, and the rates used. Null: nothing is converted. */
export function ratesSection({ context, closing: { sums } }: View): Html | null {
  const to = sums.currency;
  if (to === null) {
    return null;
  }
  const converted = listTable<Scope>({
    id: "converted-table",
    caption: html`Realised PnL in ${outside(to)}, ${methodName(context)}, excl. funding`,
    columns: [
      column("Month", ({ cell }) => cell.month ?? "Total"),
      column("Settled in", ({ cell }) => (cell.currency === null ? null : symbol(cell.currency))),
      ...figureColumns(shownFigures(context, KEYS), to, inReport),
    ],
    items: scopesOf(sums, ["month", "currency"]).filter(({ cell }) => cell.closes + cell.charged + cell.payments > 0),
    keyOf: ({ cell }) => `${cell.month} ${cell.currency}`,
    most: MOST_MONTHS,
    all: file(context, "summary-months.csv"),
    total: scopesOf(sums, [])[0],
  });
  const rates = listTable({
    id: "rates-table",
    caption: html`Exchange rates into ${outside(to)}`,
    columns: tableColumns(ratesTable(to).columns, ["from", "rate_date", "rate", "lines", "source"]),
    items: sums.rates,
    most: MOST_RATES,
    all: file(context, "workbook.xlsx"),
  });
  return html`
<p>Each line is converted into ${outside(to)} at the rate of its date and rounded; then the lines are added up. Only these totals cover several settlement currencies. ${file(context, "realised-pnl.csv")} has the rate, its date and its source for each line. The rate files are under <code>inputs/</code>.</p>${converted}${rates}`;
}
