import { feesOf, isWhole, type Sum, sumOf } from "../../../../accounting/aggregate.ts";
import { REASONS } from "../../../../accounting/reasons.ts";
import { LIQUIDITIES } from "../../../../accounting/statement.ts";
import { ZERO } from "../../../../core/amount.ts";
import { count, counted } from "../../../../core/text.ts";
import { firstOf, fundingWords, netWithFunding, unknownIn } from "../figures.ts";
import { type Html, type HtmlValue, html, symbol } from "../html.ts";
import { basisPoints, money, result } from "../numbers.ts";
import { byCurrency, file, knownFees, knownResult, methodHead, PARTIAL_MEANS, type Section, WHOLE } from "../parts.ts";
import { column, type ListColumn, listTable, numberColumn } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";
import { marketSums, monthSums, type NamedSum, type Shown } from "./breakdown.ts";

/** Volume, fees and realised PnL, by month and by market. */
export function resultsSection(view: View): Section {
  const body = html`
<p>Fees less rebates: fees in the period they were charged. Fees on closed positions: closing fees plus the matching share of opening fees. Volume is price × quantity of buys and sells.</p>${byCurrency(
    view,
    (currency) => [
      breakdownTable(view, currency, "month"),
      breakdownTable(view, currency, "market"),
      reasonsOf(view, currency),
      liquidityTable(view, currency),
    ],
  )}`;
  return { id: "results", body };
}

interface BreakdownRow extends NamedSum {
  readonly head: HtmlValue;
}

function breakdownTable(view: View, currency: CurrencyView, by: "month" | "market"): Html {
  const { shown, left, rest }: Shown<NamedSum> = by === "month" ? monthSums(view, currency) : marketSums(currency);
  const rows: BreakdownRow[] = shown.map((one) => ({ ...one, head: by === "month" ? one.name : symbol(one.name) }));
  const others = { name: "others", sum: rest, head: `Other ${by}s (${count(left)})` };
  return listTable<BreakdownRow>({
    id: `${by}s-${currency.number}`,
    caption: html`By ${by}, ${symbol(currency.name)}, net ${fundingWords(view.context)}`,
    columns: [
      column(by === "month" ? "Month" : "Market", ({ head }) => head),
      ...figureColumns(view, currency.name).map((one) => ({ ...one, cell: ({ sum }: BreakdownRow) => one.cell(sum) })),
    ],
    items: left === 0 ? rows : [...rows, others],
    keyOf: ({ name }) => name,
    total: { name: "total", head: "Total", sum: currency.sum },
    note: left === 0 ? null : html`${file(view.context, WHOLE[`${by}s`])} has every ${by}.`,
  });
}

export function figureColumns({ context }: View, currency: string): ListColumn<Sum>[] {
  const own = methodHead(context);
  const { funding } = context;
  // An account of a group that gave no file has no funding figure, which is not zero.
  const fundingCell = (sum: Sum) =>
    sum.funding === null && context.withoutFunding.length > 0 ? null : result(sum.funding ?? ZERO, currency);
  return [
    numberColumn("Fills", ({ fills, untyped }) => count(fills + untyped)),
    numberColumn("Volume", ({ volume }) => money(volume, currency)),
    numberColumn("Fees less rebates", (sum) => money(feesOf(sum), currency)),
    ...(funding === null ? [] : [numberColumn<Sum>("Funding", fundingCell)]),
    numberColumn("Gross PnL", (sum) => knownResult(sum.gross, sum, currency), own),
    numberColumn("Fees on closed", (sum) => knownFees(sum.fees, sum, currency), own),
    numberColumn("Net PnL", (sum) => knownResult(netWithFunding(sum, context), sum, currency), own),
  ];
}

const LABELS = { maker: "Maker", taker: "Taker", other: "Not stated" } as const;

interface LiquidityRow extends Pick<Sum, "fills" | "volume" | "feesPaid" | "rebates"> {
  readonly key: string;
  readonly label: string;
}

function liquidityTable({ context }: View, { number, name, sum }: CurrencyView): Html {
  return listTable<LiquidityRow>({
    id: `liquidity-${number}`,
    caption: html`Maker and taker, ${symbol(name)}`,
    columns: [
      column("Liquidity", ({ label }) => label),
      numberColumn("Fills", ({ fills }) => count(fills)),
      numberColumn("Volume", ({ volume }) => money(volume, name)),
      numberColumn("Fees paid", ({ feesPaid }) => money(feesPaid, name)),
      numberColumn("Rebates", ({ rebates }) => money(rebates, name)),
      numberColumn("Fees less rebates", (row) => money(feesOf(row), name)),
      numberColumn("Basis points of volume", (row) => basisPoints(feesOf(row), row.volume)),
    ],
    items: LIQUIDITIES.map((key) => ({ key, label: LABELS[key], ...sum.byLiquidity[key] })),
    keyOf: ({ key }) => key,
    total: { key: "total", label: "Total", ...sum },
    note: html`${file(context, "fees.csv")} has these figures by month and market. Fills that cannot be read as a trade are not included.`,
  });
}

function reasonsOf({ kept }: View, { marketMonths }: CurrencyView): Html | null {
  const unknown = [...Map.groupBy(marketMonths, ({ market }) => market)].flatMap(([market, own]) => {
    const sum = sumOf(own);
    return isWhole(sum) ? [] : [{ market, sum }];
  });
  const { shown, left } = firstOf(unknown, MOST_REASONS);
  const lines = shown.map(({ market, sum }) => {
    const reasons = [...(kept.markets.get(market)?.blanks ?? [])].map((blank) => REASONS[blank].clause);
    const number = unknownIn(sum);
    return number === 0
      ? html`
<li>${symbol(market)}: ${REASONS.break_declared.clause}.</li>`
      : html`
<li>${symbol(market)}: PnL of ${counted(number, "fill")} could not be calculated, because ${reasons.join(" and ")}.</li>`;
  });
  return shown.length === 0
    ? null
    : html`
<p class="note">${PARTIAL_MEANS}</p>
<ul class="reasons">${lines}${
        left === 0
          ? null
          : html`
<li>And ${counted(left, "more market")}.</li>`
      }</ul>`;
}

const MOST_REASONS = 10;
