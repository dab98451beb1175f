import { type Html, html } from "../html.ts";
import type { DaySpan, DayTick } from "./days.ts";
import { area, drawing, type Frame, grid, label } from "./drawing.ts";
import { type Scale, scaleOf, tenth } from "./scale.ts";

/** A value holds from its day until the next one's; null: it is not known. */
export interface DayValue {
  /** As `dayNumber` gives it. */
  readonly day: number;
  readonly value: bigint | null;
}

export interface Line {
  /** `area`: down or up to zero. */
  readonly kind: "strong" | "dashed" | "area";
  readonly values: readonly DayValue[];
}

/** One of the plots that share a time axis, one beneath another. */
export interface Panel {
  readonly axis: string;
  readonly height: number;
  readonly lines: readonly Line[];
}

export interface TimeChart extends Omit<Frame, "height"> {
  readonly days: DaySpan;
  readonly ticks: readonly DayTick[];
  readonly panels: readonly Panel[];
  readonly format: (value: bigint) => string;
}

const LEFT = 58;
const HEAD = 34;
const BOTTOM = 24;
/** Room for a date. */
const DATE_WIDTH = 48;

export function timeChart({ days, ticks, panels, format, ...frame }: TimeChart): Html {
  const right = frame.width - 14;
  const across = (day: number) => tenth(LEFT + ((day - days.from) / (days.to - days.from)) * (right - LEFT));
  const tops = panels.map((_, at) => panels.slice(0, at).reduce((sum, { height }) => sum + height + HEAD, HEAD));
  const bottom = panels.reduce((sum, { height }) => sum + height + HEAD, 0);
  const plots = panels.map(({ axis, height, lines }, at) => {
    const top = tops[at] ?? HEAD;
    const values = lines.flatMap((line) => line.values.flatMap(({ value }) => (value === null ? [] : [value])));
    const scale = scaleOf(values, top + height, top, height < 80 ? 2 : 4);
    return [
      label({ x: 0, y: top - 12, text: axis, kind: "axis" }),
      grid(scale, { left: LEFT, right, format }),
      lines.map((line) => [
        unknownSpans(frame.id, line, { across, end: days.to, top, height }),
        drawLine(frame.id, line, { across, end: days.to, scale }),
      ]),
    ];
  });
  const dates = ticks.map(({ day, label: text }) => {
    const x = across(day);
    const isLast = x > frame.width - DATE_WIDTH;
    return html`
<path class="grid" d="M${x} ${bottom}v5"/>${label({ x: isLast ? frame.width : x + 2, y: bottom + 15, text, anchor: isLast ? "end" : "start" })}`;
  });
  return drawing({ ...frame, height: bottom + BOTTOM }, [plots, dates]);
}

interface Across {
  readonly across: (day: number) => number;
  readonly end: number;
}

/** Steps: up or down on the day, level in between. */
function drawLine(
  id: string,
  { kind, values }: Line,
  { across, end, scale }: Across & { readonly scale: Scale },
): Html[] {
  const zero = scale.place(0n);
  const known = runsOf(values, end).filter(({ isKnown }) => isKnown);
  return known.map(({ points, to }) => {
    const [first, ...others] = points;
    const start = across(first?.day ?? 0);
    const steps = others.map(({ day, value }) => `H${across(day)}V${scale.place(value ?? 0n)}`).join("");
    const path = `V${scale.place(first?.value ?? 0n)}${steps}H${across(to)}`;
    return kind === "area"
      ? area(id, "orange", `M${start} ${zero}${path}V${zero}Z`)
      : html`
<path class="${kind}" d="M${start} ${scale.place(first?.value ?? 0n)}${path}"/>`;
  });
}

function unknownSpans(
  id: string,
  { values }: Line,
  { across, end, top, height }: Across & { readonly top: number; readonly height: number },
): Html[] {
  return runsOf(values, end)
    .filter(({ isKnown }) => !isKnown)
    .map(({ points, to }) => {
      const [x, right] = [across(points[0]?.day ?? 0), across(to)];
      const middle = { x: tenth((x + right) / 2), y: top + height / 2 };
      const word =
        right - x < WORD_WIDTH ? null : label({ ...middle, text: "not known", anchor: "middle", kind: "mark" });
      return html`${area(id, "grey", `M${x} ${top}H${right}V${top + height}H${x}Z`)}${word}`;
    });
}

const WORD_WIDTH = 70;

interface Run {
  readonly isKnown: boolean;
  readonly points: DayValue[];
  /** The day that it ends before. */
  to: number;
}

/** Stretches of known values, and of ones that are not. */
function runsOf(values: readonly DayValue[], end: number): Run[] {
  const runs: Run[] = [];
  for (const [at, point] of values.entries()) {
    const isKnown = point.value !== null;
    const last = runs.at(-1);
    const run = last?.isKnown === isKnown ? last : { isKnown, points: [], to: end };
    run.points.push(point);
    run.to = values[at + 1]?.day ?? end;
    if (run !== last) {
      runs.push(run);
    }
  }
  return runs;
}
