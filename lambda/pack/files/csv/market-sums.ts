import type { Amount } from "../../../accounting/amount.ts";
import type { Booked, UnknownReason } from "../../../accounting/booked.ts";

/** What the fills of one market add up to by themselves, apart from what the accounts and the statement make of them. */
export interface MarketSums {
  /** The position before the first fill, signed, × 10^18; null: not known. */
  readonly first: bigint | null;
  /** When the first fill counts, ms UTC. */
  readonly since: number;
  /** Σ side × quantity, × 10^18. */
  quantity: bigint;
  /** Σ −side × quantity × price. */
  cash: Amount;
  /** Σ of the closing and of the opening parts of fees. */
  feeParts: Amount;
  /** The first reason why a fill has no PnL, or would have none if it closed something. */
  blank: UnknownReason | null;
  /** The position was known before and after each fill. */
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
    const sums = this.#sumsOf(fill.market ?? "", before, time);
    sums.blank ??= blank;
    if (trade === null || before === null) {
      sums.isFollowed = false;
      return;
    }
    sums.quantity += trade.sign * trade.quantity;
    sums.cash -= trade.sign * trade.quantity * trade.price;
    sums.feeParts += closeFee + openFee;
  }

  #sumsOf(market: string, first: bigint | null, since: number): MarketSums {
    let sums = this.#markets.get(market);
    if (sums === undefined) {
      sums = { first, since, quantity: 0n, cash: 0n, feeParts: 0n, blank: null, isFollowed: true };
      this.#markets.set(market, sums);
    }
    return sums;
  }
}
