import type { UnknownReason } from "../../accounting/booked.ts";
import { type Border, carryOf } from "../../accounting/carried.ts";
import { totalCell } from "../../accounting/cube/cell.ts";
import type { Sums } from "../../accounting/cube/scopes.ts";
import type { Holding } from "../../accounting/holdings.ts";
import { METHOD_NAMES } from "../../accounting/method.ts";
import type { Posted } from "../../accounting/posted.ts";
import { type Amount, totalOf, withSign, ZERO } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import type { PackContext } from "../make/maker.ts";

/** Two figures that must be equal, calculated in different ways. */
export interface Control {
  readonly control: string;
  readonly account: string;
  readonly currency: string | null;
  readonly market: string | null;
  readonly method: string | null;
  /** What each side is, in words that lead to the columns. */
  readonly leftIs: string;
  readonly rightIs: string;
  /** The most that rounding explains between the sides. Absent: they are equal. */
  readonly within?: Amount;
  /** The two sides, amounts or numbers of fills; or why they cannot be compared. */
  readonly sides: { readonly left: Amount; readonly right: Amount } | { readonly reason: string };
}

/** Sums of the fills of an account's market, calculated independently of the accounts and the cube. */
export interface MarketSums {
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
type RealisedSums = Record<"gross" | "fees", Amount>;

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
    const { account, fill, trade, before, closeFee, openFee, blank, realised } = posted;
    const sums = getOrMake(this.#markets, keyOf(account, fill.market ?? ""), () => ({
      ...NO_FILLS,
      blanks: new Set<UnknownReason>(),
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
        total.fees = total.fees.plus(match.fees);
      }
    }
  }
}

function keyOf(account: string, name: string): string {
  return JSON.stringify([account, name]);
}

type Carried = Exclude<Border, { readonly lacks: unknown }>;

/** Of an account's market: its own sums of fills against the cube and the positions. */
export function marketControls(
  holding: Holding,
  { context, sums, fills }: { readonly context: PackContext; readonly sums: Sums; readonly fills: FillSums },
): Control[] {
  const { account, market, currency, before, after } = holding;
  const own = sums.cells.filter((cell) => cell.account === account && cell.market === market);
  /** The user declares that fills are missing within the period. */
  const isBroken = own.some(({ breaks }) => breaks > 0);
  const { gross, fees, feesPaid, rebates, declared } = totalCell(own.filter((cell) => cell.currency === currency));
  const charged = feesPaid.plus(rebates);
  const added = fills.market(holding) ?? NO_FILLS;
  const [start, end] = [carryOf(before), carryOf(after)];
  const [blank = before.blank ?? after.blank ?? "opening_unknown"] = added.blanks;
  const reason = isBroken ? "break_declared" : blank;
  const name = METHOD_NAMES[context.methods.primary];
  const files = `fills.csv${declared === 0 ? "" : " and in adjustments.csv (its trades of the period)"}`;
  const row = (
    [control, method]: readonly [name: string, method: string | null],
    leftIs: string,
    rightIs: string,
    sides: Sides | null,
  ): Control => ({
    ...{ control, account, currency, market, method, leftIs, rightIs },
    sides: sides ?? { reason: control === "open_lots" ? (after.blank ?? reason) : reason },
  });
  const carried = (sidesOf: (from: Carried, to: Carried) => Sides) =>
    isBroken || "lacks" in start || "lacks" in end || added.blanks.size > 0 ? null : sidesOf(start, end);
  const lots = totalOf(after.lots, ({ sign, quantity }) => withSign(sign, quantity));
  return [
    row(
      ["position", null],
      `position at the start, plus bought less sold quantity in ${files}`,
      "quantity in open-positions.csv",
      !isBroken && before.position !== null && added.isFollowed && after.position !== null
        ? { left: before.position.plus(added.bought).minus(added.sold), right: after.position }
        : null,
    ),
    row(
      ["fees_split", null],
      `fees of the closing parts plus fees of the opening parts, of all in ${files}`,
      "sum of fees_paid + rebates in summary-days.csv",
      added.isFollowed ? { left: added.feeParts, right: charged } : null,
    ),
    row(
      ["cash_flow", name],
      `value sold less value bought (quantity × price) in ${files}`,
      "sum of gross_pnl in summary-days.csv − open_value at the end + open_value at the start, by the method",
      carried((from, to) => ({ left: added.cash, right: gross.minus(to.openValue).plus(from.openValue) })),
    ),
    row(
      ["fees_carried", name],
      "deferred fees at the start + sum of fees_paid + rebates in summary-days.csv",
      "sum of fees_recognised in summary-days.csv + deferred_fee in open-positions.csv",
      carried((from, to) => ({ left: from.deferredFee.plus(charged), right: fees.plus(to.deferredFee) })),
    ),
    // Lots and positions are kept separately.
    row(
      ["open_lots", name],
      "sum of quantity in open-lots.csv",
      "quantity in open-positions.csv",
      after.blank === null && after.position !== null ? { left: lots, right: after.position } : null,
    ),
  ];
}

type Sides = Exclude<Control["sides"], { readonly reason: unknown }>;
