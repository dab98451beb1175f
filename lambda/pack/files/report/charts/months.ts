const NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Mar` of `2025-03` */
export function monthName(month: string): string {
  return NAMES[Number(month.slice(5)) - 1] ?? month;
}

/** So many months have room for their names. */
const MOST_NAMES = 18;

/** Labels of months in order; the year is beneath the first one, and each January. Of a long time the years are labelled alone, each at its first month. */
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
