import type { Booked, UnknownReason } from "../../accounting/booked.ts";
import { type Amount, withSign, ZERO } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";

/** Sums of one market's fills, calculated independently of the accounts and the statement. */
export interface MarketSums {
  /** The position before the first fill, signed. Null: not known. */
  readonly first: Amount | null;
  /** The time at which the first fill counts, ms UTC. */
  readonly since: number;
  bought: Amount;
  sold: Amount;
  /** Σ −side × quantity × price. */
  cash: Amount;
  /** The sum of the closing and opening parts of fees. */
  feeParts: Amount;
  /**
   * The reasons for which fills have no PnL, or would have none if they closed something, in order of
   * appearance.
   */
  readonly blanks: Set<UnknownReason>;
  /** True: the position was known before and after each fill. */
  isFollowed: boolean;
}

/** Adds up the fills of each market. */
export class FillSums {
  readonly #markets = new Map<string, MarketSums>();

  /** By market. */
  get markets(): ReadonlyMap<string, Readonly<MarketSums>> {
    return this.#markets;
  }

  add({ fill, time, trade, before, closeFee, openFee, blank }: Booked): void {
    const sums = getOrMake(this.#markets, fill.market ?? "", () => ({
      first: before,
      since: time,
      bought: ZERO,
      sold: ZERO,
      cash: ZERO,
      feeParts: ZERO,
      blanks: new Set(),
      isFollowed: true,
    }));
    if (blank !== null) {
      sums.blanks.add(blank);
    }
    if (trade === null || before === null) {
      sums.isFollowed = false;
      return;
    }
    const side = trade.sign === 1 ? "bought" : "sold";
    sums[side] = sums[side].plus(trade.quantity);
    sums.cash = sums.cash.minus(withSign(trade.sign, trade.value));
    sums.feeParts = sums.feeParts.plus(closeFee).plus(openFee);
  }
}
