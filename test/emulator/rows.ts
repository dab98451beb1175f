import { hash32, share } from "../support/prng.ts";
import { badRowText } from "./bad-rows.ts";
import type { History } from "./history.ts";
import type { BadRowKind, Switches } from "./switches.ts";
import type { CompletedOrder } from "./wire.ts";

/** When a row is asked for: time, and how many completed-orders requests came before and with this one. */
export interface Moment {
  readonly nowMs: number;
  readonly requests: number;
}

/** The account's rows as the service has them at a moment. */
export interface Rows {
  isVisible(index: number, moment: Moment): boolean;
  /** How long after its `txCreated` the row appears, ms. */
  delayMs(index: number): number;
  /** How the row is not as the interface says, or null. */
  badKind(index: number): BadRowKind | null;
  /** The row's JSON text. */
  text(index: number, moment: Moment): string;
}

export function createRows(history: History, seed: number, switches: () => Switches): Rows {
  const time = (index: number) => history.times[index] ?? 0;

  const lateRowsOf = (index: number) => {
    const late = switches().lateRows;
    return late === null || share(seed, index, 21) >= late.share ? null : late;
  };

  const delayMs = (index: number): number => share(seed, index, 22) * (lateRowsOf(index)?.maxDelayMs ?? 0);

  const isLate = (index: number, moment: Moment): boolean => {
    const late = lateRowsOf(index);
    return (
      late !== null && (moment.nowMs < time(index) + delayMs(index) || moment.requests < (late.afterRequests ?? 0))
    );
  };

  const isExpired = (index: number, moment: Moment): boolean => {
    const { retentionMs } = switches();
    return retentionMs !== null && time(index) < moment.nowMs - retentionMs;
  };

  const item = (index: number, moment: Moment): CompletedOrder => {
    const changing = switches().changingRows;
    const newest = history.item(index);
    if (changing === null || share(seed, index, 23) >= changing.share) {
      return newest;
    }
    const changed = hasChanged(changing, time(index), moment);
    if (changing.what === "content") {
      return changed ? { ...newest, fees: otherAmount(newest.fees) } : newest;
    }
    const { filledAt: _hidden, ...older } = newest;
    return changed ? { ...older, filledAt: history.hidden(index).filledAt } : older;
  };

  const badKind = (index: number): BadRowKind | null => {
    const bad = switches().badRows;
    if (bad === null || share(seed, index, 24) >= bad.share) {
      return null;
    }
    return bad.kinds[hash32(seed, index, 25) % bad.kinds.length] ?? null;
  };

  return {
    delayMs,
    isVisible: (index, moment) => !(isLate(index, moment) || isExpired(index, moment)),
    badKind,
    text: (index, moment) => {
      const kind = badKind(index);
      return kind === null ? JSON.stringify(item(index, moment)) : badRowText(item(index, moment), kind);
    },
  };
}

function hasChanged(changing: NonNullable<Switches["changingRows"]>, txCreated: number, moment: Moment): boolean {
  const { afterMs, afterRequests } = changing;
  const byTime = afterMs !== undefined && moment.nowMs >= txCreated + afterMs;
  return byTime || (afterRequests !== undefined && moment.requests >= afterRequests);
}

/** One more digit: another amount, near the first. */
function otherAmount(amount: string): string {
  return amount.includes(".") ? `${amount}7` : `${amount}.7`;
}
