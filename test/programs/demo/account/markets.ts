import { MARKETS } from "../../../emulator/market-facts.ts";

/**
 * A market that the demo's account trades: the service's facts, and how its price moves with the other
 * markets.
 */
export interface TradedMarket {
  readonly name: string;
  /** approximate price on the first day */
  readonly firstPrice: number;
  /** digits after the decimal point of prices, quantities and fees */
  readonly priceDigits: number;
  readonly lotDigits: number;
  readonly feeDigits: number;
  /** in units of the last digit of a price */
  readonly tick: number;
  /** An order's size is a multiple of this many lots. Its fills may have any number of lots. */
  readonly clipLots: number;
  /** The market's share in the common move of all crypto markets. */
  readonly beta: number;
  /** Volatility of the market's own moves, as a share of the crypto factor's volatility. */
  readonly ownVolatility: number;
  /** distance from the middle to the best price of a side, as a share of the price */
  readonly halfSpread: number;
  /** The market whose price this one follows, with a small difference. */
  readonly follows?: string;
}

type Row = readonly [
  name: string,
  lotDigits: number,
  clipLots: number,
  beta: number,
  ownVolatility: number,
  halfSpread: number,
  follows?: string,
];

const ROWS: readonly Row[] = [
  ["BTC-USD", 3, 50, 1, 0.25, 0.0001],
  ["ETH-USD", 2, 50, 1.2, 0.45, 0.0001],
  ["SOL-USD", 1, 50, 1.4, 0.7, 0.000_15],
  ["BTC-USDT", 3, 20, 1, 0.25, 0.0001, "BTC-USD"],
  ["ETH-USDT", 2, 20, 1.2, 0.45, 0.0001, "ETH-USD"],
  ["XRP-USD", 0, 500, 1.1, 0.8, 0.0002],
  ["LTC-USDT", 2, 500, 1, 0.6, 0.0002],
  ["AVAX-USD", 1, 100, 1.4, 0.7, 0.0002],
  ["LINK-USD", 1, 250, 1.3, 0.7, 0.0002],
  ["DOGE-USD", 0, 1000, 1.3, 0.9, 0.0002],
  ["XAU-USD", 2, 50, 0, 0.4, 0.0001],
];

export const TRADED_MARKETS: readonly TradedMarket[] = ROWS.map(
  ([name, lotDigits, clipLots, beta, ownVolatility, halfSpread, follows]) => {
    const facts = MARKETS.find((market) => market.name === name);
    if (facts === undefined) {
      throw new RangeError(`the service has no market ${name}`);
    }
    const { price: firstPrice, priceDigits, tick, feeDigits } = facts;
    const own = { name, firstPrice, priceDigits, lotDigits, feeDigits, tick, clipLots };
    return { ...own, beta, ownVolatility, halfSpread, ...(follows === undefined ? {} : { follows }) };
  },
);

export function tradedMarket(name: string): TradedMarket {
  const market = TRADED_MARKETS.find((one) => one.name === name);
  if (market === undefined) {
    throw new RangeError(`the demo's account does not trade ${name}`);
  }
  return market;
}

/**
 * All markets of the demo's service, in the order of its specifications. Every fourth market from the second
 * on has no contract type (test/emulator/specifications.ts); the account does not trade these. The seventh,
 * DOGE-USD, is the only one that is not linear.
 */
export const SERVICE_MARKETS: readonly string[] = [
  ...["BTC-USD", "ADA-USD", "ETH-USD", "BTC-USDT", "SOL-USD", "DOT-USD", "DOGE-USD", "ETH-USDT", "XRP-USD"],
  ...["ATOM-USD", "AVAX-USD", "LINK-USD", "LTC-USDT", "NEAR-USD", "XAU-USD", "UNI-USDT", "1000PEPE-USD"],
  ...["BONK-USD", "SHIB-USDT", "MKR-USD"],
];
