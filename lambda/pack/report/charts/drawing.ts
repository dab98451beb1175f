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

/** The filling of an area. Fillings differ in hue and in pattern. */
export type Fill = "blue" | "orange" | "grey";

export interface Frame {
  readonly id: string;
  readonly title: HtmlValue;
  readonly description: string;
  readonly width: number;
  readonly height: number;
}

/** A drawing with its title and description. */
export function drawing({ id, title, description, width, height }: Frame, body: readonly HtmlValue[]): Html {
  return html`<div class="drawing" role="group" aria-labelledby="${id}-title" tabindex="0"><svg viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${title}</title>
<desc id="${id}-desc">${description}</desc>
<defs>
<pattern id="${id}-orange" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="ground-orange" width="5" height="5"/><rect class="fill-orange" width="2.6" height="5"/></pattern>
<pattern id="${id}-grey" width="4" height="4" patternUnits="userSpaceOnUse"><rect class="ground-grey" width="4" height="4"/><circle class="fill-grey" cx="2" cy="2" r="1"/></pattern>
</defs>${body}
</svg></div>`;
}

export function rectangle(
  id: string,
  fill: Fill,
  { x, y, width, height }: Readonly<Record<"x" | "y" | "width" | "height", number>>,
): Html {
  return html`
<rect${fillOf(id, fill)} x="${x}" y="${y}" width="${width}" height="${height}"/>`;
}

export function area(id: string, fill: Fill, path: string): Html {
  return html`
<path${fillOf(id, fill)} d="${path}"/>`;
}

function fillOf(id: string, fill: Fill): Html {
  return fill === "blue" ? html` class="fill-blue"` : html` class="line-${fill}" fill="url(#${id}-${fill})"`;
}

export interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly anchor?: "start" | "middle" | "end";
  readonly kind?: "tick" | "axis" | "mark";
}

export function label({ x, y, text, anchor = "start", kind = "tick" }: Label): Html {
  return html`
<text class="${kind}" x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`;
}

/** Horizontal lines at the ticks of a vertical axis, their values at the left, and the zero line. */
export function grid(
  scale: Scale,
  {
    left,
    right,
    format,
  }: { readonly left: number; readonly right: number; readonly format: (value: Amount) => string },
): Html {
  const lines = scale.ticks.map((tick) => {
    const y = scale.place(tick);
    return html`
<path class="${tick.isZero() ? "zero" : "grid"}" d="M${left} ${y}H${right}"/>${label({
      x: left - 6,
      y: y + 3.5,
      text: format(tick),
      anchor: "end",
    })}`;
  });
  return html`${lines}`;
}

/** The positions of values on an axis. Values are exact, positions are not. */
export interface Scale {
  /** Round values on the axis. */
  readonly ticks: readonly Amount[];
  /** In the drawing's units, to a tenth. */
  place(value: Amount): number;
}

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

/** An axis extends beyond its values by this fraction of them. */
const PAD = wholeNumber(24);
/** The most places of an amount. */
const FINEST = 36;
/** An axis has some width, even without values. */
const SOME = tenTo(-FINEST);

/** More than the points of a drawing. */
const PARTS = wholeNumber(1_000_000);

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
