import { type Amount, ZERO } from "../../../core/amount.ts";
import type { Html } from "../html.ts";
import { toneOf } from "../parts.ts";
import { drawing, type Frame, grid, label, rectangle, WIDTH } from "./drawing.ts";
import { type Scale, scaleOf, tenth } from "./scale.ts";

/** A vertical bar. */
interface ChartColumn {
  readonly value: Amount;
  /** Below the bar. */
  readonly label: string;
  /** Below the label. */
  readonly second?: string;
  /** At its end. */
  readonly mark: string;
}

interface BarChart extends Omit<Frame, "width" | "height"> {
  readonly axis: string;
  readonly format: (value: Amount) => string;
  readonly columns: readonly ChartColumn[];
}

/** The least length of a bar that is not zero, so that it is visible. */
const LEAST = 0.5;

const COLUMNS = { left: 58, top: 34, plot: 120, bottom: 36 } as const;
/** The room for a column's label, and for a mark. */
const LABEL_WIDTH = 28;
const MARK_WIDTH = 40;
const MARK_HEIGHT = 14;

export function columnChart({ columns, axis, format, ...frame }: BarChart): Html {
  const { left, top, plot, bottom } = COLUMNS;
  const right = WIDTH - 8;
  const slot = (right - left) / Math.max(columns.length, 1);
  const values = columns.map(({ value }) => value);
  const hasMarksBelow = values.some((value) => value.lt(ZERO));
  const scale = scaleOf(values, top + plot - (hasMarksBelow ? MARK_HEIGHT : 0), top);
  const labelled = labelledColumns(columns, slot);
  const bars = columns.map((column, at) => {
    const start = left + at * slot;
    const middle = tenth(start + slot / 2);
    const [x, width, y] = [tenth(start + slot * 0.18), tenth(slot * 0.64), top + plot + 16];
    return [
      barOf(frame.id, column.value, scale, { x, width }),
      labelled.has(at) ? label({ x: middle, y, text: column.label, anchor: "middle" }) : null,
      labelled.has(at) && column.second !== undefined
        ? label({ x: middle, y: y + 12, text: column.second, anchor: "middle" })
        : null,
      slot >= MARK_WIDTH ? markOf(column, middle, scale) : null,
    ];
  });
  return drawing({ ...frame, width: WIDTH, height: top + plot + bottom }, [
    label({ x: 0, y: 14, text: axis, kind: "axis" }),
    grid(scale, { left, right, format }),
    bars,
  ]);
}

/** Zero has no bar. */
function barOf(
  id: string,
  value: Amount,
  scale: Scale,
  across: { readonly x: number; readonly width: number },
): Html | null {
  const [zero, end] = [scale.place(ZERO), scale.place(value)];
  const height = Math.max(tenth(Math.abs(zero - end)), LEAST);
  return value.isZero() ? null : rectangle(id, toneOf(value), { ...across, y: Math.min(zero, end), height });
}

/** The columns whose label fits beside the one before. */
function labelledColumns(columns: readonly ChartColumn[], slot: number): ReadonlySet<number> {
  const labelled = new Set<number>();
  let end = Number.NEGATIVE_INFINITY;
  for (const [at, { label: text }] of columns.entries()) {
    if (text !== "" && at * slot >= end) {
      labelled.add(at);
      end = at * slot + LABEL_WIDTH;
    }
  }
  return labelled;
}

function markOf({ value, mark }: ChartColumn, x: number, scale: Scale): Html {
  const y = value.lt(ZERO) ? scale.place(value) + 12 : scale.place(value) - 5;
  return label({ x, y: tenth(y), text: mark, anchor: "middle", kind: "mark" });
}
