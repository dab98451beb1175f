import { feesOf, type Sum } from "../../../../accounting/aggregate.ts";
import { LIQUIDITIES } from "../../../../accounting/statement.ts";
import { count } from "../../../../core/text.ts";
import { type Html, html } from "../html.ts";
import { basisPoints, money } from "../numbers.ts";
import { byCurrency, file, type Section } from "../parts.ts";
import { numberColumn } from "../table.ts";
import type { View } from "../view.ts";
import { type Bars, type Breakdown, breakdownTable, chartPair } from "./breakdown.ts";

/** Fees and rebates as they happened, by month and by market. */
export function feesSection(view: View): Section {
  return {
    id: "fees",
    title: "Fees and rebates, excl. funding",
    body: html`
<p>Fees as the fills bear them, whenever what they opened was closed. A positive fee is read as paid, a negative one as a rebate. ${file(view.context, "fees.csv")} has them by month, market, maker and taker.</p>${activity(view, FEE_BARS, FEES)}`,
  };
}

/** How much was traded, as maker and as taker. */
export function volumeSection(view: View): Section {
  return {
    id: "volume",
    title: "Volume and fills, maker and taker",
    body: html`
<p>Volume is price × quantity, of buys and of sells.</p>${activity(view, VOLUME_BARS, VOLUME)}`,
  };
}

function activity(view: View, bars: Bars, breakdown: Breakdown): Html {
  return byCurrency(view, (currency) => [
    chartPair(view, currency, bars),
    breakdownTable(view, currency, breakdown, "month"),
    breakdownTable(view, currency, breakdown, "market"),
  ]);
}

const FEE_BARS: Bars = {
  name: "fees",
  title: "Fees and rebates",
  description:
    "Fees paid are orange with stripes, above or to the right of zero; rebates are blue, below or to the left of it.",
  partsOf: ({ feesPaid, rebates }) => [
    { value: feesPaid, fill: "orange" },
    { value: rebates, fill: "blue" },
  ],
  key: { "fees paid": "orange", rebates: "blue" },
};

const FEES: Breakdown = {
  name: "fees",
  title: "Fees and rebates",
  columns: [
    numberColumn<Sum>("Fees paid", ({ feesPaid }) => money(feesPaid)),
    numberColumn<Sum>("Rebates", ({ rebates }) => money(rebates)),
    numberColumn<Sum>("Fees less rebates", (sum) => money(feesOf(sum))),
    numberColumn<Sum>("Volume", ({ volume }) => money(volume)),
    numberColumn<Sum>("bp of volume", (sum) => basisPoints(feesOf(sum), sum.volume)),
  ],
  note: "bp of volume: fees less rebates in ten-thousandths of the volume, rounded to 2 places.",
};

const VOLUME_BARS: Bars = {
  name: "volume",
  title: "Volume",
  description:
    "Maker fills are blue, taker fills orange with stripes, others grey with dots, one after another in each bar.",
  partsOf: ({ byLiquidity }) => [
    { value: byLiquidity.maker.volume, fill: "blue" },
    { value: byLiquidity.taker.volume, fill: "orange" },
    { value: byLiquidity.other.volume, fill: "grey" },
  ],
  key: { maker: "blue", taker: "orange", other: "grey" },
};

const HEADS = { maker: "Maker", taker: "Taker", other: "Other" } as const;

const VOLUME: Breakdown = {
  name: "volume",
  title: "Fills and volume",
  columns: [
    ...LIQUIDITIES.map((one) => numberColumn<Sum>(HEADS[one], (sum) => count(sum.byLiquidity[one].fills), "Fills")),
    ...LIQUIDITIES.map((one) => numberColumn<Sum>(HEADS[one], (sum) => money(sum.byLiquidity[one].volume), "Volume")),
    numberColumn<Sum>("All", ({ volume }) => money(volume), "Volume"),
  ],
  note: "Other: the service does not say maker or taker. Fills that cannot be read as a trade are not counted here.",
};
