import type { WindowRecord } from "../archive/manifest-entries.ts";
import { overlaps } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { Knowledge } from "./knowledge.ts";

type Refutable = Pick<Knowledge, "datesTrusted" | "order" | "ties">;

/**
 * Whether what was covered by a window still counts: asked with dates only while they are trusted, ended by the order of rows only while that is not refuted, several
 * pages only while their cursors are not known to drop ties.
 */
export function stillCounts(
  { dated, ended, pages }: Pick<WindowRecord, "ended" | "pages"> & { readonly dated: boolean },
  { datesTrusted, order, ties }: Refutable,
): boolean {
  return dated === datesTrusted && !(ended === "order" && order.refuted) && !(dated && ties === "dropped" && pages > 1);
}

/** Which records of the archive do not count any more after what the run has found since the last commit; null: all of them do. */
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
