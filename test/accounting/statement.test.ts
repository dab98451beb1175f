import { describe, expect, test } from "vitest";

import { projected, totalCell } from "../../lambda/accounting/cube/cell.ts";
import { type Amount, ZERO } from "../../lambda/core/amount.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { exactly } from "../support/amounts.ts";
import { type Books, type BooksOptions, booksOf, fillsFrom, sumsOf } from "./make.ts";

const monthsOf = (books: Books) => projected(sumsOf(books).cells, ["month", "market", "currency"]);

describe("worked examples", () => {
  // 30 at 2.0, with fees of 0.25 % on both sides.
  test.each<[string, string, string, string]>([
    ["short, out at 1.9", "S30@2/0.15 B30@1.9/0.1425", "1 0 -1", "3.7075 2.7075 1.7075"],
    ["short, out at 2.2", "S30@2/0.15 B30@2.2/0.165", "1 -1", "-5.315 -7.315"],
  ])(
    "T14: freqtrade, tests/persistence/test_persistence.py, test_calc_profit: %s, by funding",
    (_, line, paid, nets) => {
      const seen = paid.split(" ").map((text) => String(netWithFunding(line, text)));
      expect(seen.join(" ")).toBe(nets);
    },
  );

  test("T7: Bybit, help page 900000630066: closed P&L of a short, with the funding paid", () => {
    expect(String(netWithFunding("S0.4@6000/1.32 B0.4@5000/1.10", "-2.10"))).toBe("395.48");
  });

  function netWithFunding(line: string, paid: string): Amount {
    const fills = fillsFrom(line);
    const payment = { time: fills[0]?.txCreated ?? 0, market: "BTC-USDT", amount: exactly(paid), currency: "USDT" };
    const { gross, fees, funding, comparedGross, comparedFees } = totalCell(
      sumsOf(booksOf(fills, { funding: [payment] })).cells,
    );
    expect(comparedGross.minus(comparedFees)).toEqual(gross.minus(fees));
    return gross.minus(fees).plus(funding);
  }
});

describe("a break that the user declares", () => {
  const broken = (breakFrom: string, asOf: string, quantity = ZERO) => ({
    market: "BTC-USDT",
    quantity,
    price: null,
    asOf: Date.parse(asOf),
    breakFrom: Date.parse(breakFrom),
    where: "opening-positions.csv, line 2",
  });
  const months = (...declared: ReturnType<typeof broken>[]) =>
    monthsOf(booksOf([], { declared })).map(({ month, breaks }) => `${month} ${breaks}`);

  test.each([
    ["2025-02-10", "2025-04-01", ["2025-02 1", "2025-03 1"]],
    ["2025-02-10", "2025-02-10", ["2025-02 1"]],
    ["2025-03-01", "2025-03-01", ["2025-03 1"]],
    ["2024-11-01", "2025-01-02", ["2025-01 1"]],
    ["2024-11-01", "2025-01-01", []],
    ["2025-12-31", "2026-03-01", ["2025-12 1"]],
    ["2026-01-01", "2026-03-01", []],
  ])("from %s to %s has a part in these months, also without fills", (from, to, expected) => {
    expect(months(broken(from, to))).toEqual(expected);
  });

  test("puts its market in the period, even if nothing is open at its ends", () => {
    const { holdings } = booksOf([], { declared: [broken("2025-02-10", "2025-03-01")] });
    expect(holdings.map(({ market }) => market)).toEqual(["BTC-USDT"]);
  });
});

describe("the position that a market brings into the period", () => {
  const opening = (asOf: string, quantity = "3") => ({
    market: "BTC-USDT",
    quantity: exactly(quantity),
    price: exactly("100"),
    asOf: Date.parse(asOf),
    where: "opening-positions.csv, line 2",
  });

  const flat = { ...opening("1970-01-01T00:00:00Z", "0"), market: null };

  const before2025 = fillsFrom("B1@100", { from: Date.UTC(2024, 5, 1) });

  test.each<[string, BooksOptions, string, (readonly Fill[])?]>([
    [
      "is unknown if the fills do not begin with the account, never a silent zero",
      { fromBeginning: false },
      "unknown opening_unknown null",
    ],
    ["is the position declared before it", { declared: [opening("2024-12-31T00:00:00Z")] }, "declared 3 2"],
    ["is the one declared before its first fill", { declared: [opening("2025-02-01T00:00:00Z")] }, "declared 3 2"],
    [
      "is unknown if it was declared only after its first fill",
      { fromBeginning: false, declared: [{ ...opening("2025-04-01T00:00:00Z"), breakFrom: Date.UTC(2025, 3, 1) }] },
      "unknown opening_unknown 3",
    ],
    [
      "is flat if a break comes only within the period",
      { declared: [{ ...opening("2025-12-01T00:00:00Z"), breakFrom: Date.UTC(2025, 10, 1) }] },
      "assumed_flat 0 3",
    ],
    ["is flat if it was declared flat", { fromBeginning: false, declared: [flat] }, "declared 0 -1"],
    ["is unknown if the contract is not linear", { isLinear: () => false }, "unknown unsupported_contract_type null"],
    [
      "is the one declared at the end of an earlier break, whatever the market began with",
      { declared: [{ ...opening("2024-12-31T00:00:00Z"), breakFrom: Date.UTC(2024, 11, 1) }] },
      "declared 3 2",
      before2025,
    ],
    [
      "is the one declared after fills of a position not known",
      { fromBeginning: false, declared: [opening("2024-12-31T00:00:00Z")] },
      "declared 3 2",
      before2025,
    ],
  ])("%s", (_, options, expected, early = []) => {
    const { holdings } = booksOf([...early, ...fillsFrom("S1@100")], options);
    const shown = holdings.map(({ origin, before, after }) => {
      const [carried, left] = [before, after].map(({ position }) => position?.toString() ?? null);
      return `${origin} ${before.blank ?? carried} ${left}`;
    });
    expect(shown).toEqual([expected]);
  });

  test("includes a position without fills", () => {
    const { holdings } = booksOf([], { declared: [opening("2024-12-31T00:00:00Z")] });
    expect(holdings).toMatchObject([{ market: "BTC-USDT", before: { position: exactly("3") } }]);
  });
});
