import { runBracket } from "./bracket.ts";
import { isWorkday, LAST_ENTRY_DAY, stepAt } from "./calendar.ts";
import type { Trader } from "./trader.ts";

/** About the move of a quarter of an hour. */
const RANGE = 0.0025;
/** As a share: a smaller difference to the leading market is not worth a trade. */
const WORTH = 0.0006;

/**
 * Some trades on most workdays, in the hours of New York: against the difference to the market that leads, as
 * a maker where that goes, flat before the evening.
 */
export function scalp(trader: Trader, leader: Float64Array): void {
  const { draw } = trader;
  for (let day = 0; day < LAST_ENTRY_DAY; day++) {
    if (!isWorkday(day) || draw.next() < 0.42) {
      continue;
    }
    const end = stepAt(day, 19 + draw.next());
    let step = stepAt(day, 13.5 + 1.5 * draw.next());
    while (step < end) {
      const difference = trader.price(step) / (leader[step] ?? 0) - 1;
      if (Math.abs(difference) < WORTH) {
        step += 1;
        continue;
      }
      step = runBracket(trader, step, {
        direction: difference > 0 ? -1 : 1,
        amount: 12_000 + 4000 * draw.int(6),
        entries: 1,
        patience: 0.85,
        target: RANGE * (0.8 + 0.6 * draw.next()),
        stop: RANGE * (0.8 + 0.6 * draw.next()),
        steps: 6 + draw.int(10),
      });
      step += 8 + draw.int(28);
    }
  }
}
