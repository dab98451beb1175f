import { type Amount, ZERO } from "../../../core/amount.ts";
import type { Html } from "../html.ts";
import { drawing, type Frame, grid, label, rectangle, type Scale, scaleOf, tenth, WIDTH } from "./drawing.ts";

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
  return value.isZero()
    ? null
    : rectangle(id, value.lt(ZERO) ? "orange" : "blue", { ...across, y: Math.min(zero, end), height });
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

const NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Mar` of `2025-03` */
export function monthName(month: string): string {
  return NAMES[Number(month.slice(5)) - 1] ?? month;
}

/** The most columns of a chart: more would be too thin to see. */
const MOST_COLUMNS = 60;
/** The most months whose names fit. */
const MOST_NAMES = 18;

export interface TimeColumns {
  /** What one column stands for. */
  readonly unit: "month" | "quarter" | "year";
  readonly columns: readonly TimeColumn[];
}

export interface TimeColumn {
  /** `2025-03`, `2025-Q1` or `2025` */
  readonly name: string;
  /** In order. */
  readonly months: readonly string[];
  readonly label: string;
  /** Below the label. */
  readonly second?: string;
}

const NAME_OF: Readonly<Record<TimeColumns["unit"], (month: string) => string>> = {
  month: (month) => month,
  quarter: (month) => `${month.slice(0, 4)}-Q${Math.ceil(Number(month.slice(5)) / 3)}`,
  year: (month) => month.slice(0, 4),
};

/**
 * The columns of a chart over months that are in order: quarters or years where there are too many months.
 * The year stands below the first month and below each January. In a long time only years are labelled, each
 * at its first column.
 */
export function timeColumns(months: readonly string[]): TimeColumns {
  const grouped = (by: TimeColumns["unit"]) => [...Map.groupBy(months, NAME_OF[by])];
  const isFew = (by: TimeColumns["unit"]) => grouped(by).length <= MOST_COLUMNS;
  const unit = (["month", "quarter"] as const).find(isFew) ?? "year";
  const groups = grouped(unit);
  return {
    unit,
    columns: groups.map(([name, own], at) => {
      const year = name.slice(0, 4);
      const isFirst = !groups[at - 1]?.[0].startsWith(year);
      if (unit !== "month" || groups.length > MOST_NAMES) {
        return { name, months: own, label: isFirst ? year : "" };
      }
      return { name, months: own, label: monthName(name), ...(isFirst ? { second: year } : {}) };
    }),
  };
}
