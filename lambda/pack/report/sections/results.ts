import { type Cell, totalCell } from "../../../accounting/cube/cell.ts";
import { figureOf } from "../../../accounting/cube/figures.ts";
import { projected } from "../../../accounting/cube/project.ts";
import { lacksOf, type Scope, scopeOf } from "../../../accounting/cube/scopes.ts";
import { reasonText } from "../../../accounting/reasons.ts";
import { count, counted } from "../../../core/text.ts";
import { nameOf } from "../../make/given.ts";
import { figureCell, figureColumns } from "../figures.ts";
import { type Html, type HtmlValue, html, symbol } from "../html.ts";
import { firstOf } from "../limits.ts";
import { basisPoints } from "../numbers.ts";
import { byCurrency, file, isWhole, methodHead, PARTIAL_MEANS, type Section, WHOLE } from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";
import { fundingWords } from "../titles.ts";
import { type CurrencyView, unknownIn, type View } from "../view.ts";
import { marketSums, monthSums } from "./breakdown.ts";

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

interface Row {
  readonly key: string;
  readonly head: HtmlValue;
  readonly scope: Scope;
}

function breakdownTable({ context, ...view }: View, currency: CurrencyView, by: "month" | "market"): Html {
  const { shown, left, rest } = by === "month" ? monthSums({ context, ...view }, currency) : marketSums(currency);
  const rows = shown.map((scope): Row => {
    const { cell } = scope;
    const name =
      by === "month" ? (cell.month ?? "") : nameOf(context, { account: cell.account ?? "", market: cell.market ?? "" });
    return { key: name, head: by === "month" ? name : symbol(name), scope };
  });
  const others = { key: "others", scope: rest, head: `Other ${by}s (${count(left)})` };
  return listTable<Row>({
    id: `${by}s-${currency.number}`,
    caption: html`By ${by}, ${symbol(currency.name)}, net ${fundingWords(context)}`,
    columns: [
      column(by === "month" ? "Month" : "Market", ({ head }) => head),
      ...figureColumns(context, currency.name, methodHead(context)).map((one) => ({
        ...one,
        cell: ({ scope }: Row) => one.cell(scope),
      })),
    ],
    items: left === 0 ? rows : [...rows, others],
    keyOf: ({ key }) => key,
    total: { key: "total", head: "Total", scope: currency.scope },
    note: left === 0 ? null : html`${file(context, WHOLE[`${by}s`])} has every ${by}.`,
  });
}

const LABELS = { maker: "Maker", taker: "Taker", other: "Not stated" } as const;
const FEES = ["fills", "volume", "fees_paid", "rebates", "net_fees"] as const;

function liquidityTable({ context }: View, { number, name, cells, scope }: CurrencyView): Html {
  const kinds = new Map(projected(cells, ["kind"]).map((cell) => [cell.kind, cell]));
  const rowOf = (key: string, head: string, cell: Cell): Row => ({ key, head, scope: scopeOf(cell) });
  const typed = { ...scope.cell, untyped: 0, breaks: 0 };
  return listTable<Row>({
    id: `liquidity-${number}`,
    caption: html`Maker and taker, ${symbol(name)}`,
    columns: [
      column("Liquidity", ({ head }) => head),
      ...FEES.map((key) => numberColumn<Row>(figureOf(key).name, (row) => figureCell(key, row.scope, name))),
      numberColumn("Basis points of volume", ({ scope: { cell } }) =>
        basisPoints(cell.feesPaid.plus(cell.rebates), cell.volume),
      ),
    ],
    items: (["maker", "taker", "other"] as const).map((kind) =>
      rowOf(kind, LABELS[kind], kinds.get(kind) ?? totalCell([])),
    ),
    keyOf: ({ key }) => key,
    total: rowOf("total", "Total", typed),
    note: html`${file(context, "fees.csv")} has these figures by month and market. Fills that cannot be read as a trade are not included.`,
  });
}

function reasonsOf({ context }: View, { markets }: CurrencyView): Html | null {
  const unknown = markets.filter(({ cell }) => !isWhole(cell));
  const { shown, left } = firstOf(unknown, MOST_REASONS);
  const lines = shown.map(({ cell }) => {
    const name = symbol(nameOf(context, { account: cell.account ?? "", market: cell.market ?? "" }));
    const reasons = [...new Set(lacksOf(cell).map(reasonText))].join(" and ");
    const number = unknownIn(cell);
    return number === 0
      ? html`
<li>${name}: ${reasons}.</li>`
      : html`
<li>${name}: PnL of ${counted(number, "fill")} could not be calculated, because ${reasons}.</li>`;
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
