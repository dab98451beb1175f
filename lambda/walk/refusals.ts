import type { OpenWindow, RangeLimits } from "../archive/manifest.ts";
import type { FillbookError } from "../core/errors.ts";
import { isWithin, overlaps } from "../core/ranges.ts";
import { HOUR_MS, MINUTE_MS, type TimeRange } from "../core/time.ts";

import { askedBy, MARGIN_MS, widened } from "./window.ts";

/** A refused range of this width is not divided any more. ms */
const NARROW_MS = MINUTE_MS;

/**
 * Ranges that the service refused in this run although it accepts others as wide: they are too old, too full,
 * or refused by mistake.
 */
export interface Refused {
  readonly ranges: readonly TimeRange[];
  /** The widest range within one of them that was accepted, ms. Null: none yet. */
  readonly takenMs: number | null;
  /**
   * How often a wider range was refused since the widest accepted one last grew. As many windows are asked
   * for at once.
   */
  readonly times: number;
}

export const NOTHING_REFUSED: Refused = { ranges: [], takenMs: null, times: 0 };

/** What a refusal of a window's dates means. */
export type Refusal =
  /** Every range of this width is refused. */
  | { readonly kind: "too-wide" }
  /** This range is refused; narrower ones may be accepted. */
  | { readonly kind: "narrower"; readonly refused: Refused }
  /** The range may be too narrow, so it is asked for with more time beside it. */
  | { readonly kind: "wider"; readonly window: OpenWindow }
  /** Refused at every width: the range is too old. */
  | { readonly kind: "too-old" };

/** Throws the service's error when it never accepted any dates and no narrower range is left to ask for. */
export function afterRefusedDates(
  window: OpenWindow,
  problem: FillbookError,
  refused: Refused,
  limits: RangeLimits | undefined,
): Refusal {
  const { from, to } = askedBy(window);
  const [widthMs, askedMs, acceptedMs] = [window.to - window.from, to - from, limits?.acceptedMs ?? 0];
  if (widthMs <= NARROW_MS) {
    const wider = [MINUTE_MS, HOUR_MS].find((ms) => askedMs < ms);
    if (wider !== undefined) {
      return { kind: "wider", window: widened(window, wider) };
    }
    if (acceptedMs === 0) {
      throw problem;
    }
    return { kind: "too-old" };
  }
  const isTried =
    (acceptedMs > 0 && widthMs > mostAsked(limits)) || widthMs > (refused.takenMs ?? Number.POSITIVE_INFINITY);
  if (!isTried && askedMs > acceptedMs) {
    return { kind: "too-wide" };
  }
  const ranges = [...refused.ranges, { from: window.from, to: window.to }];
  return {
    kind: "narrower",
    refused: isTried ? { ...refused, ranges, times: refused.times + 1 } : { ...refused, ranges, takenMs: null },
  };
}

/** The state after the service accepted a window's dates. `isWidest`: it had accepted none as wide. */
export function afterTakenDates(refused: Refused, { from, to }: TimeRange, isWidest: boolean): Refused {
  const isInside = refused.ranges.some((one) => isWithin(one, from));
  const isWider = isInside && to - from > (refused.takenMs ?? 0);
  const takenMs = isWider ? to - from : refused.takenMs;
  return isWidest || isWider ? { ...refused, takenMs, times: 0 } : refused;
}

/** Drops refusals that concern none of the gaps. */
export function refusedIn(refused: Refused, gaps: readonly TimeRange[]): Refused {
  return { ...refused, ranges: refused.ranges.filter((one) => gaps.some((gap) => overlaps(one, gap))) };
}

/** The widest window that the service is expected to accept, ms. */
export function mostAsked(limits: RangeLimits | undefined): number {
  const refusedMs = limits?.refusedMs ?? null;
  return refusedMs === null
    ? Number.POSITIVE_INFINITY
    : Math.max(1, Math.max(limits?.acceptedMs ?? 0, Math.floor(refusedMs / 2)) - 2 * MARGIN_MS);
}
