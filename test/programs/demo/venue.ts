import { fixed, rounded } from "../../../lambda/core/amount.ts";
import { HOUR_MS, isoTime } from "../../../lambda/core/time.ts";
import {
  add,
  divide,
  least,
  magnitude,
  negative,
  type Rational,
  rational,
  read,
  roundHalfEven,
  signOf,
  subtract,
  times,
  ZERO,
} from "../../accounting/rational.ts";
import { historyItems } from "../../emulator/history.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import { amountOf, exactly } from "../../support/amounts.ts";
import { type DemoAccount, YEAR_FROM_MS } from "./account.ts";
import { priceText, scaled } from "./orders.ts";

/** What the venue has beside the fills: funding payments, transfers, and its statements of cash. */

/** So large that no position exceeds a few times the cash. Times as they are written in the file. */
const TRANSFERS = [
  ["2025-01-02T09:05:00Z", "USD", "100000", "from the bank"],
  ["2025-01-02T09:20:00Z", "USDT", "30000", "from a wallet"],
  ["2025-04-11T14:30:00Z", "USD", "-12000", "to the bank: income tax"],
  ["2025-09-12T14:05:00Z", "USD", "-9000", "to the bank: estimated tax"],
] as const;

/** A date in the file means the first moment of that day in New York. */
const STATEMENTS = [
  ["2025-01-01", "2025-01-01T00:00:00-05:00", "account opened"],
  ["2025-04-01", "2025-04-01T00:00:00-04:00", "statement of March 2025"],
  ["2025-07-01", "2025-07-01T00:00:00-04:00", "statement of June 2025"],
  ["2025-10-01", "2025-10-01T00:00:00-04:00", "statement of September 2025"],
  ["2026-01-01", "2026-01-01T00:00:00-05:00", "statement of December 2025"],
] as const;

/** A contract that is not linear settles its gains and fees in its coin: the dollar balance does not change. */
const SETTLED_IN_COIN = "DOGE-USD";

type Line = readonly [time: string, market: string, amount: string, currency: string, source: string];

/** The input files of the account, by name. */
export function inputFiles(account: DemoAccount): Readonly<Record<string, string>> {
  const funding = fundingOf(account);
  const cash = [
    ...TRANSFERS.map(([time, currency, amount]) => ({ time: Date.parse(time), currency, amount: read(amount) })),
    ...funding.map(([time, , amount, currency]) => ({ time: Date.parse(time), currency, amount: read(amount) })),
    ...[...Map.groupBy(historyItems(account.history), ({ market }) => market).values()].flatMap(movementsOf),
  ];
  const balanceOf = (currency: string, before: number) =>
    cash
      .filter((one) => one.currency === currency && one.time < before)
      .reduce((sum, { amount }) => add(sum, amount), ZERO);
  const balances = STATEMENTS.flatMap(([day, begins, note]) =>
    ["USD", "USDT"].map((currency) => {
      const cents = fixed(amountOf(roundHalfEven(balanceOf(currency, Date.parse(begins)), 2)), 2);
      return [day, currency, cents, note];
    }),
  );
  return {
    "funding.csv": csv("time,market,amount,currency,source", funding),
    "transfers.csv": csv("time,currency,amount,note", TRANSFERS),
    "balances.csv": csv("time,currency,amount,note", balances),
  };
}

function csv(header: string, lines: readonly (readonly string[])[]): string {
  return `${[header, ...lines.map((line) => line.join(","))].join("\n")}\n`;
}

/** Every eight hours while a position is open. At a positive rate, longs pay shorts. */
function fundingOf({ orders, prices }: DemoAccount): readonly Line[] {
  return [...Map.groupBy(orders, ({ market }) => market)]
    .flatMap(([market, own]) => {
      const waiting = [...own];
      let lots = 0;
      return Array.from({ length: 365 * 3 - 1 }, (_, at): Line => {
        const hour = (at + 1) * 8;
        const time = YEAR_FROM_MS + hour * HOUR_MS;
        while ((waiting[0]?.timeMs ?? time) < time) {
          lots += waiting.shift()?.lots ?? 0;
        }
        const mark = prices.get(market.name)?.[hour] ?? 0;
        const move = mark / (prices.get(market.name)?.[Math.max(0, hour - 72)] ?? mark) - 1;
        // In millionths: the usual rate of perpetuals, more after a rise and less after a fall.
        const rate = scaled(Math.max(-750, Math.min(750, Math.round(100 + 1500 * move))), 6);
        const value = scaled(-lots, market.lotDigits).times(exactly(priceText(mark, market)));
        const source = `funding history: rate ${fixed(rate, 6)} mark ${priceText(mark, market)}`;
        const amount = fixed(rounded(value.times(rate), 8), 8);
        return [isoTime(time), market.name, lots === 0 ? "" : amount, currencyOf(market.name), source];
      });
    })
    .filter(([, , amount]) => amount !== "")
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
}

function currencyOf(market: string): string {
  return market.slice(market.lastIndexOf("-") + 1);
}

/** A market's changes of cash, in exact fractions and by average cost, without fillbook's accounting code. */
function movementsOf(fills: readonly CompletedOrder[]) {
  let [position, average] = [ZERO, ZERO];
  /** Books a trade and returns its gain before fees. A sale has a negative quantity. */
  const trade = (signed: Rational, price: Rational): Rational => {
    const before = position;
    position = add(before, signed);
    const isAgainst = signOf(before) * signOf(signed) < 0;
    const closed = isAgainst ? least(magnitude(before), magnitude(signed)) : ZERO;
    const gained = times(times(rational(BigInt(signOf(before))), closed), subtract(price, average));
    if (signOf(position) !== signOf(before)) {
      average = price; // flat, opened, or turned to the other side
    } else if (!isAgainst) {
      const value = add(times(magnitude(before), average), times(magnitude(signed), price));
      average = divide(value, magnitude(position));
    }
    return gained;
  };
  return fills
    .map((fill) => ({ ...fill, time: fill.filledAt ?? fill.txCreated }))
    .sort((a, b) => a.time - b.time)
    .map(({ time, market, orderType, quantity, price, fees }) => {
      const gained = trade(orderType === "buy" ? read(quantity) : negative(read(quantity)), read(price));
      const amount = market === SETTLED_IN_COIN ? ZERO : subtract(gained, read(fees));
      return { time, currency: currencyOf(market), amount };
    });
}
