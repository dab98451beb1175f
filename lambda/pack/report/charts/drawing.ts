import {
  type Amount,
  divide,
  greatest,
  least,
  ONE,
  tenTo,
  wholeNumber,
  wholeQuotient,
  ZERO,
} from "../../../core/amount.ts";
import { type Html, type HtmlValue, html } from "../html.ts";

/** The width of a chart. Two fit side by side on a wide screen, and one on a phone. */
export const WIDTH = 430;
/** The room for the labels of a vertical axis, and above a plot. */
export const LEFT = 58;
export const HEAD = 34;

export interface Frame {
  readonly id: string;
  readonly title: HtmlValue;
  readonly description: string;
}

/** A drawing with its title and description. */
export function drawing({ id, title, description }: Frame, height: number, body: readonly HtmlValue[]): Html {
  return html`<div class="drawing" role="group" aria-labelledby="${id}-title" tabindex="0"><svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${title}</title>
<desc id="${id}-desc">${description}</desc>
<defs><pattern id="${id}-orange" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="ground-orange" width="5" height="5"/><rect class="fill-orange" width="2.6" height="5"/></pattern></defs>${body}
</svg></div>`;
}

/** The filling of an area above zero, or below it. They differ in hue and in pattern. */
export function filled(id: string, isLoss: boolean): Html {
  return isLoss ? html` class="line-orange" fill="url(#${id}-orange)"` : html` class="fill-blue"`;
}

export function label(
  x: number,
  y: number,
  text: string,
  { anchor = "start", kind = "tick" }: { readonly anchor?: "start" | "middle" | "end"; readonly kind?: string } = {},
): Html {
  return html`
<text class="${kind}" x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;
}

/** Horizontal lines at the ticks of a vertical axis, their values at the left, and the zero line. */
export function grid({ ticks, place }: Scale, right: number, format: (value: Amount) => string): Html {
  const lines = ticks.map((tick) => {
    const y = place(tick);
    return html`
<path class="${tick.isZero() ? "zero" : "grid"}" d="M${LEFT} ${y}H${right}"/>${label(LEFT - 6, y + 3.5, format(tick), { anchor: "end" })}`;
  });
  return html`${lines}`;
}

/** The positions of values on an axis. Values are exact, positions are not. */
export interface Scale {
  /** Round values on the axis. */
  readonly ticks: readonly Amount[];
  /** In the drawing's units, to a tenth. */
  place(this: void, value: Amount): number;
}

/** An axis extends beyond its values by this fraction of them. */
const PAD = wholeNumber(24);
/** The most places of an amount. */
const FINEST = 36;
/** An axis has some width, even without values. */
const SOME = tenTo(-FINEST);
/** More than the points of a drawing. */
const PARTS = wholeNumber(1_000_000);

/** An axis that includes zero and all values, from `start` (its low end) to `end` in the drawing. */
export function scaleOf(values: readonly Amount[], start: number, end: number, ticks = 5): Scale {
  const lowest = values.reduce(least, ZERO);
  const highest = values.reduce(greatest, ZERO);
  const width = highest.minus(lowest);
  const step = stepFor(width, ticks);
  const pad = divide(width, PAD, FINEST);
  const low = lowest.lt(ZERO) ? lowest.minus(pad) : ZERO;
  const high = highest.gt(ZERO) || lowest.isZero() ? highest.plus(pad).plus(SOME) : ZERO;
  const first = wholeQuotient(low, step);
  const count = width.isZero() ? 1 : Number(String(wholeQuotient(high, step).minus(first))) + 1;
  const partOf = (value: Amount) => wholeQuotient(value.minus(low).times(PARTS), high.minus(low));
  return {
    ticks: Array.from({ length: count }, (_, at) => first.plus(wholeNumber(at)).times(step)),
    place: (value) => tenth(start + (Number(String(partOf(value))) / Number(String(PARTS))) * (end - start)),
  };
}

export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** 1, 2 or 5 times a power of ten. */
function stepFor(width: Amount, ticks: number): Amount {
  const raw = wholeQuotient(width.times(tenTo(FINEST)), wholeNumber(ticks)).plus(ONE);
  const power = tenTo(String(raw).length - 1);
  const step = [1, 2, 5].map((times) => power.times(wholeNumber(times))).find((one) => one.gte(raw));
  return (step ?? power.times(tenTo(1))).times(SOME);
}
