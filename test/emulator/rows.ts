import { hash32, share } from "../support/prng.ts";
import type { History } from "./history.ts";
import type { BadRowKind, Switches } from "./switches.ts";
import type { CompletedOrder } from "./wire.ts";

/**
 * The moment of a request: the time, and the number of completed-orders requests up to and including this
 * one.
 */
export interface Moment {
  readonly nowMs: number;
  readonly requests: number;
  /** The answer comes from a replica that is behind; default false. */
  readonly isBehind?: boolean;
}

export type Rows = ReturnType<typeof createRows>;

/** The account's rows as the service shows them at a moment. */
export function createRows(history: History, seed: number, switches: () => Switches) {
  const time = (index: number) => history.times[index] ?? 0;

  const lateRowsOf = (index: number) => {
    const late = switches().lateRows;
    return late === null || share(seed, index, 21) >= late.share ? null : late;
  };

  /** How long after its `txCreated` the row becomes visible, ms. */
  const delayMs = (index: number): number => share(seed, index, 22) * (lateRowsOf(index)?.maxDelayMs ?? 0);

  const isLate = (index: number, moment: Moment): boolean => {
    const late = lateRowsOf(index);
    return (
      late !== null && (moment.nowMs < time(index) + delayMs(index) || moment.requests < (late.afterRequests ?? 0))
    );
  };

  const isNotReplicated = (index: number, moment: Moment): boolean => {
    const { replicas } = switches();
    return (
      replicas !== null &&
      moment.isBehind === true &&
      (time(index) > moment.nowMs - (replicas.lagMs ?? 0) || share(seed, index, 27) < (replicas.lacks ?? 0))
    );
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
    return changed ? { ...older, filledAt: history.filledAt(index) } : older;
  };

  /** The row's defect, or null if the row is as the interface says. */
  const badKind = (index: number): BadRowKind | null => {
    const bad = switches().badRows;
    if (bad === null || share(seed, index, 24) >= bad.share) {
      return null;
    }
    return bad.kinds[hash32(seed, index, 25) % bad.kinds.length] ?? null;
  };

  /** Whether the row shows a time in whole seconds. */
  const isInSeconds = (index: number): boolean => share(seed, index, 26) < (switches().seconds ?? 0);

  const textOf = (index: number, shown: CompletedOrder): string => {
    const kind = badKind(index);
    return kind === null ? JSON.stringify(shown) : DEFECTS[kind](shown);
  };

  return {
    delayMs,
    isVisible: (index: number, moment: Moment) =>
      time(index) <= moment.nowMs && !(isLate(index, moment) || isNotReplicated(index, moment)),
    badKind,
    isInSeconds,
    /** Whether a replica that is behind answers the completed-orders request of this number. */
    isBehind(requests: number) {
      const { replicas } = switches();
      return replicas !== null && share(seed, requests, 28) < replicas.share;
    },
    /** The row's JSON text, as the service answers it. */
    text(index: number, moment: Moment) {
      const shown = item(index, moment);
      const txCreated = isInSeconds(index) ? Math.floor(shown.txCreated / 1000) : shown.txCreated;
      return textOf(index, { ...shown, txCreated });
    },
    /** The same text with times in ms, even where `seconds` shows whole seconds. */
    trueText: (index: number, moment: Moment) => textOf(index, item(index, moment)),
  };
}

function hasChanged(changing: NonNullable<Switches["changingRows"]>, txCreated: number, moment: Moment): boolean {
  const { afterMs, afterRequests } = changing;
  const byTime = afterMs !== undefined && moment.nowMs >= txCreated + afterMs;
  return byTime || (afterRequests !== undefined && moment.requests >= afterRequests);
}

/** Appends a digit, which gives a different amount close to the first. */
function otherAmount(amount: string): string {
  return amount.includes(".") ? `${amount}7` : `${amount}.7`;
}

/** The JSON text of a row with one defect of each kind. */
const DEFECTS: Readonly<Record<BadRowKind, (item: CompletedOrder) => string>> = {
  "no-match-id": ({ matchId: _, ...rest }) => JSON.stringify(rest),
  "no-order-id": ({ orderId: _, ...rest }) => JSON.stringify(rest),
  "tx-created-text": (item) => changed(item, { txCreated: String(item.txCreated) }),
  "not-an-object": (item) => JSON.stringify([item.matchId, item.orderId]),
  "price-number": (item) => inserted(item, "price", item.price),
  "price-null": (item) => changed(item, { price: null }),
  "price-exponent": (item) => changed(item, { price: "1.5e-7" }),
  "quantity-60-digits": (item) => changed(item, { quantity: `1${"0".repeat(29)}.${"1".repeat(30)}` }),
  "fees-words": (item) => changed(item, { fees: "none" }),
  "extra-fields": (item) => changed(item, { positionSide: "long", tags: ["a", { b: 1 }], note: "=1+1" }),
  "proto-key": (item) => inserted(item, "__proto__", '{"polluted":true}'),
  "number-1e400": (item) => inserted(item, "weight", "1e400"),
};

function changed(item: CompletedOrder, fields: object): string {
  return JSON.stringify({ ...item, ...fields });
}

/** Adds a field whose JSON text is given as it is, because `JSON.stringify` cannot write such a value. */
function inserted(item: CompletedOrder, name: string, text: string): string {
  const rest = Object.fromEntries(Object.entries(item).filter(([field]) => field !== name));
  return `${JSON.stringify(rest).slice(0, -1)},${JSON.stringify(name)}:${text}}`;
}
