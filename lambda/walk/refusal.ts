import type { FillbookError } from "../core/errors.ts";
import { halves, widthOf } from "../core/ranges.ts";
import { DAY_MS, HOUR_MS, type TimeRange } from "../core/time.ts";
import { type Refusal, refusedEverywhere, unread } from "./messages.ts";

/** What follows when a window cannot be read. Pure. */

/** The narrowest range that is asked for when the service refuses ranges, or rows in them, ms. */
export const NARROWEST_MS = HOUR_MS;
/** Below this width a range is not halved for any other reason, ms. */
export const FINEST_MS = 8;

export type Consequence =
  | { readonly kind: "halves"; readonly parts: readonly TimeRange[] }
  /** As wide a window was answered: are both halves refused, too? Then the older one is given up. */
  | { readonly kind: "probe"; readonly older: TimeRange; readonly newer: TimeRange }
  | { readonly kind: "failed"; readonly problem: FillbookError }
  /** Nothing more can be asked. */
  | { readonly kind: "stop"; readonly problem: FillbookError };

/** The narrowest window of each refusal, ms: it is not halved any more. */
const NARROWEST: Readonly<Record<Refusal["why"], number>> = {
  range: NARROWEST_MS,
  row: NARROWEST_MS,
  cursor: FINEST_MS,
  ties: FINEST_MS,
  long: FINEST_MS,
  endless: DAY_MS,
  ignored: Number.POSITIVE_INFINITY,
};

/** `widest`: the widest window that was answered, ms; 0: none was. */
export function afterRefusal(window: TimeRange, refusal: Refusal, widest: number): Consequence {
  const { why, problem } = refusal;
  if (widthOf(window) <= NARROWEST[why]) {
    const isNowhere = why === "range" && widest === 0;
    return isNowhere
      ? { kind: "stop", problem: refusedEverywhere(problem) }
      : { kind: "failed", problem: unread(window, refusal) };
  }
  const [older, newer] = halves(window);
  return why === "range" && problem?.kind !== "incomplete" && widthOf(window) <= widest
    ? { kind: "probe", older, newer }
    : { kind: "halves", parts: [newer, older] };
}
