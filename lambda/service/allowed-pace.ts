import { SECOND_MS } from "../model/time.ts";
import type { Pace } from "./pace.ts";

const LEAST_STOP_MS = 3 * SECOND_MS;

/**
 * A pace that also stops when the answers say that nothing is left, until they say there is more, instead of being refused. It never sends sooner than
 * `pace` does, and leaves the rate alone: what is left is used as fast as that allows. What headers say is believed as far as it can do no harm:
 *
 * - only a count that was seen to go down (others count something else, or nothing);
 * - only a stop of more than three seconds: headers have whole ones, and up to one more than needed is much of a shorter stop;
 * - only a stop that the run has time for (`mostWaitMs`): one that is longer is left to the service, which refuses if it means it.
 */
export function stoppingAtNone(pace: Pace, mostWaitMs: () => number): Pace {
  let last = { order: 0, remaining: 0, until: Number.NEGATIVE_INFINITY };
  let sends = 0;
  let counts = false;

  return {
    ...pace,
    waitMs(now) {
      const stopMs = stop(now);
      return stopMs > 0 ? stopMs : pace.waitMs(now);
    },
    hasRoom: (now) => stop(now) === 0 && pace.hasRoom(now),
    sent(now) {
      const sent = pace.sent(now);
      sends = sent.order;
      return sent;
    },
    answered(sent, now, allowance) {
      pace.answered(sent, now, allowance);
      if (allowance !== null && sent.order > last.order) {
        counts ||= allowance.remaining < last.remaining;
        const until = allowance.resetMs > LEAST_STOP_MS ? now + allowance.resetMs : Number.NEGATIVE_INFINITY;
        last = { order: sent.order, remaining: allowance.remaining, until };
      }
    },
  };

  function stop(now: number): number {
    const left = last.remaining - (sends - last.order);
    const stopMs = Math.max(0, last.until - now);
    return counts && left < 1 && stopMs <= mostWaitMs() ? stopMs : 0;
  }
}
