import { readFileSync } from "node:fs";
import { Decimal } from "decimal.js";
import { describe, expect, test } from "vitest";
import { count } from "../../../../lambda/core/text.ts";
import { HOUR_MS } from "../../../../lambda/core/time.ts";
import { historyItems } from "../../../emulator/history.ts";
import { MARKETS } from "../../../emulator/market-facts.ts";
import { productSpecifications } from "../../../emulator/specifications.ts";
import { type CompletedOrder, itemIdentity } from "../../../emulator/wire.ts";
import { DEMO_SEED, makeDemoAccount } from "./account.ts";
import { dayOf, isWorkday } from "./calendar.ts";
import { tradedMarket } from "./markets.ts";

const Exact = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_HALF_EVEN });
const YEAR = Date.UTC(2025, 0, 1);
const YEAR_END = Date.UTC(2026, 0, 1);
const EIGHT_HOURS = 8 * HOUR_MS;

const account = makeDemoAccount(DEMO_SEED);
const fills = [...historyItems(account.history)];
const byMarket = Map.groupBy(fills, ({ market }) => market);

function signedQuantity({ orderType, quantity }: CompletedOrder): Decimal {
  return orderType === "buy" ? new Exact(quantity) : new Exact(quantity).negated();
}

/** Open positions at the end of each eight hours of the year, by time and market. */
function openPositions(): ReadonlyMap<string, Decimal> {
  const open = new Map<string, Decimal>();
  for (const [market, own] of [...byMarket].sort()) {
    let position = new Exact(0);
    let at = 0;
    for (let time = YEAR + EIGHT_HOURS; time <= YEAR_END; time += EIGHT_HOURS) {
      for (let fill = own[at]; fill?.filledAt !== undefined && fill.filledAt < time; fill = own[at]) {
        position = position.plus(signedQuantity(fill));
        at += 1;
      }
      if (!position.isZero()) {
        open.set(`${time} ${market}`, position);
      }
    }
  }
  return open;
}

const positions = openPositions();

/** The PnL net of fees of each round trip, from a flat position back to flat. */
function roundTrips(market: string): Decimal[] {
  const trips: Decimal[] = [];
  let position = new Exact(0);
  let cash = new Exact(0);
  for (const fill of byMarket.get(market) ?? []) {
    const quantity = signedQuantity(fill);
    position = position.plus(quantity);
    cash = cash.minus(quantity.times(fill.price)).minus(fill.fees);
    if (position.isZero()) {
      trips.push(cash);
      cash = new Exact(0);
    }
  }
  return trips;
}

test("the same seed gives the same account, and another seed gives a different one", () => {
  const again = makeDemoAccount(DEMO_SEED);
  expect([...historyItems(again.history)]).toEqual(fills);
  expect(again.funding).toEqual(account.funding);
  expect([...historyItems(makeDemoAccount(DEMO_SEED + 1).history)]).not.toEqual(fills);
});

describe("its fills", () => {
  test("have unique identities and, within a market, unique times in 2025", () => {
    expect(new Set(fills.map(itemIdentity)).size).toBe(fills.length);
    for (const own of byMarket.values()) {
      const times = own.map(({ filledAt }) => filledAt ?? 0);
      expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
      expect(times.every((time) => time >= YEAR && time < YEAR_END)).toBe(true);
    }
  });

  test("have prices in whole ticks; takers pay 5 hundredths of a percent, makers receive 1", () => {
    for (const { market, price, quantity, fees, executionType } of fills) {
      const facts = MARKETS.find(({ name }) => name === market);
      const rate = executionType === "maker" ? "-0.0001" : "0.0005";
      const fee = new Exact(price)
        .times(quantity)
        .times(rate)
        .toFixed(facts?.feeDigits ?? 0);
      expect(new Exact(fees).equals(fee), `${market} ${price} × ${quantity}: ${fees}, not ${fee}`).toBe(true);
      const ticks = new Exact(price).times(new Exact(10).pow(facts?.priceDigits ?? 0)).div(facts?.tick ?? 1);
      expect(ticks.isInteger() && ticks.isPositive()).toBe(true);
      expect(new Exact(quantity).greaterThan(0)).toBe(true);
    }
  });

  test("add up to the open positions at the end of the year: one or two markets are open, the others flat", () => {
    for (const market of byMarket.keys()) {
      const position = positions.get(`${YEAR_END} ${market}`) ?? new Exact(0);
      const lots = new Exact(10).pow(tradedMarket(market).lotDigits).times(position);
      expect(lots.toFixed(), market).toBe(String(account.open.get(market) ?? 0));
    }
    expect(account.open.size).toBeGreaterThanOrEqual(1);
    expect(account.open.size).toBeLessThanOrEqual(2);
    expect(byMarket.size).toBeGreaterThanOrEqual(10);
  });

  test("include one contract that is not linear; all others are linear", () => {
    const types = productSpecifications(account.history.markets);
    const specifications: { market: string; contractType?: string }[] = JSON.parse(types.body);
    const typeOf = new Map(specifications.map(({ market, contractType }) => [market, contractType]));
    const others = [...byMarket.keys()].filter((market) => typeOf.get(market) !== "Vanilla");
    expect(others).toEqual(["DOGE-USD"]);
    expect(typeOf.get("DOGE-USD")).toBe("Inverse");
  });
});

test("the README names its number of fills, and docs/inputs.md designates one of its lots for one of its closes", () => {
  const document = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");
  expect(document("README.md")).toContain(`a trader's year of ${count(fills.length)} fills,`);
  const { close, open, quantity } =
    /(?<close>\S+,[0-9A-Z]{26}),(?<open>\S+,[0-9A-Z]{26}),(?<quantity>\S+)/.exec(document("docs/inputs.md"))?.groups ??
    {};
  const designated = [open, close].map((ids) => fills.find(({ matchId, orderId }) => `${matchId},${orderId}` === ids));
  expect(designated).toMatchObject([
    { market: "BTC-USD", orderType: "sell", quantity },
    { market: "BTC-USD", orderType: "buy" },
  ]);
});

describe("its year", () => {
  test("has some hundreds of round trips in 4,000 to 10,000 fills, and wins 40 to 60 of 100", () => {
    const trips = [...byMarket.keys()].flatMap(roundTrips);
    const won = trips.filter((net) => net.greaterThan(0)).length / trips.length;
    expect(fills.length).toBeGreaterThan(4000);
    expect(fills.length).toBeLessThan(10_000);
    expect(trips.length).toBeGreaterThan(500);
    expect(won).toBeGreaterThan(0.4);
    expect(won).toBeLessThan(0.6);
  });

  test("has quiet days: at most one fill in ten is on a weekend or holiday, and none of the scalper's", () => {
    const dayOfFill = ({ txCreated }: CompletedOrder) => dayOf(new Date(txCreated).toISOString().slice(0, 10));
    const isQuiet = (fill: CompletedOrder) => !isWorkday(dayOfFill(fill));
    expect(byMarket.get("BTC-USDT")?.some(isQuiet)).toBe(false);
    expect(fills.filter(isQuiet).length / fills.length).toBeLessThan(0.1);
    const active = new Set(fills.map(dayOfFill));
    expect(active.size).toBeGreaterThan(200);
    expect(active.size).toBeLessThan(300);
  });

  test("has one burst of liquidations", () => {
    const liquidated = fills.filter(({ fillType }) => fillType === "liquidation");
    expect(liquidated.length).toBeGreaterThan(20);
    const times = liquidated.map(({ txCreated }) => txCreated);
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(10 * 60_000);
  });
});

describe("its funding", () => {
  test("is paid every eight hours for every open position, and for no other", () => {
    const paid = account.funding.map(({ time, market }) => `${time} ${market}`);
    const due = [...positions.keys()].filter((key) => !key.startsWith(`${YEAR_END} `));
    expect(paid.toSorted()).toEqual(due.toSorted());
  });

  test("is the position × the mark × the rate named in its source; longs pay if the rate is positive", () => {
    for (const { time, market, amount, currency, source } of account.funding) {
      const { rate = "", mark = "" } = /rate (?<rate>\S+) mark (?<mark>\S+)/.exec(source)?.groups ?? {};
      const due = positions.get(`${time} ${market}`)?.times(mark).times(rate).negated().toFixed(8) ?? "0";
      expect(new Exact(amount).equals(due), `${market} ${time}: ${amount}, not ${due}`).toBe(true);
      expect(market.endsWith(`-${currency}`)).toBe(true);
    }
  });

  test("has a usual rate near 0.01 % for eight hours", () => {
    const rates = account.funding.map(({ source }) => Number(/rate (\S+)/.exec(source)?.[1]));
    const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
    expect(mean).toBeGreaterThan(0.000_05);
    expect(mean).toBeLessThan(0.000_15);
    expect(Math.max(...rates.map(Math.abs))).toBeLessThanOrEqual(0.000_75);
  });
});
