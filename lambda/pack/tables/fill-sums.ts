import type { UnknownReason } from "../../accounting/booked.ts";
import type { Posted } from "../../accounting/posted.ts";
import { type Amount, withSign, ZERO } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";

/** Sums of the fills of an account's market, calculated independently of the accounts and the cube. */
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

/** Of a market without a fill. */
export const NO_FILLS = {
  ...{ bought: ZERO, sold: ZERO, cash: ZERO, feeParts: ZERO, isFollowed: true },
  blanks: new Set<UnknownReason>(),
};

/** The rows of realised-pnl.csv of an account in one currency. */
export interface RealisedSums {
  gross: Amount;
  fees: Amount;
}

/** Adds up the fills of each account. */
export class FillSums {
  readonly #markets = new Map<string, MarketSums>();
  readonly #realised = new Map<string, RealisedSums>();

  /** Undefined: it has no fill. */
  market(of: { readonly account: string; readonly market: string }): Readonly<MarketSums> | undefined {
    return this.#markets.get(keyOf(of.account, of.market));
  }

  realised(account: string, currency: string): Readonly<RealisedSums> {
    return this.#realised.get(keyOf(account, currency)) ?? { gross: ZERO, fees: ZERO };
  }

  add(posted: Posted): void {
    const { account, fill, time, trade, before, closeFee, openFee, blank, realised } = posted;
    const sums = getOrMake(this.#markets, keyOf(account, fill.market ?? ""), () => ({
      ...NO_FILLS,
      ...{ first: before, since: time, blanks: new Set<UnknownReason>() },
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
    if (realised !== null) {
      const total = getOrMake(this.#realised, keyOf(account, trade.currency), () => ({ gross: ZERO, fees: ZERO }));
      for (const match of realised.matches) {
        total.gross = total.gross.plus(match.gross);
        total.fees = total.fees.plus(match.openFee).plus(match.closeFee);
      }
    }
  }
}

function keyOf(account: string, name: string): string {
  return JSON.stringify([account, name]);
}
