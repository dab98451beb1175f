/**
 * Twenty markets in both quote currencies. The first ones have most of the volume. `price` is approximate, `quantity`
 * the usual size of a fill, `tick` in units of the last digit; `priceDigits` and `quantityDigits` are those after the
 * decimal point; `trims`: quantities are written without trailing zeros.
 */
export const MARKETS = (
  [
    ["BTC-USD", 60_000, 2, 50, 0.2, 4, 8, false],
    ["ETH-USD", 3000, 2, 10, 2, 4, 8, false],
    ["BTC-USDT", 60_100, 1, 5, 0.1, 8, 10, true],
    ["SOL-USD", 150, 3, 1, 20, 2, 6, false],
    ["ETH-USDT", 3005, 2, 1, 1, 18, 18, false],
    ["XRP-USD", 0.55, 5, 10, 2000, 0, 6, false],
    ["DOGE-USD", 0.12, 6, 1, 9000, 0, 8, false],
    ["AVAX-USD", 35, 3, 5, 40, 1, 6, false],
    ["LINK-USD", 14, 4, 1, 100, 2, 6, true],
    ["LTC-USDT", 80, 2, 1, 10, 3, 8, false],
    ["ADA-USD", 0.4, 5, 1, 5000, 1, 6, false],
    ["DOT-USD", 6, 4, 5, 200, 2, 6, false],
    ["ATOM-USD", 8, 4, 1, 150, 3, 8, true],
    ["NEAR-USD", 5, 4, 1, 300, 1, 6, false],
    ["UNI-USDT", 9, 3, 5, 90, 4, 12, false],
    ["1000PEPE-USD", 0.009, 8, 1, 200_000, 0, 10, false],
    ["SHIB-USDT", 0.000_021, 12, 100, 40_000_000, 0, 12, false],
    ["BONK-USD", 0.000_02, 15, 1, 5_000_000, 1, 18, false],
    ["MKR-USD", 2500, 1, 5, 0.05, 18, 18, false],
    ["XAU-USD", 2400, 2, 1, 0.01, 6, 8, false],
  ] as const
).map(([name, price, priceDigits, tick, quantity, quantityDigits, feeDigits, trims]) => ({
  name,
  price,
  priceDigits,
  tick,
  quantity,
  quantityDigits,
  feeDigits,
  trims,
}));

/** A market of the emulated service, and the form of its amounts. */
export type MarketFacts = (typeof MARKETS)[number];
