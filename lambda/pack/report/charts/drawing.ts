import type { Amount } from "../../../core/amount.ts";
import { type Html, type HtmlValue, html } from "../html.ts";
import type { Scale } from "./scale.ts";

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
