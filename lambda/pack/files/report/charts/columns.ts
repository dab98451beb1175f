import type { Html } from "../html.ts";
import { drawing, type Frame, grid, label, rectangle } from "./drawing.ts";
import { type Scale, scaleOf, tenth } from "./scale.ts";
import { type Part, reachOf, stacked } from "./stack.ts";

/** A bar that stands upright. */
export interface ChartColumn {
  /** Beneath it; a second line where it is needed. */
  readonly label: string;
  readonly second?: string;
  readonly parts: readonly Part[];
  /** At its end. */
  readonly mark?: string;
}

export interface ColumnChart extends Omit<Frame, "height"> {
  readonly axis: string;
  readonly columns: readonly ChartColumn[];
  readonly format: (value: bigint) => string;
}

const LEFT = 58;
const TOP = 34;
const PLOT = 160;
const BOTTOM = 36;
/** Room for a label of a column, and for a mark. */
const LABEL_WIDTH = 24;
const MARK_WIDTH = 40;
const MARK_HEIGHT = 14;

export function columnChart({ columns, axis, format, ...frame }: ColumnChart): Html {
  const right = frame.width - 8;
  const slot = (right - LEFT) / Math.max(columns.length, 1);
  const reaches = columns.flatMap(({ parts }) => Object.values(reachOf(parts)));
  const hasMarksBelow = columns.some((column) => column.mark !== undefined && reachOf(column.parts).low < 0n);
  const scale = scaleOf(reaches, TOP + PLOT - (hasMarksBelow ? MARK_HEIGHT : 0), TOP);
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / slot));
  const bars = columns.map((column, at) => {
    const left = LEFT + at * slot;
    const middle = tenth(left + slot / 2);
    return [
      bar(frame.id, column, { x: tenth(left + slot * 0.18), width: tenth(slot * 0.64), scale }),
      at % every === 0 ? labels(column, middle) : null,
      slot >= MARK_WIDTH ? mark(column, middle, scale) : null,
    ];
  });
  return drawing({ ...frame, height: TOP + PLOT + BOTTOM }, [
    label({ x: 0, y: 14, text: axis, kind: "axis" }),
    grid(scale, { left: LEFT, right, format }),
    bars,
  ]);
}

function bar(
  id: string,
  { parts }: ChartColumn,
  { x, width, scale }: { readonly x: number; readonly width: number; readonly scale: Scale },
): Html[] {
  return stacked(parts).map(({ fill, low, high }) => {
    const y = scale.place(high);
    return rectangle(id, fill, { x, y, width, height: Math.max(tenth(scale.place(low) - y), LEAST) });
  });
}

/** What is not zero can be seen. */
const LEAST = 0.5;

function labels({ label: text, second }: ChartColumn, x: number): (Html | null)[] {
  const y = TOP + PLOT + 16;
  return [
    label({ x, y, text, anchor: "middle" }),
    second === undefined ? null : label({ x, y: y + 12, text: second, anchor: "middle" }),
  ];
}

function mark({ parts, mark: text }: ChartColumn, x: number, scale: Scale): Html | null {
  if (text === undefined) {
    return null;
  }
  const { low, high } = reachOf(parts);
  const y = low < 0n && high === 0n ? scale.place(low) + 12 : scale.place(high) - 5;
  return label({ x, y: tenth(y), text, anchor: "middle", kind: "mark" });
}
