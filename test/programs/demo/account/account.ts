import { type History, historyOf } from "../../../emulator/history.ts";
import { hash32, prng } from "../../../support/prng.ts";
import { dayOf } from "./calendar.ts";
import { fillsOf } from "./fills.ts";
import { type FundingPayment, makeFunding } from "./funding.ts";
import { hedge } from "./hedger.ts";
import { SERVICE_MARKETS, tradedMarket } from "./markets.ts";
import { makePrices, type Prices, pricesOf } from "./prices.ts";
import { scalp } from "./scalper.ts";
import { dayTrade, swing } from "./swing-trader.ts";
import { Trader } from "./trader.ts";
import { followTrend } from "./trend-follower.ts";

/** The seed of the account that the demo shows. */
export const DEMO_SEED = 317;

export interface DemoAccount {
  readonly history: History;
  readonly funding: readonly FundingPayment[];
  /** Open positions at the end of the year, in lots, by market. */
  readonly open: ReadonlyMap<string, number>;
}

/**
 * Which strategy trades which market. Each market has one strategy, so that its position is easy to follow.
 */
const DESK: readonly (readonly [market: string, trade: (trader: Trader, prices: Prices) => void])[] = [
  ["BTC-USD", (trader) => followTrend(trader, { amount: 110_000, stop: 0.05, staysOpen: false })],
  ["ETH-USD", (trader) => followTrend(trader, { amount: 80_000, stop: 0.06, staysOpen: true })],
  ["SOL-USD", (trader) => followTrend(trader, { amount: 50_000, stop: 0.08, staysOpen: false })],
  ["BTC-USDT", (trader, prices) => scalp(trader, pricesOf(prices, "BTC-USD"))],
  ["ETH-USDT", (trader, prices) => scalp(trader, pricesOf(prices, "ETH-USD"))],
  ["XRP-USD", (trader) => swing(trader, 0.03, 24_000)],
  ["LTC-USDT", (trader) => swing(trader, 0.025, 20_000)],
  ["XAU-USD", (trader) => swing(trader, 0.012, 60_000)],
  [
    "AVAX-USD",
    (trader) =>
      hedge(trader, [
        { from: dayOf("2025-01-13"), to: dayOf("2025-04-24"), amount: 50_000 },
        { from: dayOf("2025-05-20"), to: dayOf("2025-09-23"), amount: 40_000 },
        { from: dayOf("2025-10-21"), to: null, amount: 45_000 },
      ]),
  ],
  [
    "LINK-USD",
    (trader) =>
      hedge(trader, [
        { from: dayOf("2025-02-11"), to: dayOf("2025-06-17"), amount: 30_000 },
        { from: dayOf("2025-07-15"), to: dayOf("2025-11-20"), amount: 30_000 },
      ]),
  ],
  ["DOGE-USD", dayTrade],
];

/**
 * A year of a plausible account: fills, funding and open positions at its end. The same seed gives the same
 * account on every machine.
 */
export function makeDemoAccount(seed: number): DemoAccount {
  const prices = makePrices(seed);
  const traders = DESK.map(([name, trade], index) => {
    const trader = new Trader(tradedMarket(name), pricesOf(prices, name), prng(hash32(seed, 4, index)));
    trade(trader, prices);
    return trader;
  });
  const orders = traders.flatMap((trader) => trader.orders);
  const fills = orders.flatMap((order, index) => fillsOf(order, hash32(seed, 5), index));
  const open = traders.filter(({ lots }) => lots !== 0).map(({ market, lots }) => [market.name, lots] as const);
  return {
    history: { ...historyOf(fills), markets: SERVICE_MARKETS },
    funding: makeFunding(orders, prices, hash32(seed, 6)),
    open: new Map(open),
  };
}
