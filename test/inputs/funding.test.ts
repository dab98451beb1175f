import { fc, test as prop } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { totalOf } from "../../lambda/core/amount.ts";
import { readFunding } from "../../lambda/inputs/funding.ts";
import { exactly } from "../support/amounts.ts";
import { fileOf, refusal } from "./make.ts";

const HEADER = "time,market,amount,currency,source\n";
const read = (lines: string, zone = "UTC") => readFunding(fileOf("funding.csv", HEADER + lines), zone);

describe("funding", () => {
  test("is read to the last digit and sorted by time", () => {
    const lines =
      "2025-03-02,BTC-USDT,-0.000000000000000001,USDT,export of the venue\n2025-03-01T09:00:00+09:00,ETH-USD,5,USD,\n";
    expect(read(lines)).toEqual([
      { time: Date.UTC(2025, 2, 1), market: "ETH-USD", amount: exactly("5"), currency: "USD", source: "", line: 3 },
      {
        time: Date.UTC(2025, 2, 2),
        market: "BTC-USDT",
        amount: exactly("-0.000000000000000001"),
        currency: "USDT",
        source: "export of the venue",
        line: 2,
      },
    ]);
  });

  const payment = fc.record({
    time: fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) }),
    amount: fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
  });
  prop.prop([fc.uniqueArray(payment, { selector: ({ time, amount }) => `${time} ${amount}`, maxLength: 40 })])(
    "keeps every payment, and has the same sum as the file",
    (payments) => {
      const lines = payments.map(({ time, amount }) => `${new Date(time).toISOString()},A-USD,${amount},USD,x`);
      const funding = read(`${lines.join("\r\n")}\r\n`);
      const expected = payments.reduce((sum, { amount }) => sum + amount, 0n);
      expect(String(totalOf(funding, ({ amount }) => amount))).toBe(String(expected));
      expect(funding.map(({ time }) => time)).toEqual(payments.map(({ time }) => time).sort((a, b) => a - b));
    },
  );

  test.each([
    ["the same line", "2025-03-01,A-USD,1,USD,x"],
    ["the same instant, written otherwise", "2025-03-01T01:00:00+01:00,A-USD,1,USD,x"],
    ["the same amount, written otherwise", "2025-03-01,A-USD,1.00,USD,x"],
  ])("%s twice would count twice, and is refused with both lines", (_, line) => {
    expect(refusal(() => read(`2025-03-01,A-USD,1,USD,x\n2025-03-01,A-USD,2,USD,x\n${line}\n`))).toMatchObject({
      kind: "usage",
      message: "funding.csv, line 4: this is the same payment as line 2, so it would count twice",
      hint: "remove one of them; if there really were two, add them up in one line",
    });
  });

  test("with a date counts at the day's first instant in the zone, and equals a payment at that instant", () => {
    // New York is five hours behind UTC in winter and four in summer.
    const times = (lines: string) => read(lines, "America/New_York").map(({ time }) => new Date(time).toISOString());
    expect(times("2025-03-01,A-USD,1,USD,x\n2025-07-01,A-USD,1,USD,x\n2025-03-01T00:00:00Z,A-USD,1,USD,x\n")).toEqual([
      "2025-03-01T00:00:00.000Z",
      "2025-03-01T05:00:00.000Z",
      "2025-07-01T04:00:00.000Z",
    ]);
    const twice = "2025-03-01,A-USD,1,USD,x\n2025-03-01T05:00:00Z,A-USD,1,USD,x\n";
    expect(refusal(() => read(twice, "America/New_York")).message).toMatch(
      /line 3: this is the same payment as line 2/,
    );
  });

  test("with another market, currency or source is another payment", () => {
    const lines = ["A-USD,1,USD,x", "B-USD,1,USD,x", "A-USD,1,USDT,x", "A-USD,1,USD,y"];
    expect(read(lines.map((line) => `2025-03-01,${line}\n`).join(""))).toHaveLength(4);
  });

  test.each([
    ["2025-03-01,A-USD,1,usd,x", 'currency is "usd", which is not a currency'],
    ["2025-03-01,A-USD,1,,x", "currency is empty"],
    ["2025-03-01,A-USD,1,=USD,x", 'currency is "=USD", which is not a currency'],
    ["2025-03-01,A-USD,+1,USD,x", 'amount is "+1", which is not a decimal number'],
    ["2025-03-01,A-USD,,USD,x", "amount is empty"],
    ["1740787200000,A-USD,1,USD,x", 'time is "1740787200000", which is not a time'],
    ["2025-03-01 00:00:00,A-USD,1,USD,x", 'time is "2025-03-01 00:00:00", which is not a time'],
    ["2025-03-01,,1,USD,x", "market is empty"],
  ])("%j is refused", (line, message) => {
    expect(refusal(() => read(`${line}\n`))).toMatchObject({
      kind: "usage",
      message: `funding.csv, line 2: ${message}`,
    });
  });
});
