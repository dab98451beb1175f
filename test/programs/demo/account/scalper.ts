import { runBracket } from "./bracket.ts";
import { isWorkday, LAST_ENTRY_DAY, stepAt } from "./calendar.ts";
import type { Trader } from "./trader.ts";

/** Approximately the move in a quarter of an hour, as a share. */
const RANGE = 0.0025;
/** The least difference to the leading market that is worth a trade, as a share. */
const WORTH = 0.0006;

/**
 * Some trades on most workdays, in New York's hours: against the difference to the leading market, usually as
 * a maker, and flat before the evening.
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
