import { type Amount, greatest, least, ZERO } from "../../core/amount.ts";
import { formatMinor } from "../../core/currency.ts";
import { type Html, html } from "./html.ts";
import { signed } from "./numbers.ts";

interface Bar {
  /** Below the bar, if there is room. */
  readonly label: string;
  readonly value: Amount;
}

interface BarChart {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly currency: string;
  readonly bars: readonly Bar[];
}

/** The size of a chart, and of its plot within. It fits on a phone. */
const [WIDTH, HEIGHT] = [430, 190];
const [TOP, BOTTOM] = [24, 160];
/** The most labels below the bars. */
const MOST_LABELS = 8;
/** The least height of a bar that is not zero, so that it is visible. */
const LEAST = 0.5;

/**
 * Bars above and below zero, between lines at the lowest and the highest value, which have their amounts. Amounts are
 * exact, positions are not.
 */
export function barChart({ id, title, description, currency, bars }: BarChart): Html {
  const values = bars.map(({ value }) => value);
  const [low, high] = [values.reduce(least, ZERO), values.reduce(greatest, ZERO)];
  const range = Number(String(high.minus(low))) || 1;
  const place = (value: Amount) => tenth(TOP + (Number(String(high.minus(value))) / range) * (BOTTOM - TOP));
  const slot = WIDTH / bars.length;
  const every = Math.ceil(bars.length / MOST_LABELS);
  const zero = place(ZERO);
  const lines = [high, low].map((value, at) => {
    const text = html`
<text x="0" y="${place(value) + (at === 0 ? -5 : 12)}">${signed(formatMinor(value, currency), value.gt(ZERO))}</text>`;
    return html`
<path class="grid" d="M0 ${place(value)}H${WIDTH}"/>${value.isZero() ? null : text}`;
  });
  const drawn = bars.map(({ label, value }, at) => {
    const [start, y] = [at * slot, place(value)];
    const bar = html`
<rect class="${value.lt(ZERO) ? "fill-orange" : "fill-blue"}" x="${tenth(start + slot * 0.18)}" y="${Math.min(zero, y)}" width="${tenth(slot * 0.64)}" height="${Math.max(tenth(Math.abs(zero - y)), LEAST)}"/>`;
    const text = html`
<text x="${tenth(start + slot * 0.18)}" y="${HEIGHT - 4}">${label}</text>`;
    return [value.isZero() ? null : bar, at % every === 0 ? text : null];
  });
  return html`
<figure><figcaption>${title}</figcaption><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${title}</title>
<desc id="${id}-desc">${description}</desc>${lines}${drawn}
<path class="zero" d="M0 ${zero}H${WIDTH}"/>
</svg></figure>`;
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
