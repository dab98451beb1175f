import { type Html, html } from "../html.ts";
import { drawing, type Fill, type Frame, grid, label, rectangle, WIDTH } from "./drawing.ts";
import { type Scale, scaleOf, tenth } from "./scale.ts";

/** A part of a bar. */
export interface Part {
  readonly value: bigint;
  readonly fill: Fill;
}

interface Bar {
  /** Below the bar, or at its left. */
  readonly label: string;
  readonly parts: readonly Part[];
}

/** A vertical bar. */
interface ChartColumn extends Bar {
  /** Below the label. */
  readonly second?: string;
  /** At its end. */
  readonly mark?: string;
}

interface BarChart extends Omit<Frame, "width" | "height"> {
  readonly axis: string;
  readonly format: (value: bigint) => string;
}

/** The least length of a bar that is not zero, so that it is visible. */
const LEAST = 0.5;

const COLUMNS = { left: 58, top: 34, plot: 120, bottom: 36 } as const;
/** The room for a column's label, and for a mark. */
const LABEL_WIDTH = 28;
const MARK_WIDTH = 40;
const MARK_HEIGHT = 14;

export function columnChart({
  columns,
  axis,
  format,
  ...frame
}: BarChart & { readonly columns: readonly ChartColumn[] }): Html {
  const { left, top, plot, bottom } = COLUMNS;
  const right = WIDTH - 8;
  const slot = (right - left) / Math.max(columns.length, 1);
  const hasMarksBelow = columns.some(({ mark, parts }) => mark !== undefined && reachOf(parts).low < 0n);
  const scale = scaleOf(reachesOf(columns), top + plot - (hasMarksBelow ? MARK_HEIGHT : 0), top);
  const labelled = labelledColumns(columns, slot);
  const bars = columns.map((column, at) => {
    const start = left + at * slot;
    const middle = tenth(start + slot / 2);
    const [x, width, y] = [tenth(start + slot * 0.18), tenth(slot * 0.64), top + plot + 16];
    return [
      stacked(column.parts).map(({ fill, low, high }) => {
        const upper = scale.place(high);
        const height = Math.max(tenth(scale.place(low) - upper), LEAST);
        return rectangle(frame.id, fill, { x, y: upper, width, height });
      }),
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

function markOf({ parts, mark }: ChartColumn, x: number, scale: Scale): Html | null {
  if (mark === undefined) {
    return null;
  }
  const { low, high } = reachOf(parts);
  const y = low < 0n && high === 0n ? scale.place(low) + 12 : scale.place(high) - 5;
  return label({ x, y: tenth(y), text: mark, anchor: "middle", kind: "mark" });
}

const ROWS = { left: 104, top: 24, row: 19, bar: 12, bottom: 22 } as const;
/** Horizontal bars, one below another. There is room for labels of 16 letters. */
export function rowChart({ rows, axis, format, ...frame }: BarChart & { readonly rows: readonly Bar[] }): Html {
  const { left, top } = ROWS;
  const bottom = top + rows.length * ROWS.row + 4;
  const scale = scaleOf(reachesOf(rows), left, WIDTH - 16);
  const lines = scale.ticks.map((tick) => {
    const x = scale.place(tick);
    return html`
<path class="${tick === 0n ? "zero" : "grid"}" d="M${x} ${top}V${bottom}"/>${label({ x, y: bottom + 14, text: format(tick), anchor: "middle" })}`;
  });
  const bars = rows.map((row, at) => {
    const y = top + 5 + at * ROWS.row;
    return [
      label({ x: left - 8, y: y + ROWS.bar - 2.5, text: row.label, anchor: "end" }),
      stacked(row.parts).map(({ fill, low, high }) => {
        const x = scale.place(low);
        const width = Math.max(tenth(scale.place(high) - x), LEAST);
        return rectangle(frame.id, fill, { x, y, width, height: ROWS.bar });
      }),
    ];
  });
  return drawing({ ...frame, width: WIDTH, height: bottom + ROWS.bottom }, [
    label({ x: 0, y: 14, text: axis, kind: "axis" }),
    lines,
    bars,
  ]);
}

/** Stacks parts above zero upwards and parts below zero downwards. Parts of zero are left out. low < high */
function stacked(parts: readonly Part[]): { readonly fill: Fill; readonly low: bigint; readonly high: bigint }[] {
  let above = 0n;
  let below = 0n;
  return parts
    .filter(({ value }) => value !== 0n)
    .map(({ value, fill }) => {
      if (value > 0n) {
        above += value;
        return { fill, low: above - value, high: above };
      }
      below += value;
      return { fill, low: below, high: below - value };
    });
}

/** How far a bar reaches below and above zero. */
function reachOf(parts: readonly Part[]): { readonly low: bigint; readonly high: bigint } {
  const sum = (isMeant: (value: bigint) => boolean) =>
    parts.reduce((total, { value }) => (isMeant(value) ? total + value : total), 0n);
  return { low: sum((value) => value < 0n), high: sum((value) => value > 0n) };
}

function reachesOf(bars: readonly Bar[]): bigint[] {
  return bars.flatMap(({ parts }) => Object.values(reachOf(parts)));
}
