import { expect, test } from "vitest";
import { add, isEqual, negative, read, signOf, subtract, times, ZERO } from "../../../accounting/rational.ts";
import { historyItems } from "../../../emulator/history.ts";
import { DEMO_SEED, makeDemoAccount } from "./account.ts";
import { balanceAt, balancesCsv, makeCash, transfersCsv } from "./cash.ts";

const { history, funding } = makeDemoAccount(DEMO_SEED);
const fills = [...historyItems(history)];
const cash = makeCash(fills, funding);
const currencies = ["USD", "USDT"];
const YEAR_END = Date.parse("2026-01-01T00:00:00-05:00");

test("no balance is ever below zero, and the account begins with none", () => {
  for (const currency of currencies) {
    let balance = ZERO;
    for (const { amount } of cash.filter((one) => one.currency === currency)) {
      balance = add(balance, amount);
      expect(signOf(balance)).toBeGreaterThanOrEqual(0);
    }
    expect(balanceAt(cash, currency, Date.parse("2025-01-01T00:00:00-05:00"))).toEqual(ZERO);
  }
});

test("in a currency without open positions, cash equals sales minus purchases and fees, plus funding and transfers", () => {
  const own = fills.filter(({ market }) => market.endsWith("-USDT"));
  const traded = own.map(({ orderType, quantity, price, fees }) => {
    const value = times(read(quantity), read(price));
    return subtract(orderType === "sell" ? value : negative(value), read(fees));
  });
  const others = [
    ...funding.filter(({ currency }) => currency === "USDT").map(({ amount }) => amount),
    ...transfersCsv()
      .split("\n")
      .filter((line) => line.includes(",USDT,"))
      .map((line) => line.split(",")[2] ?? ""),
  ];
  const sum = [...traded, ...others.map(read)].reduce(add, ZERO);
  expect(isEqual(balanceAt(cash, "USDT", YEAR_END), sum)).toBe(true);
});

test("a short position that turns long gains by its average price", () => {
  const [sample] = fills;
  const trade = (time: number, orderType: string, quantity: string, price: string) => ({
    ...sample,
    ...{ market: "A-EUR", filledAt: time, orderType, quantity, price, fees: "0" },
  });
  const own = [
    trade(1, "sell", "1", "100"),
    trade(2, "sell", "3", "120"), // 4 at 115
    trade(3, "buy", "1", "110"), // +5
    trade(4, "buy", "5", "125"), // 3 × −10; 2 at 125
    trade(5, "sell", "2", "130"), // +10
  ] as typeof fills;
  const gained = [0, 1, 2, 3, 4, 5].map((time) => balanceAt(makeCash(own, []), "EUR", time + 1));
  expect(gained.map(({ n, d }) => [n, d])).toEqual([0n, 0n, 0n, 5n, -25n, -15n].map((n) => [n, 1n]));
});

test("statements are in cents, for each currency at the end of each quarter", () => {
  const lines = balancesCsv(cash).trimEnd().split("\n").slice(1);
  expect(lines).toHaveLength(10);
  for (const line of lines) {
    const [, currency = "", amount = ""] = line.split(",");
    expect(currencies).toContain(currency);
    expect(amount).toMatch(/^\d+\.\d\d$/);
  }
  const half = read("0.005");
  const [last = ""] = lines.filter((line) => line.startsWith("2026-01-01,USD,"));
  const off = subtract(read(last.split(",")[2] ?? ""), balanceAt(cash, "USD", YEAR_END));
  expect(signOf(subtract(off, half)) <= 0 && signOf(add(off, half)) >= 0).toBe(true);
});
