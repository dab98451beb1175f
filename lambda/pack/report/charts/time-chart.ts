import { type Amount, ZERO } from "../../../core/amount.ts";
import type { Period } from "../../../core/period.ts";
import { DAY_MS } from "../../../core/time.ts";
import { type Html, html } from "../html.ts";
import { monthName } from "./bars.ts";
import { drawing, type Frame, filled, grid, HEAD, LEFT, label, type Scale, scaleOf, tenth, WIDTH } from "./drawing.ts";

interface Line {
  /** `area`: filled down or up to zero. */
  readonly kind: "strong" | "dashed" | "area";
  /** Each from its local day, `2025-03-01`, until the next one's. */
  readonly values: readonly { readonly day: string; readonly value: Amount }[];
}

interface TimeChart extends Frame {
  readonly period: Period;
  /** All months of the period: `2025-03`. */
  readonly months: readonly string[];
  /** Plots that share a time axis, one below another. */
  readonly panels: readonly { readonly axis: string; readonly height: number; readonly lines: readonly Line[] }[];
  readonly format: (value: Amount) => string;
}

const BOTTOM = 24;
/** The room for a date. */
const DATE_WIDTH = 48;
const MOST_DATES = 6;

export function timeChart({ period, months, panels, format, ...frame }: TimeChart): Html {
  const right = WIDTH - 14;
  const days = { from: dayNumber(period.firstDay), to: dayNumber(period.lastDay) + 1 };
  const across = (day: number) => tenth(LEFT + ((day - days.from) / (days.to - days.from)) * (right - LEFT));
  let bottom = 0;
  const plots = panels.map(({ axis, height, lines }) => {
    const top = bottom + HEAD;
    bottom = top + height;
    const values = lines.flatMap((line) => line.values.map(({ value }) => value));
    const scale = scaleOf(values, bottom, top, height < 80 ? 2 : 4);
    return [
      label(0, top - 12, axis, { kind: "axis" }),
      grid(scale, right, format),
      lines.map(({ kind, values: own }) => {
        const points = own.map(({ day, value }) => [across(dayNumber(day)), scale.place(value)] as const);
        return drawLine(frame.id, kind, points, across(days.to), scale);
      }),
    ];
  });
  const dates = dayTicks(days, months, MOST_DATES).map(({ day, text }) => {
    const x = across(day);
    const isLast = x > WIDTH - DATE_WIDTH;
    return html`
<path class="grid" d="M${x} ${bottom}v5"/>${label(isLast ? WIDTH : x + 2, bottom + 15, text, { anchor: isLast ? "end" : "start" })}`;
  });
  return drawing(frame, bottom + BOTTOM, [plots, dates]);
}

/** Draws steps: up or down on the day, level in between. `to`: where the last one ends. */
function drawLine(
  id: string,
  kind: Line["kind"],
  points: readonly (readonly [x: number, y: number])[],
  to: number,
  scale: Scale,
): Html {
  const [[x, y] = [0, 0], ...others] = points;
  const path = `V${y}${others.map(([across, down]) => `H${across}V${down}`).join("")}H${to}`;
  const zero = scale.place(ZERO);
  return kind === "area"
    ? html`
<path${filled(id, true)} d="M${x} ${zero}${path}V${zero}Z"/>`
    : html`
<path class="${kind}" d="M${x} ${y}${path}"/>`;
}

/** A local date as a number of days, for its position on an axis. */
function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY_MS;
}

const WEEK = 7;

/** The labels of a time axis of days `[from, to)`: by days, weeks, months or years, as they fit. */
function dayTicks(
  { from, to }: { readonly from: number; readonly to: number },
  months: readonly string[],
  most: number,
): { readonly day: number; readonly text: string }[] {
  if (to - from <= most * WEEK) {
    const step = to - from <= most ? 1 : WEEK;
    return Array.from({ length: Math.ceil((to - from) / step) }, (_, at) => {
      const day = from + at * step;
      return { day, text: new Date(day * DAY_MS).toISOString().slice(5, 10) };
    });
  }
  const every = Math.ceil(months.length / most);
  const labelled = months.filter((_, at) => at % every === 0);
  return labelled.map((month, at) => {
    const year = month.slice(0, 4);
    const text = labelled[at - 1]?.startsWith(year) ? monthName(month) : `${monthName(month)} ${year}`;
    return { day: Math.max(from, dayNumber(`${month}-01`)), text };
  });
}
