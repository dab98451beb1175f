import { dayOfStep, hourOfStep, isWorkday, LAST_ENTRY_DAY, LAST_EXIT_DAY, STEPS_PER_HOUR, stepAt } from "./calendar.ts";
import type { Trader } from "./trader.ts";

const BAR = 4 * STEPS_PER_HOUR;
const ENTRY_BARS = 30;
const EXIT_BARS = 15;

export interface TrendPlan {
  /** approximate amount of a full position, in the quote currency */
  readonly amount: number;
  /** Distance of the stop from the price, as a share. */
  readonly stop: number;
  /** Whether a position that is open at the end of the year stays open. */
  readonly staysOpen: boolean;
}

/**
 * Opens in three orders when the price leaves the range of the last five days, and adds once. Closes when the
 * price leaves the range of the last two and a half days on the other side, or at its stop.
 */
export function followTrend(trader: Trader, plan: TrendPlan): void {
  const end = stepAt(LAST_EXIT_DAY, 17);
  const position = new TrendPosition(trader, plan);
  for (let step = ENTRY_BARS * BAR; step < end; step++) {
    position.act(step);
  }
  if (!plan.staysOpen) {
    trader.close(end, "market");
  }
}

class TrendPosition {
  readonly #trader: Trader;
  readonly #plan: TrendPlan;
  /** Lots of the orders that are still to come, one per step. */
  #waiting: number[] = [];
  /** The stop price. */
  #stop = 0;
  /** The price at which the position is increased; null: it was increased already. */
  #add: number | null = null;

  constructor(trader: Trader, plan: TrendPlan) {
    this.#trader = trader;
    this.#plan = plan;
  }

  act(step: number): void {
    const trader = this.#trader;
    const isOpen = trader.lots !== 0;
    if (isOpen && tryStop(trader, step, this.#stop)) {
      this.#waiting = [];
    } else if (this.#waiting.length > 0) {
      enter(trader, step, this.#waiting.shift() ?? 0);
    } else if (isOpen) {
      this.#manage(step);
    } else if (isBar(step) && isAtDesk(step)) {
      this.#open(step, breakout(trader, step, ENTRY_BARS));
    }
  }

  #open(step: number, direction: number): void {
    const { amount, stop } = this.#plan;
    const price = this.#trader.price(step);
    this.#waiting = thirds(this.#trader, step, direction * amount * (0.6 + 0.3 * this.#trader.draw.next()));
    this.#stop = price * (1 - direction * stop);
    this.#add = price * (1 + direction * stop);
  }

  #manage(step: number): void {
    const trader = this.#trader;
    const direction = Math.sign(trader.lots);
    const price = trader.price(step);
    if (isBar(step) && breakout(trader, step, EXIT_BARS) === -direction) {
      reduce(trader, step);
    } else if (this.#add !== null && direction * (price - this.#add) > 0) {
      this.#waiting = thirds(trader, step, direction * this.#plan.amount * 0.4);
      this.#stop = price * (1 - direction * this.#plan.stop);
      this.#add = null;
    }
  }
}

function isBar(step: number): boolean {
  return step % BAR === 0;
}

function isAtDesk(step: number): boolean {
  const hour = hourOfStep(step);
  const day = dayOfStep(step);
  return isWorkday(day) && hour >= 12 && hour <= 20 && day < LAST_ENTRY_DAY;
}

function tryStop(trader: Trader, step: number, stop: number): boolean {
  if (trader.isLiquidated(step)) {
    trader.close(step, "liquidation");
  } else if (Math.sign(trader.lots) * (trader.price(step) - stop) <= 0) {
    trader.close(step, "stop", stop);
  }
  return trader.lots === 0;
}

/** 1 if the price is above the range of the previous bars, -1 if below, else 0. */
function breakout(trader: Trader, step: number, bars: number): number {
  const before = Array.from({ length: bars }, (_, bar) => trader.price(step - (bar + 1) * BAR));
  const price = trader.price(step);
  return Number(price > Math.max(...before)) - Number(price < Math.min(...before));
}

function thirds(trader: Trader, step: number, amount: number): number[] {
  const lots = Math.sign(amount) * trader.lotsFor(Math.abs(amount) / 3, step);
  return lots === 0 ? [] : [lots, lots, lots];
}

function enter(trader: Trader, step: number, lots: number): void {
  if (trader.draw.next() < 0.4) {
    trader.rest(step, lots);
  } else {
    trader.order(step, lots, "market");
  }
}

/** Closes the position, or sometimes half of it first, and the rest when the price leaves the range again. */
function reduce(trader: Trader, step: number): void {
  const { clipLots } = trader.market;
  const half = Math.trunc(trader.lots / 2 / clipLots) * clipLots;
  if (trader.draw.next() < 0.3 && half !== 0) {
    trader.order(step, -half, "market");
  } else {
    trader.close(step, "market");
  }
}
