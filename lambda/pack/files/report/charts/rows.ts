import { type Html, html } from "../html.ts";
import { drawing, type Frame, label, rectangle } from "./drawing.ts";
import { type Scale, scaleOf, tenth } from "./scale.ts";
import { type Part, reachOf, stacked } from "./stack.ts";

/** A bar that lies. */
export interface ChartRow {
  readonly label: string;
  readonly parts: readonly Part[];
}

export interface RowChart extends Omit<Frame, "height"> {
  readonly axis: string;
  readonly rows: readonly ChartRow[];
  readonly format: (value: bigint) => string;
}

const LEFT = 104;
const TOP = 24;
const ROW = 22;
const BAR = 13;
const BOTTOM = 22;
/** Letters of a label that there is room for. */
const LETTERS = 16;

export function rowChart({ rows, axis, format, ...frame }: RowChart): Html {
  const bottom = TOP + rows.length * ROW + 4;
  const reaches = rows.flatMap(({ parts }) => Object.values(reachOf(parts)));
  const scale = scaleOf(reaches, LEFT, frame.width - 16);
  const lines = scale.ticks.map((tick) => {
    const x = scale.place(tick);
    return html`
<path class="${tick === 0n ? "zero" : "grid"}" d="M${x} ${TOP}V${bottom}"/>${label({ x, y: bottom + 14, text: format(tick), anchor: "middle" })}`;
  });
  const bars = rows.map((row, at) => {
    const y = TOP + 5 + at * ROW;
    return [
      label({ x: LEFT - 8, y: y + BAR - 2.5, text: shortened(row.label), anchor: "end" }),
      bar(frame.id, row, y, scale),
    ];
  });
  return drawing({ ...frame, height: bottom + BOTTOM }, [
    label({ x: 0, y: 14, text: axis, kind: "axis" }),
    lines,
    bars,
  ]);
}

function bar(id: string, { parts }: ChartRow, y: number, scale: Scale): Html[] {
  return stacked(parts).map(({ fill, low, high }) => {
    const x = scale.place(low);
    return rectangle(id, fill, { x, y, width: Math.max(tenth(scale.place(high) - x), LEAST), height: BAR });
  });
}

/** What is not zero can be seen. */
const LEAST = 0.5;

function shortened(text: string): string {
  return text.length <= LETTERS ? text : `${text.slice(0, LETTERS - 1)}…`;
}
