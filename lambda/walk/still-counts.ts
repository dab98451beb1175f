import type { WindowRecord } from "../archive/manifest-entries.ts";
import { overlaps } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { Knowledge } from "./knowledge.ts";

type Refutable = Pick<Knowledge, "datesTrusted" | "order" | "ties">;

/**
 * Whether what a window covered still counts. A dated window counts while dates are trusted. A window that
 * ended by the order of rows counts while the order is not refuted. A window of several pages counts while
 * its cursors are not known to lose ties.
 */
export function stillCounts(
  { dated, ended, pages }: Pick<WindowRecord, "ended" | "pages"> & { readonly dated: boolean },
  { datesTrusted, order, ties }: Refutable,
): boolean {
  return dated === datesTrusted && !(ended === "order" && order.refuted) && !(dated && ties === "dropped" && pages > 1);
}

/**
 * Selects the archive's records that no longer count after what the run has found since the last commit.
 * Null: all of them count.
 */
export function distrustsAfter(
  before: Refutable,
  now: Refutable,
  doubted: readonly TimeRange[],
): ((window: WindowRecord) => boolean) | null {
  const { datesTrusted: dated, order, ties } = before;
  const isSame = dated === now.datesTrusted && order.refuted === now.order.refuted && ties === now.ties;
  return isSame && doubted.length === 0
    ? null
    : (window) => !stillCounts({ ...window, dated }, now) || doubted.some((one) => overlaps(one, window));
}
