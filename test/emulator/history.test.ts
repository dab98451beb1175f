import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { multiply, parseDecimal } from "../../lambda/core/decimal.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { type History, historyItems, historyOf, makeHistory } from "./history.ts";
import type { Density } from "./history-plan.ts";
import { type CompletedOrder, itemIdentity } from "./wire.ts";

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2026, 0, 1);
const YEAR = { seed: 11, fills: 4000, from: FROM, to: TO };

const items = (history: History): CompletedOrder[] => [...historyItems(history)];
const grouped = <Key>(rows: readonly CompletedOrder[], key: (row: CompletedOrder) => Key) => Map.groupBy(rows, key);

describe("a seeded account", () => {
  const rows = items(makeHistory(YEAR));

  test.prop([fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 0, max: 600 })])(
    "has as many fills as asked for, each with its own identity, in range, sorted by txCreated",
    (seed, fills) => {
      const drawn = items(makeHistory({ ...YEAR, seed, fills }));
      expect(drawn).toHaveLength(fills);
      expect(new Set(drawn.map(itemIdentity)).size).toBe(fills);
      expect(drawn.every((row) => row.txCreated >= FROM && row.txCreated < TO)).toBe(true);
      expect(drawn.map((row) => row.txCreated)).toEqual(drawn.map((row) => row.txCreated).toSorted((a, b) => a - b));
    },
  );

  it("is the same for the same seed, asked in any order, and another for another", () => {
    const again = makeHistory(YEAR);
    expect([3999, 0, 17].map((index) => again.item(index))).toEqual([rows[3999], rows[0], rows[17]]);
    expect(items(makeHistory({ ...YEAR, seed: 12 }))).not.toEqual(rows);
  });

  it("has a burst where it is told to, of about the share given", () => {
    const burst = { share: 0.5, from: Date.UTC(2025, 5, 10, 7), lengthMs: 3_600_000 };
    const times = items(makeHistory({ ...YEAR, ties: 0, burst })).map((row) => row.txCreated);
    // The fills of an order come up to some minutes after its first.
    const within = times.filter((time) => time >= burst.from && time < burst.from + 1.2 * burst.lengthMs).length;
    expect(times).toHaveLength(4000);
    expect(within / 4000).toBeGreaterThan(0.4);
    expect(within / 4000).toBeLessThan(0.55);
  });

  it("has several matches an order, all of one market and side", () => {
    const orders = [...grouped(rows, (row) => row.orderId).values()];
    expect(orders.filter((fills) => fills.length > 1).length).toBeGreaterThan(100);
    for (const fills of orders) {
      expect(new Set(fills.map((row) => `${row.market} ${row.orderType} ${row.tradeType}`)).size).toBe(1);
    }
  });

  it("has self-trades: one match, two orders, both sides, the same trade", () => {
    const pairs = [...grouped(rows, (row) => row.matchId).values()].filter((fills) => fills.length > 1);
    expect(pairs.length).toBeGreaterThan(5);
    for (const pair of pairs) {
      expect(pair.map((row) => row.orderType).toSorted()).toEqual(["buy", "sell"]);
      expect(new Set(pair.map((row) => row.orderId)).size).toBe(2);
      expect(
        new Set(pair.map((row) => [row.market, row.price, row.quantity, row.txCreated, row.transactionHash].join()))
          .size,
      ).toBe(1);
    }
  });

  it("has hundreds of fills in one millisecond, at a month's midnight", () => {
    const most = [...grouped(rows, (row) => row.txCreated)].toSorted((a, b) => b[1].length - a[1].length)[0];
    expect(most?.[1].length).toBeGreaterThanOrEqual(250);
    expect(most?.[0]).toBe(Date.UTC(2025, 1, 1));
  });

  it("has fills around every month's midnight, some of which are filled in the next month", () => {
    const times = new Set(rows.map((row) => row.txCreated));
    for (let month = 1; month < 12; month++) {
      const midnight = Date.UTC(2025, month, 1);
      const missing = [-1000, -999, -588, -1, 0, 1, 412, 999].filter((offset) => !times.has(midnight + offset));
      expect(missing).toEqual([]);
    }
    const month = (ms: number) => new Date(ms).getUTCMonth();
    const straddling = rows.filter((row) => row.filledAt !== undefined && month(row.filledAt) !== month(row.txCreated));
    expect(straddling.length).toBeGreaterThan(0);
  });

  it("flips positions in most markets", () => {
    const flips = [...grouped(rows, (row) => row.market).values()].filter((fills) => hasFlip(fills));
    expect(flips.length).toBeGreaterThan(10);
  });

  it("has both shapes of the item, and filledAt near txCreated", () => {
    const newer = rows.filter((row) => row.filledAt !== undefined);
    expect(newer.length).toBeGreaterThan(rows.length / 2);
    expect(newer.length).toBeLessThan(rows.length * 0.9);
    expect(newer.every((row) => Math.abs((row.filledAt ?? 0) - row.txCreated) < 22_000)).toBe(true);
    expect(newer.some((row) => (row.filledAt ?? 0) < row.txCreated)).toBe(true);
    expect(items(makeHistory({ ...YEAR, filledAt: "none" })).every((row) => !("filledAt" in row))).toBe(true);
    expect(items(makeHistory({ ...YEAR, filledAt: "all" })).every((row) => "filledAt" in row)).toBe(true);
  });

  it("has exact decimals of many kinds: trailing zeros, eighteen digits, whole numbers, rebates", () => {
    for (const row of rows) {
      expect(
        [row.price, row.quantity, row.fees, row.triggerPrice].filter((text) => parseDecimal(text) === null),
      ).toEqual([]);
    }
    expect(rows.some((row) => /\.\d*0$/.test(row.price))).toBe(true);
    expect(rows.some((row) => /\.\d{18}$/.test(row.quantity))).toBe(true);
    expect(rows.some((row) => /^\d+$/.test(row.quantity))).toBe(true);
    const rebates = rows.filter((row) => row.fees.startsWith("-"));
    expect(rebates.length).toBeGreaterThan(100);
    expect(new Set(rebates.map((row) => row.executionType))).toEqual(new Set(["maker"]));
  });

  it("has fees of a share of the notional, to the digits that it gives", () => {
    for (const row of rows.slice(0, 500)) {
      const [price, quantity] = [parseDecimal(row.price), parseDecimal(row.quantity)];
      const notional = price === null || quantity === null ? "0" : multiply(price, quantity).text;
      const rate = row.executionType === "maker" ? -0.0001 : 0.0005;
      expect(Number(row.fees)).toBeCloseTo(Number(notional) * rate, 5);
    }
  });

  it("has values that the interface does not list, unless they are switched off", () => {
    const kinds = (history: readonly CompletedOrder[]) =>
      new Set(history.flatMap((row) => [row.triggerType, row.tradeType, row.fillType]));
    expect(kinds(items(makeHistory({ ...YEAR, unlisted: 0 })))).toEqual(
      new Set(["none", "limit", "market", "complete"]),
    );
    expect(kinds(rows).size).toBeGreaterThan(4);
  });

  it("has both quote currencies, and as many markets as asked for", () => {
    expect(new Set(rows.map((row) => row.market)).size).toBe(20);
    expect(new Set(rows.map((row) => row.market.split("-")[1]))).toEqual(new Set(["USD", "USDT"]));
    expect(new Set(items(makeHistory({ ...YEAR, markets: 3 })).map((row) => row.market)).size).toBe(3);
  });

  it("has order ids that sort by the time of the order", () => {
    const firsts = [...grouped(rows, (row) => row.orderId).values()].flatMap((fills) => fills.slice(0, 1));
    const byId = firsts.toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1)).map((row) => row.txCreated);
    expect(byId).toEqual(byId.toSorted((a, b) => a - b));
  });

  it("leaves ties, self-trades and boundaries out when asked to", () => {
    const plain = items(makeHistory({ ...YEAR, ties: 0, selfTrades: 0, boundaries: false }));
    expect(new Set(plain.map((row) => row.matchId)).size).toBe(plain.length);
    expect(Math.max(...[...grouped(plain, (row) => row.txCreated).values()].map((fills) => fills.length))).toBeLessThan(
      10,
    );
  });
});

describe("densities", () => {
  const daily = (density: Density): number[] => {
    const history = makeHistory({ ...YEAR, density, ties: 0, boundaries: false });
    const counts = Array.from({ length: 365 }, () => 0);
    for (const time of history.times) {
      const day = Math.floor((time - FROM) / DAY_MS);
      counts[day] = (counts[day] ?? 0) + 1;
    }
    return counts;
  };
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

  it("uniform: about as many in each half; ramp: three times as many in the second", () => {
    const share = (density: Density) => sum(daily(density).slice(182)) / 4000;
    expect(share("uniform")).toBeCloseTo(0.5, 1);
    expect(share("ramp")).toBeCloseTo(0.75, 1);
  });

  it("zipf-days and bursts: a few days have most; sparse: most days have none", () => {
    const top = (density: Density, days: number) =>
      sum(
        daily(density)
          .toSorted((a, b) => b - a)
          .slice(0, days),
      ) / 4000;
    expect(top("zipf-days", 36)).toBeGreaterThan(0.5);
    expect(top("bursts", 40)).toBeGreaterThan(0.9);
    expect(daily("sparse").filter((count) => count === 0).length).toBeGreaterThan(340);
  });
});

describe("an account written by hand", () => {
  it("keeps its items, sorted by txCreated", () => {
    const two = items(makeHistory({ ...YEAR, fills: 2 }));
    expect(items(historyOf(two.toReversed()))).toEqual(two);
  });
});

function hasFlip(fills: readonly CompletedOrder[]): boolean {
  let position = 0;
  return fills.some((row) => {
    const before = position;
    position += Number(row.quantity) * (row.orderType === "buy" ? 1 : -1);
    return before * position < 0;
  });
}
