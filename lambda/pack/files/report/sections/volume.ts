import type { Sum } from "../../../../accounting/aggregate.ts";
import { LIQUIDITIES } from "../../../../accounting/statement.ts";
import { count } from "../../../../core/text.ts";
import { html } from "../html.ts";
import { money } from "../numbers.ts";
import { byCurrency, type Section } from "../parts.ts";
import type { TableColumn } from "../table.ts";
import type { View } from "../view.ts";
import { type Bars, type Breakdown, chartPair, marketTable, monthTable } from "./breakdown.ts";

/** How much was traded, as maker and as taker. */
export function volumeSection(view: View): Section {
  return {
    id: "volume",
    title: "Volume and fills, maker and taker",
    body: html`
<p>Volume is price × quantity, of buys and of sells.</p>${byCurrency(view, (currency) => [
      chartPair(view, currency, BARS),
      monthTable(view, currency, BREAKDOWN),
      marketTable(view, currency, BREAKDOWN),
    ])}`,
  };
}

const BARS: Bars = {
  name: "volume",
  title: "Volume",
  description:
    "Maker fills are blue, taker fills orange with stripes, others grey with dots, one after another in each bar.",
  partsOf: ({ byLiquidity }: Sum) => [
    { value: byLiquidity.maker.volume, fill: "blue" },
    { value: byLiquidity.taker.volume, fill: "orange" },
    { value: byLiquidity.other.volume, fill: "grey" },
  ],
  key: { maker: "blue", taker: "orange", other: "grey" },
};

const COLUMNS: readonly TableColumn[] = [
  ...["Maker", "Taker", "Other"].map((head) => ({ head, group: "Fills", kind: "number" as const })),
  ...["Maker", "Taker", "Other", "All"].map((head) => ({ head, group: "Volume", kind: "number" as const })),
];

const BREAKDOWN: Breakdown = {
  name: "volume",
  title: "Fills and volume",
  columns: COLUMNS,
  cellsOf: ({ byLiquidity, volume }) => [
    ...LIQUIDITIES.map((liquidity) => count(byLiquidity[liquidity].fills)),
    ...LIQUIDITIES.map((liquidity) => money(byLiquidity[liquidity].volume)),
    money(volume),
  ],
  note: "Other: the service does not say maker or taker. Fills that cannot be read as a trade are not counted here.",
};
