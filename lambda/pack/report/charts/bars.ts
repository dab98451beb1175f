import { type Amount, ZERO } from "../../../core/amount.ts";
import { type Html, html } from "../html.ts";
import { drawing, type Frame, filled, grid, HEAD, LEFT, label, scaleOf, tenth, WIDTH } from "./drawing.ts";

/** A vertical bar. */
interface Bar {
  readonly value: Amount;
  /** Below the bar. */
  readonly label: string;
  /** Below the label. */
  readonly second?: string;
  /** At its end. */
  readonly mark: string;
}

interface BarChart extends Frame {
  readonly axis: string;
  readonly format: (value: Amount) => string;
  readonly columns: readonly Bar[];
}

/** The least length of a bar that is not zero, so that it is visible. */
const LEAST = 0.5;
const PLOT = 120;
/** The room for a column's label, and for a mark. */
const LABEL_WIDTH = 28;
const MARK_WIDTH = 40;
const MARK_HEIGHT = 14;

export function columnChart({ columns, axis, format, ...frame }: BarChart): Html {
  const right = WIDTH - 8;
  const slot = (right - LEFT) / Math.max(columns.length, 1);
  const values = columns.map(({ value }) => value);
  const below = values.some((value) => value.lt(ZERO)) ? MARK_HEIGHT : 0;
  const scale = scaleOf(values, HEAD + PLOT - below, HEAD);
  const zero = scale.place(ZERO);
  let free = 0; // where the next label may begin
  const bars = columns.map(({ value, label: name, second = "", mark }, at) => {
    const start = at * slot;
    const middle = tenth(LEFT + start + slot / 2);
    const [end, isLoss] = [scale.place(value), value.lt(ZERO)];
    const bar = html`
<rect${filled(frame.id, isLoss)} x="${tenth(LEFT + start + slot * 0.18)}" y="${Math.min(zero, end)}" width="${tenth(slot * 0.64)}" height="${Math.max(tenth(Math.abs(zero - end)), LEAST)}"/>`;
    const texts = name !== "" && start >= free ? [name, second] : [];
    free = texts.length > 0 ? start + LABEL_WIDTH : free;
    return [
      value.isZero() ? null : bar,
      texts.map((text, line) =>
        text === "" ? null : label(middle, HEAD + PLOT + 16 + 12 * line, text, { anchor: "middle" }),
      ),
      slot >= MARK_WIDTH
        ? label(middle, tenth(isLoss ? end + 12 : end - 5), mark, { anchor: "middle", kind: "mark" })
        : null,
    ];
  });
  return drawing(frame, HEAD + PLOT + 36, [label(0, 14, axis, { kind: "axis" }), grid(scale, right, format), bars]);
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
