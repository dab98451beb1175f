import { type Amount, withSign, ZERO } from "../../core/amount.ts";
import type { Realised, RoundTrip } from "../booked.ts";
import type { Trade } from "../trade.ts";
import type { Kind, OpenCell, OpenMoney } from "./cell.ts";

export function kindOf({ fill: { liquidity } }: Trade): Kind {
  return liquidity === "maker" || liquidity === "taker" ? liquidity : "other";
}

export function addTrade(cell: OpenCell, { value, fee, sign }: Trade, isFollowed: boolean): void {
  cell.fills += 1;
  cell.volume = cell.volume.plus(value);
  if (!fee.isZero()) {
    const figure = fee.gt(ZERO) ? "feesPaid" : "rebates";
    cell[figure] = cell[figure].plus(fee);
    cell.charged += 1;
  }
  if (isFollowed) {
    cell.cashFlow = cell.cashFlow.minus(withSign(sign, value));
  }
}

export function addClose(cell: OpenCell, { gross, fees, matches, compared }: Realised): void {
  cell.closes += 1;
  cell.gross = cell.gross.plus(gross);
  cell.fees = cell.fees.plus(fees);
  if (gross.gt(ZERO)) {
    cell.wonCloses += 1;
    cell.won = cell.won.plus(gross);
  } else if (gross.lt(ZERO)) {
    cell.lostCloses += 1;
  }
  for (const match of matches) {
    const net = match.gross.minus(match.openFee).minus(match.closeFee);
    addNet(cell, net);
    cell.gainRows += net.gt(ZERO) ? 1 : 0;
    cell.lossRows += net.lt(ZERO) ? 1 : 0;
  }
  cell.comparedGross = cell.comparedGross.plus(compared.gross);
  cell.comparedFees = cell.comparedFees.plus(compared.fees);
}

export function addNet(money: OpenMoney, net: Amount): void {
  const figure = net.gt(ZERO) ? "gains" : "losses";
  money[figure] = money[figure].plus(net);
}

export function addTrip(cell: OpenCell, { gross }: RoundTrip): void {
  cell.trips += 1;
  cell.wonTrips += gross.gt(ZERO) ? 1 : 0;
  cell.lostTrips += gross.lt(ZERO) ? 1 : 0;
}
