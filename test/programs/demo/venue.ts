import { type Amount, fixed, rounded, ZERO as ZERO_AMOUNT } from "../../../lambda/core/amount.ts";
import { HOUR_MS, isoTime } from "../../../lambda/core/time.ts";
import { oracle } from "../../accounting/oracle.ts";
import { add, read, roundHalfEven, subtract, ZERO } from "../../accounting/rational.ts";
import { type History, historyItems } from "../../emulator/history.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import { amountOf, exactly } from "../../support/amounts.ts";

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

const FUNDING_RATE = exactly("0.0001");

type Line = readonly [time: string, market: string, amount: string, currency: string, source: string];

/** The input files of the account, by name. */
export function inputFiles(history: History): Readonly<Record<string, string>> {
  const funding = fundingOf(history);
  const cash = [
    ...TRANSFERS.map(([time, currency, amount]) => ({ time: Date.parse(time), currency, amount: read(amount) })),
    ...funding.map(([time, , amount, currency]) => ({ time: Date.parse(time), currency, amount: read(amount) })),
    ...[...Map.groupBy(historyItems(history), ({ market }) => market).values()].flatMap(movementsOf),
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

/** Every eight hours while a position is open: a ten-thousandth of it, by the last price. Longs pay shorts. */
function fundingOf(history: History): readonly Line[] {
  const waiting = [...historyItems(history)];
  const held = new Map<string, { quantity: Amount; price: string }>();
  return Array.from({ length: 365 * 3 - 1 }, (_, at) => Date.UTC(2025, 0, 1) + (at + 1) * 8 * HOUR_MS).flatMap(
    (time) => {
      for (let next = waiting[0]; next !== undefined && next.txCreated < time; next = waiting[0]) {
        const { market, orderType, quantity, price } = next;
        const [part, before] = [exactly(quantity), held.get(market)?.quantity ?? ZERO_AMOUNT];
        held.set(market, { quantity: orderType === "buy" ? before.plus(part) : before.minus(part), price });
        waiting.shift();
      }
      return [...held]
        .filter(([, { quantity }]) => !quantity.isZero())
        .map(([market, { quantity, price }]): Line => {
          const amount = fixed(rounded(quantity.neg().times(exactly(price)).times(FUNDING_RATE), 8), 8);
          return [isoTime(time), market, amount, currencyOf(market), `funding history: rate 0.0001 mark ${price}`];
        });
    },
  );
}

function currencyOf(market: string): string {
  return market.slice(market.lastIndexOf("-") + 1);
}

/** A market's changes of cash by average cost, by the second implementation of the accounts. */
function movementsOf(fills: readonly CompletedOrder[]) {
  const sorted = fills
    .map((fill) => ({ ...fill, time: fill.filledAt ?? fill.txCreated }))
    .sort((a, b) => a.time - b.time);
  const booked = oracle(
    sorted.map(({ matchId: id, orderType, quantity, price, fees }) => {
      const sign = orderType === "buy" ? 1 : -1;
      return { id, sign, quantity: read(quantity), price: read(price), fee: read(fees) };
    }),
    "average",
  );
  return booked.map(({ gross }, at) => {
    const { time, market, fees } = sorted[at] as (typeof sorted)[number];
    const amount = market === SETTLED_IN_COIN ? ZERO : subtract(gross, read(fees));
    return { time, currency: currencyOf(market), amount };
  });
}
