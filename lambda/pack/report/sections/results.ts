import { totalCell } from "../../../accounting/cube/cell.ts";
import { ownOf } from "../../../accounting/cube/figures.ts";
import { lacksOf, type Scope, scopeOf } from "../../../accounting/cube/scopes.ts";
import { ZERO } from "../../../core/amount.ts";
import { compareText, count, counted } from "../../../core/text.ts";
import { nameOf } from "../../make/given.ts";
import { barChart } from "../chart.ts";
import { breakdownKeys, figureColumns } from "../columns.ts";
import { type Html, html, symbol, symbolText } from "../html.ts";
import { byCurrency, type CurrencyView, file, fundingWords, isUnknown, methodName, type View } from "../parts.ts";
import { column, listTable } from "../table.ts";

/** A longer period shows only months with activity, and its chart has a bar for each year. */
const ALL_MONTHS = 36;
const MOST_MONTHS = 120;
/** The files have all markets. */
const MOST_MARKETS = 10;

/** Volume, fees and realised PnL, by month and by market. */
export function resultsSection(view: View): Html {
  const { context } = view;
  return html`
<p>Fees less rebates: fees in the period they were charged. Fees on closed positions: closing fees plus the matching share of opening fees. Volume is price × quantity of buys and sells. A closed trade runs from a flat position back to flat; ${file(context, "closed-trades.csv")} lists them.</p>${byCurrency(
    view,
    (currency) => {
      const { trips, wonTrips, lostTrips } = currency.scope.cell;
      const name = ({ cell }: Scope) => nameOf(context, { account: cell.account ?? "", market: cell.market ?? "" });
      const byFills = currency
        .by("account", "market")
        .toSorted((a, b) => b.cell.fills - a.cell.fills || compareText(name(a), name(b)));
      const largest = byFills.slice(0, MOST_MARKETS).sort((a, b) => compareText(name(a), name(b)));
      const markets = [...largest, ...byFills.slice(MOST_MARKETS)];
      const months = monthsOf(view, currency);
      return html`
<h3>Settled in ${symbol(currency.name)}</h3>${pnlChart(view, currency, months)}${breakdown(view, currency, "month", months, ({ cell }) => cell.month ?? "", MOST_MONTHS)}${breakdown(view, currency, "market", markets, name, MOST_MARKETS)}
<p>${counted(trips, "closed trade")}: ${count(wonTrips)} with a gain and ${count(lostTrips)} with a loss, before fees.</p>`;
    },
  )}`;
}

/** The months of a currency, in order; those without activity have empty sums. */
function monthsOf({ closing }: View, { by, scope }: CurrencyView): readonly Scope[] {
  const all = closing.sums.months;
  const months = by("month");
  const known = new Map(months.map((month) => [month.cell.month, month]));
  return all.length > ALL_MONTHS
    ? months
    : all.map(({ name }) => known.get(name) ?? scopeOf({ ...totalCell([]), month: name }, scope.funded));
}

function pnlChart({ context }: View, { name, number, scope }: CurrencyView, months: readonly Scope[]): Html | null {
  const unit = months.length > ALL_MONTHS ? "year" : "month";
  const groups = Map.groupBy(months, ({ cell }) => cell.month?.slice(0, unit === "year" ? 4 : 7) ?? "");
  const pnlOf = (own: readonly Scope[]) =>
    ownOf("realised_pnl_net_of_fees_excl_funding", scopeOf(totalCell(own.map(({ cell }) => cell)))).amount ?? ZERO;
  const bars = [...groups].map(([label, own]) => ({ label, value: pnlOf(own) }));
  const part = lacksOf(scope.cell).length === 0 ? "" : " PnL that is not known is excluded.";
  const chart = {
    id: `pnl-chart-${number}`,
    title: `Net realised PnL by ${unit}, ${symbolText(name)}, ${methodName(context)}, excl. funding`,
    description: `One bar for each ${unit}: gains are blue, above the zero line; losses are orange, below it. The table by month has the amounts.${part}`,
    currency: name,
    bars,
  };
  return isUnknown(scope.cell) ? null : barChart(chart);
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
  const rest = scopeOf(totalCell(rows.slice(most).map(({ cell }) => cell)), scope.funded);
  const shown = left > 0 ? [...rows.slice(0, most), rest] : rows;
  const heads = new Map([
    [rest, `Other ${by}s (${count(left)})`],
    [scope, "Total"],
  ]);
  return listTable<Scope>({
    id: `${by}s-${number}`,
    caption: html`By ${by}, ${symbol(name)}, ${methodName(context)}, net ${fundingWords(context)}`,
    columns: [
      column(by === "month" ? "Month" : "Market", (row) => heads.get(row) ?? symbol(keyOf(row))),
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
