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
      const label = monthName(name);
      return isFirst ? { name, months: own, label, second: year } : { name, months: own, label };
    }),
  };
}
