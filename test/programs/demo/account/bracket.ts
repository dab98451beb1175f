import type { Trader } from "./trader.ts";

/** A trade whose exits are set beforehand. */
export interface Bracket {
  /** 1 long, -1 short */
  readonly direction: 1 | -1;
  /** approximate amount, in the quote currency */
  readonly amount: number;
  /** Number of orders that open the trade, one per step. */
  readonly entries: number;
  /** Share of the entry orders that are filled as a maker's. */
  readonly patience: number;
  /** Distances from the first price, as shares of it. */
  readonly target: number;
  readonly stop: number;
  /** After this many steps, the trade is closed at the market price. */
  readonly steps: number;
}

/** Opens at a step and closes as the bracket says. Returns the first step after the trade. */
export function runBracket(trader: Trader, from: number, bracket: Bracket): number {
  const { direction, amount, entries } = bracket;
  const each = direction * trader.lotsFor(amount / entries, from);
  enter(trader, from, each, bracket);
  let step = from;
  while (trader.lots !== 0) {
    step += 1;
    if (!tryExit(trader, from, step, bracket) && step - from < entries) {
      enter(trader, step, each, bracket);
    }
  }
  return step + 1;
}

function enter(trader: Trader, step: number, lots: number, { patience }: Bracket): void {
  if (trader.draw.next() < patience) {
    trader.rest(step, lots);
  } else {
    trader.order(step, lots, "market");
  }
}

/**
 * Closes the position if an exit is reached. A stop or target is filled at its own price, which lies between
 * the prices of two steps.
 */
function tryExit(trader: Trader, from: number, step: number, { direction, target, stop, steps }: Bracket): boolean {
  const first = trader.price(from);
  const gain = direction * (trader.price(step) / first - 1);
  if (trader.isLiquidated(step)) {
    trader.close(step, "liquidation");
  } else if (gain <= -stop) {
    trader.close(step, "stop", first * (1 - direction * stop));
  } else if (gain >= target) {
    trader.close(step, "limit", first * (1 + direction * target));
  } else if (step - from >= steps) {
    trader.close(step, "market");
  }
  return trader.lots === 0;
}
