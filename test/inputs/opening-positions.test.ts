import { describe, expect, test } from "vitest";
import { ZERO } from "../../lambda/core/amount.ts";
import { exactly } from "../support/amounts.ts";
import { refusal } from "../support/refusal.ts";
import { fileIn } from "./make.ts";

const HEADER = "market,quantity,average_price,as_of,evidence\n";
const BREAKS = "market,quantity,average_price,as_of,evidence,break\n";

const read = (lines: string, header = HEADER, zone = "UTC") =>
  fileIn("opening-positions.csv", header + lines, zone).openings;

describe("opening positions", () => {
  test("are read to the last digit, with their line numbers", () => {
    expect(
      read("BTC-USD,-1.000000000000000001,50000.5,2025-01-01,statement of December\n*,0,,2025-01-01T00:00:00+01:00,\n"),
    ).toEqual([
      {
        market: "BTC-USD",
        quantity: exactly("-1.000000000000000001"),
        price: exactly("50000.5"),
        asOf: Date.UTC(2025, 0, 1),
        evidence: "statement of December",
        where: "opening-positions.csv, line 2",
      },
      {
        market: null,
        quantity: ZERO,
        price: null,
        asOf: Date.UTC(2024, 11, 31, 23),
        evidence: "",
        where: "opening-positions.csv, line 3",
      },
    ]);
  });

  test("with a break tell since when fills are missing", () => {
    const header = "break,market,quantity,average_price,as_of,evidence\n";
    const lines =
      "2025-02-01T12:00:00+01:00,BTC-USD,3,120,2025-03-01,letter\n2025-03-01,BTC-USD,1,,2025-03-02,letter\n,A-USD,1,1,2025-03-01,\n";
    expect(read(lines, header).map((one) => [one.asOf, one.breakFrom])).toEqual([
      [Date.UTC(2025, 2, 1), Date.UTC(2025, 1, 1, 11)],
      [Date.UTC(2025, 2, 2), Date.UTC(2025, 2, 1)],
      [Date.UTC(2025, 2, 1), undefined],
    ]);
    expect(read("A-USD,1,1,2025-03-01,x\n").every((one) => !("breakFrom" in one))).toBe(true);
  });

  test("whose break begins at their own time, or at that of an earlier line, do not contradict each other", () => {
    const lines = "A-USD,1,1,2025-01-01,x,2025-01-01\nA-USD,1,1,2025-03-01,x,2025-01-01\nB-USD,1,1,2025-02-01,x,\n";
    expect(read(lines, BREAKS)).toHaveLength(3);
  });

  test.each([
    ["A-USD,1,1,2025-03-01,x,2025-02-01", "A-USD,1,1,2025-02-15,x,", 2, 3],
    ["A-USD,1,1,2025-02-15,x,2025-01-01", "A-USD,1,1,2025-03-01,x,2025-02-01", 3, 2],
  ])("%j and %j are refused: one declares a position within the break of the other", (first, second, line, other) => {
    expect(refusal(() => read(`${first}\n${second}\n`, BREAKS))).toMatchObject({
      kind: "usage",
      message: `opening-positions.csv, line ${line}: its break begins at 2025-02-01 00:00 (UTC), but opening-positions.csv, line ${other}, declares A-USD as of 2025-02-15 00:00 (UTC), which is within the break`,
    });
  });

  test("for one market at several times, and for all other markets, do not contradict each other", () => {
    expect(read("*,0,,2025-01-01,\nA-USD,1,1,2025-01-01,\nA-USD,1,1,2025-02-01,\n*,0,,2025-02-01,\n")).toHaveLength(4);
  });

  const decimal =
    "write it like -1234.5, with a decimal point, without thousands separators, and with at most 20 digits before and 18 after the point";
  const time =
    "write 2025-01-31T09:30:00Z (or another offset instead of Z); or 2025-01-31 for the start of that day in UTC, the time zone of the pack; or 2025-01-31 Europe/London for its start elsewhere";
  const others = "its quantity must be 0; write a separate line for each market with a position";
  const market = "write BASE-QUOTE as the venue does, like BTC-USD";
  test.each([
    [
      "B-USD,1,1,2025-03-01,x,2025-03-01T00:00:00.001Z",
      "the break begins at 2025-03-01 00:00:00.001 (UTC), after as_of, 2025-03-01 00:00 (UTC)",
      "break is the time from which fills are missing; as_of is the time from which they are complete again",
    ],
    [
      "B-USD,1,1,2025-03-01, ,2025-02-01",
      "it declares a break without evidence",
      "explain in the column evidence why fills are missing",
    ],
    [
      "*,0,,2025-03-01,x,2025-02-01",
      "the line for all other markets (*) declares a break",
      "write a separate line for each market whose fills are missing",
    ],
    ["B-USD,1,1,2025-03-01,x,yes", 'break is "yes", which is not a time', time],
    ["BTC,1,1,2025-01-01,,", 'market is "BTC", which is not the name of a market', market],
    ["BTC-USD ,1,1,2025-01-01,,", 'market is "BTC-USD ", which is not the name of a market', market],
    ["\u202EBTC-USD,1,1,2025-01-01,,", 'market is "\u202EBTC-USD", which is not the name of a market', market],
    ["BTC-USD,,1,2025-01-01,,", "quantity is empty", decimal],
    ["BTC-USD,1e30,1,2025-01-01,,", 'quantity is "1e30", which is not a decimal number', decimal],
    [
      "BTC-USD,0.1234567890123456789,1,2025-01-01,,",
      'quantity is "0.1234567890123456789", which is not a decimal number',
      decimal,
    ],
    ['BTC-USD,1,"50,000",2025-01-01,,', 'average_price is "50,000", which is not a decimal number', decimal],
    ["BTC-USD,1,-5,2025-01-01,,", 'average_price is "-5", which is not a price', "write it without a sign"],
    [
      "BTC-USD,0,5,2025-01-01,,",
      "a position of 0 cannot have an average_price",
      "leave average_price empty, or correct the quantity",
    ],
    ["BTC-USD,1,1,,,", "as_of is empty", time],
    ["*,1,,2025-01-01,,", "the line for all other markets (*) declares a position other than 0", others],
    [
      `BTC-USD,1,1,2025-01-01,${"x".repeat(2001)},`,
      `evidence is "${"x".repeat(80)}"…, which is not text of at most 2000 characters`,
      "shorten it",
    ],
  ])("%j is refused", (line, message, hint) => {
    expect(refusal(() => read(`A-USD,1,1,2025-01-01,,\n${line}\n`, BREAKS))).toMatchObject({
      kind: "usage",
      message: `opening-positions.csv, line 3: ${message}`,
      hint,
    });
  });

  test.each(["BTC-USD,1,1", "*,0,"])("%s twice at one instant is refused", (start) => {
    const lines = `${start},2025-01-01,\n\n${start},2025-01-01T01:00:00+01:00,\n`;
    expect(refusal(() => read(lines)).message).toBe(
      "opening-positions.csv, line 4: market, as_of are the same as in line 2",
    );
  });
});
