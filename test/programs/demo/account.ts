import { type Amount, fixed, rounded, ZERO } from "../../../lambda/core/amount.ts";
import { historyItems, historyOf, MARKETS, type MarketFacts, makeHistory } from "../../emulator/history.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import { exactly } from "../../support/amounts.ts";

/** Within the year, wherever it begins. */
const YEAR = { from: Date.UTC(2025, 0, 2), to: Date.UTC(2025, 11, 20) };
const FILLS = 9000;

/**
 * All markets of the demo's service, in the order of its specifications. Every fourth market from the second on
 * has no contract type (test/emulator/other-endpoints.ts); the account does not trade these. The seventh,
 * DOGE-USD, is the only one that is not linear.
 */
const SERVICE_MARKETS: readonly string[] = [
  ...["BTC-USD", "ADA-USD", "ETH-USD", "BTC-USDT", "SOL-USD", "DOT-USD", "DOGE-USD", "ETH-USDT", "XRP-USD"],
  ...["ATOM-USD", "AVAX-USD", "LINK-USD", "LTC-USDT", "NEAR-USD", "XAU-USD", "UNI-USDT", "1000PEPE-USD"],
  ...["BONK-USD", "SHIB-USDT", "MKR-USD"],
];

/** A taker pays 0.05 % of the notional; a maker receives 0.01 %. */
const [TAKER_FEE, MAKER_FEE] = [exactly("0.0005"), exactly("-0.0001")];

/**
 * A year of the emulator's fills in ten markets, in sizes that a person trades. In each market one order opens a
 * position, and the next one closes it.
 */
export function makeDemoAccount() {
  const drawn = makeHistory({
    ...{ ...YEAR, seed: 303, fills: FILLS, markets: 10, filledAt: "all" },
    ...{ ties: 0, selfTrades: 0, unlisted: 0, boundaries: false },
  });
  const orders = Map.groupBy(historyItems(drawn), ({ orderId }) => orderId);
  const open = new Map<string, Amount>();
  const fills = [...orders.values()].flatMap((own) => traded(own, open));
  return {
    history: { ...historyOf(fills), markets: SERVICE_MARKETS },
    /** Open positions at the end of the year, by market. */
    open: new Map([...open].filter(([, position]) => !position.isZero())),
  };
}

/** An order's fills, which open a position, or close the one that is open. */
function traded(fills: readonly CompletedOrder[], open: Map<string, Amount>): CompletedOrder[] {
  const { market, orderType } = fills[0] as CompletedOrder;
  const { quantity: usual, quantityDigits, feeDigits } = factsOf(market);
  const before = open.get(market) ?? ZERO;
  const isOpening = before.isZero();
  const isBuy = isOpening ? orderType === "buy" : before.lt(ZERO);
  let [done, left] = [ZERO, before.abs()];
  const own = fills.flatMap((fill, at) => {
    const size = exactly((usual * (0.5 + (fill.txCreated % 100) / 100)).toFixed(Math.min(quantityDigits, 8)));
    const part = isOpening || (left.gt(size) && at < fills.length - 1) ? size : left;
    done = done.plus(part);
    left = left.minus(part);
    const fee = exactly(fill.price)
      .times(part)
      .times(fill.executionType === "maker" ? MAKER_FEE : TAKER_FEE);
    const fees = fixed(rounded(fee, feeDigits), feeDigits);
    return part.isZero() ? [] : [{ ...fill, orderType: isBuy ? "buy" : "sell", quantity: String(part), fees }];
  });
  open.set(market, before.plus(isBuy ? done : done.neg()));
  return own;
}

function factsOf(market: string): MarketFacts {
  const facts = MARKETS.find(({ name }) => name === market);
  if (facts === undefined) {
    throw new RangeError(`the service has no market ${market}`);
  }
  return facts;
}
