import { totalCell } from "../../../accounting/cube/cell.ts";
import { type Scope, scopeOf } from "../../../accounting/cube/scopes.ts";
import { compareText, count } from "../../../core/text.ts";
import { nameOf } from "../../make/given.ts";
import { breakdownKeys, figureColumns } from "../columns.ts";
import { type Html, html, symbol } from "../html.ts";
import { byCurrency, type CurrencyView, file, fundingWords, methodName, type View } from "../parts.ts";
import { column, listTable } from "../table.ts";

/** A longer period shows only months with activity. */
const ALL_MONTHS = 36;
const MOST_MONTHS = 120;
/** The files have all markets. */
const MOST_MARKETS = 10;

/** Volume, fees and realised PnL, by month and by market. */
export function resultsSection(view: View): Html {
  const { context } = view;
  return html`
<p>Fees less rebates: fees in the period they were charged. Fees on closed positions: closing fees plus the matching share of opening fees. Volume is price × quantity of buys and sells.</p>${byCurrency(
    view,
    (currency) => {
      const name = ({ cell }: Scope) => nameOf(context, { account: cell.account ?? "", market: cell.market ?? "" });
      const byFills = currency.markets.toSorted((a, b) => b.cell.fills - a.cell.fills || compareText(name(a), name(b)));
      const largest = byFills.slice(0, MOST_MARKETS).sort((a, b) => compareText(name(a), name(b)));
      const markets = [...largest, ...byFills.slice(MOST_MARKETS)];
      return [
        breakdown(view, currency, "month", monthsOf(view, currency), ({ cell }) => cell.month ?? "", MOST_MONTHS),
        breakdown(view, currency, "market", markets, name, MOST_MARKETS),
      ];
    },
  )}`;
}

/** The months of a currency, in order; those without activity have empty sums. */
export function monthsOf({ closing }: View, { months, scope }: CurrencyView): readonly Scope[] {
  const all = closing.sums.months;
  const known = new Map(months.map((month) => [month.cell.month, month]));
  return all.length > ALL_MONTHS
    ? months
    : all.map(({ name }) => known.get(name) ?? scopeOf({ ...totalCell([]), month: name }, scope.isFunded));
}

/** The first rows, the sum of the others, and the total. */
function breakdown(
  { context }: View,
  { name, number, scope }: CurrencyView,
  by: "month" | "market",
  rows: readonly Scope[],
  keyOf: (row: Scope) => string,
  most: number,
): Html {
  const left = rows.length - most;
  const rest = scopeOf(totalCell(rows.slice(most).map(({ cell }) => cell)), scope.isFunded);
  const shown = left > 0 ? [...rows.slice(0, most), rest] : rows;
  const head = by === "month" ? "Month" : "Market";
  const heads = new Map([
    [rest, `Other ${by}s (${count(left)})`],
    [scope, "Total"],
  ]);
  return listTable<Scope>({
    id: `${by}s-${number}`,
    caption: html`By ${by}, ${symbol(name)}, ${methodName(context)}, net ${fundingWords(context)}`,
    columns: [
      column(head, (row) => heads.get(row) ?? symbol(keyOf(row))),
      ...figureColumns(breakdownKeys(context), name),
    ],
    items: shown,
    keyOf: (row) => (row === rest ? "others" : keyOf(row)),
    total: scope,
    note:
      left > 0
        ? html`${file(context, by === "month" ? "summary-months.csv" : "summary-days.csv")} has every ${by}.`
        : null,
  });
}
