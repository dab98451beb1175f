import { HOUR_MS, isoTime } from "../../../../lambda/core/time.ts";
import { rational } from "../../../accounting/rational.ts";
import { hash32, type Prng, prng } from "../../../support/prng.ts";
import { STEPS, STEPS_PER_HOUR, YEAR_FROM_MS } from "./calendar.ts";
import { decimalText, nearestText } from "./fills.ts";
import { type Prices, pricesOf } from "./prices.ts";
import type { Order } from "./trader.ts";

const INTERVAL_HOURS = 8;
const INTERVAL_STEPS = INTERVAL_HOURS * STEPS_PER_HOUR;
/** Rates are in units of 10^-6: 100 is 0.01 %. */
const RATE_DIGITS = 6;
/** The interest component of the usual funding formula of perpetuals, per eight hours. */
const USUAL_RATE = 100;
const HIGHEST_RATE = 750;
const AMOUNT_DIGITS = 8;

export interface FundingPayment {
  readonly time: number;
  readonly market: string;
  /** Positive when received. */
  readonly amount: string;
  readonly currency: string;
  readonly source: string;
}

/**
 * The funding payments, every eight hours while a position is open, sorted by time, then market. At a
 * positive rate, longs pay shorts.
 */
export function makeFunding(orders: readonly Order[], prices: Prices, seed: number): FundingPayment[] {
  const payments: FundingPayment[] = [];
  const byMarket = Map.groupBy(orders, ({ market }) => market);
  for (const [index, [market, own]] of [...byMarket].entries()) {
    const rates = makeRates(prng(hash32(seed, index)));
    const path = pricesOf(prices, market.name);
    const waiting = own.toSorted((a, b) => a.step - b.step);
    let lots = 0;
    for (let step = INTERVAL_STEPS, at = 0; step < STEPS; step += INTERVAL_STEPS) {
      for (let next = waiting[at]; next !== undefined && next.step < step; next = waiting[at]) {
        lots += next.lots;
        at += 1;
      }
      const rate = rates(path, step);
      if (lots !== 0) {
        const mark = Math.round((path[step] ?? 0) * 10 ** market.priceDigits);
        const digits = market.lotDigits + market.priceDigits + RATE_DIGITS;
        const exact = rational(-BigInt(lots) * BigInt(mark) * BigInt(rate), 10n ** BigInt(digits));
        payments.push({
          time: YEAR_FROM_MS + (step / STEPS_PER_HOUR) * HOUR_MS,
          market: market.name,
          amount: nearestText(exact, AMOUNT_DIGITS),
          currency: market.name.slice(market.name.indexOf("-") + 1),
          source: `funding history: rate ${decimalText(BigInt(rate), RATE_DIGITS)} mark ${decimalText(BigInt(mark), market.priceDigits)}`,
        });
      }
    }
  }
  return payments.sort((a, b) => a.time - b.time || (a.market < b.market ? -1 : 1));
}

/** Rates that are higher after a rise, negative after a fall, and change slowly. */
function makeRates(draw: Prng): (prices: Float64Array, step: number) => number {
  let premium = 0;
  return (prices, step) => {
    const past = prices[Math.max(0, step - 9 * INTERVAL_STEPS)] ?? 0;
    const move = (prices[step] ?? 0) / past - 1;
    premium = premium * 0.8 + 0.2 * (move * 1500) + (draw.next() - 0.5) * 40;
    const rate = Math.round(USUAL_RATE + premium);
    return Math.max(-HIGHEST_RATE, Math.min(HIGHEST_RATE, rate));
  };
}

/** The input file funding.csv (lambda/inputs/tables.ts). */
export function fundingCsv(payments: readonly FundingPayment[]): string {
  const lines = payments.map(({ time, market, amount, currency, source }) =>
    [isoTime(time), market, amount, currency, source].join(","),
  );
  return `${["time,market,amount,currency,source", ...lines].join("\n")}\n`;
}
