const NAMES = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Mar` of `2025-03` */
export function monthName(month: string): string {
  return NAMES[Number(month.slice(5)) - 1] ?? month;
}

/** Labels of months that follow one another; the year is beneath the first one, and each January. */
export function monthLabels(months: readonly string[]): { readonly label: string; readonly second?: string }[] {
  return months.map((month, at) => {
    const label = monthName(month);
    return at === 0 || month.endsWith("-01") ? { label, second: month.slice(0, 4) } : { label };
  });
}
