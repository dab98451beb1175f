import { type Amount, ONE, ZERO } from "../../core/amount.ts";
import type { Realised, Result, RoundTrip } from "../booked.ts";
import type { Trade } from "../trade.ts";
import type { Kind, OpenCell, OpenMoney } from "./cell.ts";

export function kindOf({ fill: { liquidity, declared } }: Trade): Kind {
  if (declared !== undefined) {
    return "declared";
  }
  return liquidity === "maker" || liquidity === "taker" ? liquidity : "other";
}

/** What a fill's closes gave and what it cost, in one currency. */
export function addMoney(money: OpenMoney, results: readonly (Result | null)[], fee: Amount): void {
  for (const result of results) {
    if (result !== null) {
      money.gross = money.gross.plus(result.gross);
      money.fees = money.fees.plus(result.fees);
      if (!result.net.isZero()) {
        const [sum, rows] = result.net.gt(ZERO) ? (["gains", "gainRows"] as const) : (["losses", "lossRows"] as const);
        money[sum] = money[sum].plus(result.net);
        money[rows] = money[rows].plus(ONE);
      }
    }
  }
  if (!fee.isZero()) {
    const figure = fee.gt(ZERO) ? "feesPaid" : "rebates";
    money[figure] = money[figure].plus(fee);
  }
}

export function addTrade(cell: OpenCell, { value, fee }: Trade): void {
  cell.fills += 1;
  cell.declared += cell.kind === "declared" ? 1 : 0;
  cell.volume = cell.volume.plus(value);
  cell.charged += fee.isZero() ? 0 : 1;
}

export function addClose(cell: OpenCell, { gross, compared }: Realised): void {
  cell.closes += 1;
  if (gross.gt(ZERO)) {
    cell.wonCloses += 1;
    cell.won = cell.won.plus(gross);
  } else if (gross.lt(ZERO)) {
    cell.lostCloses += 1;
  }
  cell.comparedGross = cell.comparedGross.plus(compared.gross);
  cell.comparedFees = cell.comparedFees.plus(compared.fees);
}

export function addTrip(cell: OpenCell, { gross }: RoundTrip): void {
  cell.trips += 1;
  cell.wonTrips += gross.gt(ZERO) ? 1 : 0;
  cell.lostTrips += gross.lt(ZERO) ? 1 : 0;
}
