import type { Opener } from "../../accounting/booked.ts";
import type { Fill } from "../../core/fill.ts";
import { clockText } from "../../core/period.ts";
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

/** By the ids of a fill, which are those that the user's trades have. */
export function isDeclared(of: Pick<Fill, "matchId" | "orderId"> | Opener | undefined): boolean {
  return of?.orderId === ORDER_ID && of.matchId?.startsWith(`${ADJUSTMENTS}:`) === true;
}

/** One sentence for each of the first trades, without its full stop. */
export function adjustmentNotes(adjustments: readonly Adjustment[], zone: string): readonly string[] {
  const texts = adjustments.map(
    ({ where, side, quantity, market, price, fee, time, note }) =>
      `A trade that the user declared, not a fill of the venue (${where}): ${side} ${quantity} ${market} at ${price}, fee ${fee}, ${clockText(time, zone)}${note.trim() === "" ? "" : `: ${note}`}`,
  );
  return firstOf(texts, MOST, (left) => `${counted(left, "more trade")} that the user declared in ${ADJUSTMENTS}`);
}
