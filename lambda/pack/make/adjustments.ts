import { clockText } from "../../core/clock-text.ts";
import type { Fill } from "../../core/fill.ts";
import type { Period } from "../../core/period.ts";
import { isWithin } from "../../core/ranges.ts";
import { counted, firstOf } from "../../core/text.ts";
import type { TimeRange } from "../../core/time.ts";
import { ADJUSTMENTS } from "../../inputs/files.ts";
import type { Adjustment } from "../../inputs/tables.ts";

/** The most trades of an account that are named one by one. */
const MOST = 20;

/** What tables show in place of the venue's order_id. */
const ORDER_ID = "adjustment";

/** The user's trades of a range as fills. Their match_id names the line. */
export function declaredFills(adjustments: readonly Adjustment[], range: TimeRange): Fill[] {
  return adjustments.filter(({ time }) => isWithin(range, time)).map(fillOf);
}

function fillOf({ market, time, side, quantity, price, fee, note, line }: Adjustment): Fill {
  return {
    matchId: `${ADJUSTMENTS}:${line}`,
    orderId: ORDER_ID,
    ...{ txCreated: time, filledAt: time, market, side },
    ...{ quantity: String(quantity), price: String(price), fee: String(fee) },
    ...{ liquidity: null, tradeType: null, fillType: null, triggerType: null, triggerPrice: null },
    ...{ transactionHash: null, extra: null, row: "", declared: note },
  };
}

/** What a reader must know first: sentences without their full stops. `since`: where the books begin. */
export function adjustmentNotes(adjustments: readonly Adjustment[], since: number, period: Period): string[] {
  const { from, to, zone } = period;
  const own = adjustments.filter(({ time }) => time >= Math.max(from, since) && time < to);
  const earlier = adjustments.filter(({ time }) => since <= time && time < from).length;
  const [late, lost] = [adjustments.filter(({ time }) => time >= to), adjustments.filter(({ time }) => time < since)];
  const rows = (count: number) => `${ADJUSTMENTS}: ${counted(count, "row")} ${count === 1 ? "is" : "are"}`;
  return [
    ...firstOf(
      own.map(
        ({ where, side, quantity, market, price, fee, time, note }) =>
          `a trade that the user declared, not a fill of the venue (${where}): ${side} ${quantity} ${market} at ${price}, fee ${fee}, ${clockText(time, zone)}${note.trim() === "" ? "" : `: ${note}`}`,
      ),
      MOST,
      (left) => `${counted(left, "more trade")} that the user declared in ${ADJUSTMENTS}`,
    ),
    ...(earlier > 0 ? [`${rows(earlier)} before the period and part of the positions at its start`] : []),
    ...(late.length > 0 ? [`${rows(late.length)} not used, being after the end of the period`] : []),
    ...(lost.length > 0
      ? [`${rows(lost.length)} not used, because the archive does not cover all of the time from then up to the period`]
      : []),
  ];
}
