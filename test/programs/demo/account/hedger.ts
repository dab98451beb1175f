import { isWorkday, stepAt, weekdayOf } from "./calendar.ts";
import type { Trader } from "./trader.ts";

/**
 * A short position against coins held elsewhere, from day `from` to day `to`. If `to` is null, it stays open
 * beyond the end of the year.
 */
export interface Hedge {
  readonly from: number;
  readonly to: number | null;
  /** approximate amount, in the quote currency */
  readonly amount: number;
}

const MONDAY = 1;
const LAST_DAY = 364;
/** A hedge is not rebalanced if its difference to the amount is at most this share. */
const TOLERANCE = 0.06;

/** Sells over some hours, restores the amount of the hedge on Mondays, and buys back over some hours. */
export function hedge(trader: Trader, hedges: readonly Hedge[]): void {
  for (const { from, to, amount } of hedges) {
    sellOver(trader, from, amount);
    const lastDay = to ?? LAST_DAY;
    for (let day = from + 1; day < lastDay; day++) {
      if (weekdayOf(day) === MONDAY && isWorkday(day)) {
        rebalance(trader, stepAt(day, 14 + trader.draw.next()), amount);
      }
    }
    if (to !== null) {
      buyBackOver(trader, to);
    }
  }
}

const ORDERS = 8;
const STEPS_BETWEEN = 5;

function sellOver(trader: Trader, day: number, amount: number): void {
  const first = stepAt(day, 13.5);
  for (let order = 0; order < ORDERS; order++) {
    const step = first + order * STEPS_BETWEEN;
    trader.rest(step, -trader.lotsFor(amount / ORDERS, step));
  }
}

function rebalance(trader: Trader, step: number, amount: number): void {
  const wanted = -trader.lotsFor(amount, step);
  const missing = wanted - trader.lots;
  if (Math.abs(missing) > Math.abs(wanted) * TOLERANCE) {
    trader.rest(step, missing);
  }
}

function buyBackOver(trader: Trader, day: number): void {
  const first = stepAt(day, 13.5);
  const { clipLots } = trader.market;
  const each = Math.ceil(-trader.lots / ORDERS / clipLots) * clipLots;
  for (let order = 0; trader.lots < 0; order++) {
    trader.rest(first + order * STEPS_BETWEEN, Math.min(each, -trader.lots));
  }
}
