import { describe, expect, test } from "vitest";
import { readMarks } from "../../lambda/inputs/marks.ts";
import { exactly } from "../support/amounts.ts";
import { fileOf, refusal } from "./make.ts";

const read = (lines: string, zone = "UTC") => readMarks(fileOf("marks.csv", `market,time,price\n${lines}`), zone);

describe("marks", () => {
  test("are read to the last digit, in order of time; a date is a day in the pack's zone", () => {
    expect(read("BTC-USD,2026-01-01,90000.5\nETH-USD,2025-12-31,3000\n", "America/New_York")).toEqual([
      { market: "ETH-USD", time: Date.UTC(2025, 11, 31, 5), price: exactly("3000") },
      { market: "BTC-USD", time: Date.UTC(2026, 0, 1, 5), price: exactly("90000.5") },
    ]);
  });

  test("may be 0, and have an exponent", () => {
    expect(read("A-USD,2026-01-01,0\nB-USD,2026-01-01,2E-8\n").map(({ price }) => String(price))).toEqual([
      "0",
      "0.00000002",
    ]);
  });

  test("two of one market at one time are refused with both lines", () => {
    expect(refusal(() => read("A-USD,2026-01-01,1\nB-USD,2026-01-01,1\nA-USD,2026-01-01T00:00:00Z,2\n"))).toMatchObject(
      {
        kind: "usage",
        message: "marks.csv, line 4: line 2 already gives the price of A-USD at 2026-01-01 00:00 (UTC)",
      },
    );
  });

  test.each([
    ["A-USD,2026-01-01,-1", "price is"],
    ["A-USD,2026-01-01,1e30", "price is"],
    [",2026-01-01,1", "market is"],
    ["A-USD,soon,1", "time is"],
  ])("%j is refused", (line, message) => {
    expect(refusal(() => read(`${line}\n`)).message).toContain(`marks.csv, line 2: ${message}`);
  });
});
