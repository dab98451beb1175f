import { isWhole, netOf, type Sum, sumOf } from "../../../../accounting/aggregate.ts";
import { formatAmount } from "../../../../accounting/amount.ts";
import { shownOrder } from "../../../../accounting/method.ts";
import { count, counted } from "../../../../core/text.ts";
import type { PackContext } from "../../../build/maker.ts";
import { columnChart } from "../charts/bars.ts";
import { WIDE } from "../charts/drawing.ts";
import { monthLabels } from "../charts/months.ts";
import { firstOf, unknownIn } from "../figures.ts";
import { type Html, html, outside, outsideText } from "../html.ts";
import { compact, glance } from "../numbers.ts";
import {
  BLANK_REASONS,
  byCurrency,
  figure,
  isUnknown,
  KNOWN_PART_MEANS,
  knownFees,
  knownResult,
  methodName,
  type Section,
  toneOf,
} from "../parts.ts";
import { numberColumn } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";
import { type Breakdown, breakdownTable, monthSums, type NamedSum } from "./breakdown.ts";
import { cumulativeFigure } from "./cumulative.ts";

/** Realised by month and by market. */
export function resultsSection(view: View): Section {
  const breakdown = breakdownOf(view.context);
  const body = byCurrency(view, (currency) => [
    monthChart(view, currency),
    breakdownTable(view, currency, breakdown, "month"),
    cumulativeFigure(view, currency),
    breakdownTable(view, currency, breakdown, "market"),
    reasonsOf(view, currency),
  ]);
  return { id: "results", title: "Realised by month and market, excl. funding", body };
}

function monthChart(view: View, currency: CurrencyView): Html {
  const { methods } = view.context;
  const months = monthSums(view, currency).shown;
  const labels = monthLabels(months.map(({ name }) => name));
  const unit = outsideText(currency.name);
  const title = `Realised by month, net of recognised fees, ${unit}, by ${methods.primary}, excl. funding`;
  const drawn = columnChart({
    id: `results-chart-${currency.number}`,
    title,
    description: `One bar a month: gains are blue and stand above the zero line, losses are orange with stripes and hang below it. ${describe(months)}`,
    width: WIDE,
    axis: unit,
    format: (value) => compact(formatAmount(value)),
    columns: months.map(({ sum }, at) => {
      const net = netOf(sum, "primary");
      return {
        label: "",
        ...labels[at],
        parts: isUnknown(sum) ? [] : [{ value: net, fill: toneOf(net) }],
        mark: isUnknown(sum) ? "?" : glance(formatAmount(net)),
      };
    }),
  });
  return figure(
    drawn,
    html`Realised by month, net of recognised fees, ${outside(currency.name)}, by ${methods.primary}, excl. funding`,
  );
}

function describe(months: readonly NamedSum[]): string {
  const up = months.filter(({ sum }) => netOf(sum, "primary") > 0n).length;
  const down = months.filter(({ sum }) => netOf(sum, "primary") < 0n).length;
  return `${counted(months.length, "month")}: ${up} with a gain, ${down} with a loss. The table beneath has the amounts.`;
}

function breakdownOf(context: PackContext): Breakdown {
  return {
    name: "results",
    title: "Realised",
    columns: [
      numberColumn<Sum>("Fills", ({ fills, untyped }) => count(fills + untyped)),
      ...shownOrder(context.methods).flatMap((role) => {
        const name = methodName(context, role);
        return [
          numberColumn<Sum>("Before fees", (sum) => knownResult(sum.gross[role], sum), name),
          numberColumn<Sum>("Fees recognised", (sum) => knownFees(sum.fees[role], sum), name),
          numberColumn<Sum>("Net of fees", (sum) => knownResult(netOf(sum, role), sum), name),
        ];
      }),
    ],
    note: "Fees recognised: those of what was closed, and its share of the opening fees. Section 4 has the fees as they were paid.",
  };
}

function reasonsOf({ kept }: View, { marketMonths }: CurrencyView): Html | null {
  const unknown = [...Map.groupBy(marketMonths, ({ market }) => market)].flatMap(([market, own]) => {
    const sum = sumOf(own);
    return isWhole(sum) ? [] : [{ market, number: unknownIn(sum) }];
  });
  const { shown, left } = firstOf(unknown, MOST_REASONS);
  const lines = shown.map(({ market, number }) => {
    if (number === 0) {
      return html`
<li>${outside(market)}: ${BLANK_REASONS.break_declared}.</li>`;
    }
    const blanks = [...(kept.markets.get(market)?.blanks ?? [])].map((blank) => BLANK_REASONS[blank]);
    return html`
<li>${outside(market)}: the result of ${counted(number, "fill")} is not known: ${blanks.join("; ")}.</li>`;
  });
  return shown.length === 0
    ? null
    : html`
<p class="note">${KNOWN_PART_MEANS}</p>
<ul class="reasons">${lines}${
        left === 0
          ? null
          : html`
<li>And ${counted(left, "more market")}.</li>`
      }</ul>`;
}

const MOST_REASONS = 20;
