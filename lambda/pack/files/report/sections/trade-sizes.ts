import { magnitude } from "../../../../core/decimal.ts";
import { count, grouped } from "../../../../core/text.ts";
import { rowChart } from "../charts/bars.ts";
import { type Html, html, symbolText } from "../html.ts";
import { figure } from "../parts.ts";
import { DECADES, type KeptTrips } from "../shown-trades.ts";
import { see } from "../titles.ts";
import type { CurrencyView } from "../view.ts";

const EDGES = ["1", "10", "100", "1k", "10k", "100k", "1M"];

/** `10–100`, for a power of ten. */
export function sizeLabel(size: number): string {
  if (size === 0) {
    return "below 1";
  }
  return size === DECADES - 1 ? "1M and more" : `${EDGES[size - 1]}–${EDGES[size]}`;
}

/** Losses to the left of zero, gains to the right; one row for each size of trade. */
export function sizesChart(currency: CurrencyView, { gains, losses, even }: KeptTrips): Html {
  const unit = symbolText(currency.name);
  const title = `Closed trades by size of gross PnL, ${unit}, excl. funding`;
  const reach = (bySize: readonly number[]) => bySize.findLastIndex((number) => number > 0) + 1;
  const sizes = Array.from({ length: Math.max(reach(gains.bySize), reach(losses.bySize), 1) }, (_, size) => size);
  const drawn = rowChart({
    id: `sizes-chart-${currency.number}`,
    title,
    description: `One row for each size of PnL, by powers of ten: losses (orange with stripes) left of zero, gains (blue) right of zero. ${count(gains.count)} with a gain, ${count(losses.count)} with a loss, ${count(even)} at break-even. The table of closed trades has the counts.`,
    axis: `losses | gains: closed trades, by PnL in ${unit}`,
    format: (value) => grouped(magnitude(value).toString()),
    rows: sizes.map((size) => ({
      label: sizeLabel(size),
      parts: [
        { value: -BigInt(losses.bySize[size] ?? 0), fill: "orange" as const },
        { value: BigInt(gains.bySize[size] ?? 0), fill: "blue" as const },
      ],
    })),
  });
  return figure(drawn, title, html`<p class="note">See ${see("closed-trades")}.</p>`);
}
