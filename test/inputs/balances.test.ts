import { describe, expect, test } from "vitest";
import { ZERO } from "../../lambda/core/amount.ts";
import { readBalances } from "../../lambda/inputs/balances.ts";
import { exactly } from "../support/amounts.ts";
import { fileOf, refusal } from "./make.ts";

const HEADER = "time,currency,amount,note\n";
const read = (lines: string, zone = "UTC") => readBalances(fileOf("balances.csv", HEADER + lines), zone);

describe("balances", () => {
  test("are read to the last digit, in order of time; zero and negative balances count", () => {
    const lines =
      "2026-01-01,USDT,-12.000000000000000001,\n2025-01-01,USDT,0,statement of December 2024\n2025-01-01,USD,5,x\n";
    expect(read(lines)).toEqual([
      { time: Date.UTC(2025, 0, 1), currency: "USDT", amount: ZERO, note: "statement of December 2024" },
      { time: Date.UTC(2025, 0, 1), currency: "USD", amount: exactly("5"), note: "x" },
      { time: Date.UTC(2026, 0, 1), currency: "USDT", amount: exactly("-12.000000000000000001"), note: "" },
    ]);
  });

  test("two of one currency at one time are refused with both lines, even if they are equal", () => {
    expect(
      refusal(() => read("2025-01-01,USD,5,x\n2025-01-01,USDT,5,x\n2025-01-01T01:00:00+01:00,USD,5,y\n")),
    ).toMatchObject({
      kind: "usage",
      message: "balances.csv, line 4: line 2 already gives the balance of USD at 2025-01-01 00:00 (UTC)",
      hint: "keep one of the two lines",
    });
  });

  test("may be an hour apart where clocks show the same hour twice", () => {
    const lines = "2025-11-02T05:00:00Z,USD,1,a\n2025-11-02T06:00:00Z,USD,2,b\n";
    expect(read(lines, "America/New_York")).toHaveLength(2);
  });

  test("with a date are in the pack's zone, with a time in the zone it states", () => {
    const times = read("2025-03-01,USD,1,x\n2025-03-01T00:00:00Z,USD,2,x\n", "America/New_York").map(
      ({ time }) => time,
    );
    expect(times).toEqual([Date.UTC(2025, 2, 1), Date.UTC(2025, 2, 1, 5)]);
  });

  test.each([
    ["2025-03-01,USD,,x", "amount is empty"],
    ["2025-03-01,$,1,x", 'currency is "$", which is not a currency'],
    ["yesterday,USD,1,x", 'time is "yesterday", which is not a time'],
  ])("%j is refused", (line, message) => {
    expect(refusal(() => read(`${line}\n`))).toMatchObject({
      kind: "usage",
      message: `balances.csv, line 2: ${message}`,
    });
  });
});
