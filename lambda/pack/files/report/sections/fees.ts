import { feesOf, type Sum } from "../../../../accounting/aggregate.ts";
import { html } from "../html.ts";
import { basisPoints, money } from "../numbers.ts";
import { byCurrency, file, numbers, type Section } from "../parts.ts";
import type { View } from "../view.ts";
import { type Bars, type Breakdown, chartPair, marketTable, monthTable } from "./breakdown.ts";

/** Fees and rebates as they happened, by month and by market. */
export function feesSection(view: View): Section {
  return {
    id: "fees",
    title: "Fees and rebates, excl. funding",
    body: html`
<p>Fees as the fills bear them, whenever what they opened was closed. A positive fee is read as paid, a negative one as a rebate. ${file(view.context, "fees.csv")} has them by month, market, maker and taker.</p>${byCurrency(
      view,
      (currency) => [
        chartPair(view, currency, BARS),
        monthTable(view, currency, BREAKDOWN),
        marketTable(view, currency, BREAKDOWN),
      ],
    )}`,
  };
}

const BARS: Bars = {
  name: "fees",
  title: "Fees and rebates",
  description:
    "Fees paid are orange with stripes, above or to the right of zero; rebates are blue, below or to the left of it.",
  partsOf: ({ feesPaid, rebates }: Sum) => [
    { value: feesPaid, fill: "orange" },
    { value: rebates, fill: "blue" },
  ],
  key: { "fees paid": "orange", rebates: "blue" },
};

const BREAKDOWN: Breakdown = {
  name: "fees",
  title: "Fees and rebates",
  columns: numbers("Fees paid", "Rebates", "Fees less rebates", "Volume", "bp of volume"),
  cellsOf: (sum) => {
    const fees = feesOf(sum);
    return [money(sum.feesPaid), money(sum.rebates), money(fees), money(sum.volume), basisPoints(fees, sum.volume)];
  },
  note: "bp of volume: fees less rebates in ten-thousandths of the volume, rounded to 2 places.",
};
