const NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Mar` of `2025-03` */
export function monthName(month: string): string {
  return NAMES[Number(month.slice(5)) - 1] ?? month;
}

/** The most months whose names fit. */
const MOST_NAMES = 18;

/**
 * Labels of months in order. The year stands below the first one and below each January. In a long time only
 * years are labelled, each at its first month.
 */
export function monthLabels(months: readonly string[]): { readonly label: string; readonly second?: string }[] {
  return months.map((month, at) => {
    const year = month.slice(0, 4);
    const isFirst = !months[at - 1]?.startsWith(year);
    if (months.length > MOST_NAMES) {
      return { label: isFirst ? year : "" };
    }
    return isFirst ? { label: monthName(month), second: year } : { label: monthName(month) };
  });
}
