import { type FigureKey, figureOf } from "../../../accounting/cube/figures.ts";
import { type Scope, type Sums, scopesOf } from "../../../accounting/cube/scopes.ts";
import type { RateUse } from "../../../accounting/rates/uses.ts";
import { counted } from "../../../core/text.ts";
import type { PackContext } from "../../make/maker.ts";
import { shownFigures } from "../../tables/figure-column.ts";
import { ratesTable } from "../../tables/rates.ts";
import { tableColumns } from "../columns.ts";
import { figureCell } from "../figures.ts";
import { type Html, html, outside, symbol } from "../html.ts";
import { file, methodName, type Section } from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";
import type { View } from "../view.ts";
import { inReport } from "./statement-figures.ts";

/** The page shows this many rows of each table. */
const MOST_RATES = 20;
const MOST_MONTHS = 36;

/** Amounts in the reporting currency, and the rates used. Null: nothing is converted. */
export function ratesSection({ context, closing: { sums } }: View): Section | null {
  const to = sums.currency;
  return to === null
    ? null
    : {
        id: "rates",
        body: html`
<p>Each line is converted into ${outside(to)} at the rate of its date and rounded; then the lines are added up. Only these totals cover several settlement currencies. ${file(context, "realised-pnl.csv")} has the rate, its date and its source for each line. The rate files are under <code>inputs/</code>.</p>${convertedTable(context, sums, to)}${rateTable(context, sums, to)}`,
      };
}

const KEYS: readonly FigureKey[] = [
  "gross_pnl",
  "fees_recognised",
  "realised_pnl_net_of_fees_excl_funding",
  "fees_paid",
  "rebates",
  "funding",
];

function convertedTable(context: PackContext, sums: Sums, to: string): Html {
  const rows = scopesOf(sums, ["month", "currency"]).filter(
    ({ cell }) => cell.closes + cell.charged + cell.payments > 0,
  );
  const keys = shownFigures(context, KEYS);
  const [total] = scopesOf(sums, []);
  return listTable<Scope>({
    id: "converted-table",
    caption: html`Realised PnL in ${outside(to)}, ${methodName(context)}, excl. funding`,
    columns: [
      column("Month", ({ cell }) => cell.month ?? "Total"),
      column("Settled in", ({ cell }) => (cell.currency === null ? null : symbol(cell.currency))),
      ...keys.map((key) => numberColumn<Scope>(figureOf(key).name, (scope) => figureCell(key, scope, to, inReport))),
    ],
    items: rows,
    keyOf: ({ cell }) => (cell.month === null ? "total" : `${cell.month} ${cell.currency}`),
    most: MOST_MONTHS,
    more: (left) => `${counted(left, "more row")} ${left === 1 ? "is" : "are"} in the total.`,
    ...(total === undefined ? {} : { total }),
  });
}

function rateTable(context: PackContext, { rates }: Sums, to: string): Html {
  return listTable<RateUse>({
    id: "rates-table",
    caption: html`Exchange rates into ${outside(to)}`,
    columns: tableColumns(ratesTable(to).columns, ["from", "rate_date", "rate", "lines", "source"]),
    items: rates,
    most: MOST_RATES,
    more: (left) =>
      html`${counted(left, "more rate")} ${left === 1 ? "was" : "were"} used: ${file(context, "realised-pnl.csv")} has the rate of each line.`,
  });
}
