import { runBracket } from "./bracket.ts";
import { hourOfStep, isWorkday, LAST_ENTRY_DAY, LAST_EXIT_DAY, STEPS_PER_DAY, stepAt } from "./calendar.ts";
import type { Trader } from "./trader.ts";

/** One or two trades a week, held for hours or days, with or against the move of the last three days. */
export function swing(trader: Trader, range: number, amount: number): void {
  const { draw } = trader;
  let free = stepAt(4, 0);
  for (let day = 4; day < LAST_ENTRY_DAY; day++) {
    const from = stepAt(day, 13 + 6 * draw.next());
    if (from < free || !isWorkday(day) || draw.next() < 0.6) {
      continue;
    }
    const move = trader.price(from) / trader.price(from - 3 * STEPS_PER_DAY) - 1;
    const isWithMove = draw.next() < 0.65;
    const left = stepAt(LAST_EXIT_DAY, 15) - from;
    free = runBracket(trader, from, {
      direction: move > 0 === isWithMove ? 1 : -1,
      amount: amount * (0.6 + 0.8 * draw.next()),
      entries: 1 + draw.int(3),
      patience: 0.6,
      target: range * (1 + draw.next()),
      stop: range * (0.6 + 0.5 * draw.next()),
      steps: Math.min(left, STEPS_PER_DAY * (1 + draw.int(5))),
    });
  }
}

/** Occasional small trades within a day, closed before funding is paid at 16:00. */
export function dayTrade(trader: Trader): void {
  const { draw } = trader;
  for (let day = 1; day < LAST_ENTRY_DAY; day++) {
    if (!isWorkday(day) || draw.next() < 0.85) {
      continue;
    }
    const from = stepAt(day, 13 + draw.next());
    runBracket(trader, from, {
      direction: draw.next() < 0.6 ? 1 : -1,
      amount: 2000 + 1000 * draw.int(5),
      entries: 1 + draw.int(2),
      patience: 0.5,
      target: 0.012,
      stop: 0.01,
      steps: 12 * (15 - hourOfStep(from)) + 6 - (from % 12),
    });
  }
}
