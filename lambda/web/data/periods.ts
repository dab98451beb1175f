import { readPackName } from "../../core/period-name.ts";
import { compareText } from "../../core/text.ts";

/**
 * Sorts by end, newest first; then the longest period first; then by name. Names that state no time come
 * last.
 */
export function newestFirst<Named extends { readonly name: string }>(periods: readonly Named[]): Named[] {
  const times = periods.map((period) => ({ period, time: readPackName(period.name) ?? { from: "", to: "" } }));
  return times
    .sort(
      (a, b) =>
        compareText(b.time.to, a.time.to) ||
        compareText(a.time.from, b.time.from) ||
        compareText(a.period.name, b.period.name),
    )
    .map(({ period }) => period);
}
