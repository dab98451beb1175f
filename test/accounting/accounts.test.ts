import { describe, expect, test } from "vitest";
import type { AccountsPlan } from "../../lambda/accounting/accounts.ts";
import type { DeclaredPosition } from "../../lambda/accounting/booked.ts";
import { ZERO } from "../../lambda/core/amount.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { exactly } from "../support/amounts.ts";
import type { FillFields } from "../support/make-fill.ts";
import { type Step, stepsOf } from "./draw.ts";
import { fillsFrom } from "./make.ts";

/** Every unknown figure is blank with a reason, never zero. */

const MARKET = "BTC-USDT";
const FROM = Date.UTC(2025, 2, 1, 12);
const HOUR = 3_600_000;

function declared(quantity: string, price: string | null, more: Partial<DeclaredPosition> = {}): DeclaredPosition {
  const where = "opening-positions.csv, line 2";
  const amounts = { quantity: exactly(quantity), price: price === null ? null : exactly(price) };
  return { market: MARKET, ...amounts, asOf: FROM, where, ...more };
}

/** Fills are missing from and up to so many hours after the first fill. */
const broken = (hours: number, asOf: number, quantity = "4", price: string | null = "125") =>
  declared(quantity, price, { breakFrom: FROM + hours * HOUR, asOf: FROM + asOf * HOUR });

/**
 * `closed gross/gross`, the gross by average and by fifo; or the reason why it is blank, with the position after it
 * if that is known; `-` for a fill that closes nothing.
 */
function told({ booked }: Step): string {
  const { realised, blank, closed, after } = booked;
  if (realised !== null) {
    expect(blank).toBeNull();
    return `${String(closed)} ${[realised.compared, realised].map(({ gross }) => String(gross)).join("/")}`;
  }
  return blank === null ? "-" : [blank, ...(after === null ? [] : [String(after)])].join(" ");
}

const toldOf = (fills: readonly Fill[], plan: Partial<AccountsPlan> = {}) => stepsOf(fills, "fifo", plan).map(told);

const COST = "quantity_known_cost_unknown";
const everyOther = (hour: number) => declared("0", null, { market: null, asOf: FROM + hour * HOUR });
// B2@100 at 12:00, S1@110 at 13:00, S1@120 at 14:00, S3@130 at 15:00, B1@90 at 16:00.
const HOURS = "B2@100 S1@110 S1@120 S3@130 B1@90";

test.each<[string, string, Partial<AccountsPlan>, readonly string[]]>([
  ["nothing is declared", "B1@100 S3@110 B2@90", { fromBeginning: false }, new Array(3).fill("opening_unknown")],
  [
    "a position without a price is declared: until it is certainly flat",
    "S1@110 B1@100 S3@120 B2@90 S2@95",
    { declared: [declared("3", null)] },
    [`${COST} 2`, `${COST} 3`, `${COST} 0`, "-", "2 10/10"],
  ],
  ["and then a flip", "S5@110 B2@100", { declared: [declared("3", null)] }, [`${COST} -2`, "2 20/20"]],
  ["flat equals a beginning", "S3@110 B3@120", { declared: [declared("0", null)] }, ["-", "3 -30/-30"]],
  [
    "without its price, and later with it",
    "S1@110 S2@120",
    { declared: [declared("3", null), declared("2", "105", { asOf: FROM + HOUR })] },
    [`${COST} 2`, "2 30/30"],
  ],
  [
    "later than the first fills, which stay blank",
    "S3@110 B3@120 S3@130",
    { declared: [declared("0", null, { asOf: FROM + HOUR })] },
    ["opening_unknown", "-", "3 30/30"],
  ],
  ["for every other market", "S3@110 B3@120", { declared: [everyOther(0)] }, ["-", "3 -30/-30"]],
  [
    "for this and for every other market",
    "S3@110 B3@120",
    { declared: [everyOther(0), declared("3", "100")] },
    ["3 30/30", "-"],
  ],
  [
    "in agreement with the fills",
    "S3@110 B3@120",
    { fromBeginning: true, declared: [declared("-3", "1", { asOf: FROM + HOUR })] },
    ["-", "3 -30/-30"],
  ],
  [
    "at the end of a break without a price",
    HOURS,
    { fromBeginning: true, declared: [broken(2, 3, "3", null)] },
    ["-", "1 10/10", "break_declared", `${COST} 0`, "-"],
  ],
  [
    "for all other markets, before and after a break: only before it",
    HOURS,
    { declared: [everyOther(0), everyOther(5), broken(2, 3)] },
    ["-", "1 10/10", "break_declared", "3 15/15", "-"],
  ],
])("%s", (_, line, plan, expected) => {
  expect(toldOf(fillsFrom(line), { fromBeginning: false, ...plan })).toEqual(expected);
});

test("T20: the reference, computed: assumed flat −30; declared long 3@100, +30 at the sale, then long 3@120", () => {
  const fills = fillsFrom("S3@110 B3@120");
  expect(toldOf(fills)).toEqual(["-", "3 -30/-30"]);
  const steps = stepsOf(fills, "fifo", { declared: [declared("3", "100")] });
  expect(steps.map(told)).toEqual(["3 30/30", "-"]);
  const opener = { matchId: null, orderId: null, time: FROM, price: exactly("100") };
  expect(steps[0]?.booked.realised?.matches[0]?.opener).toEqual(opener);
  expect(steps.at(-1)?.state.lots).toMatchObject([
    { sign: 1, quantity: exactly("3"), opener: { matchId: "M2", price: exactly("120") } },
  ]);
});

const line3 = "opening-positions.csv, line 3";
test.each<[string, string, readonly DeclaredPosition[], string]>([
  [
    "the fills",
    "S3@110 B3@120",
    [declared("5", "100", { asOf: FROM + HOUR })],
    "opening-positions.csv, line 2: it declares a position of 5 BTC-USDT at 2025-03-01T13:00:00.000Z, and the fills before it give -3",
  ],
  ["them, as no break is declared", HOURS, [declared("4", "125", { asOf: FROM + 3 * HOUR })], "before it give 0"],
  [
    "them later than a break",
    HOURS,
    [broken(2, 3), declared("7", "1", { asOf: FROM + 4 * HOUR, where: line3 })],
    `${line3}: it declares a position of 7 BTC-USDT`,
  ],
])("a declared position that contradicts %s stops the run", (_, line, lines, message) => {
  expect(() => toldOf(fillsFrom(line), { declared: lines })).toThrow(
    expect.objectContaining({ kind: "usage", message: expect.stringContaining(message) }),
  );
});

describe("a fill whose numbers are unusual", () => {
  test.each<[string, Partial<FillFields>, string]>([
    // 2 bought at 100, 1 sold for nothing.
    ["a price of zero is a price", { price: "0.00" }, "1 -100/-100"],
    ["a price with an exponent", { price: "1.1e2" }, "1 10/10"],
    ["a quantity with an exponent", { quantity: "2E-8" }, "0.00000002 0.0000002/0.0000002"],
    ["a fee with an exponent", { fee: "1e-8" }, "1 10/10"],
  ])("%s", (_, change, expected) => {
    const [first, second] = fillsFrom("B2@100 S1@110") as [Fill, Fill];
    const steps = stepsOf([first, { ...second, ...change }], "fifo");
    expect(steps.map(told)).toEqual(["-", expected]);
    expect(String(steps[1]?.booked.trade?.fee)).toBe(change.fee === undefined ? "0" : "0.00000001");
  });

  test("a position that was settled at zero is flat, and all of its cost is lost", () => {
    const [, last] = stepsOf(fillsFrom("B1000@10/1 S1000@0"), "average");
    expect(last?.booked.after).toEqual(ZERO);
    expect(last?.booked.realised).toMatchObject({ gross: exactly("-10000"), fees: exactly("1") });
  });
});

describe("a fill that cannot be typed", () => {
  test.each<[string, Partial<FillFields>]>([
    ["no quantity", { quantity: null }],
    ["an exponent without end", { quantity: "1e300" }],
    ["an exponent with more places than a cell has", { quantity: "1e-19" }],
    ["a quantity of zero", { quantity: "0" }],
    ["a negative quantity", { quantity: "-1" }],
    ["19 places", { quantity: "0.0000000000000000001" }],
    ["no price", { price: null }],
    ["a negative price", { price: "-0.01" }],
    ["no fee", { fee: null }],
    ["a fee in words", { fee: "=1+1" }],
    ["no side", { side: null }],
    ["another side", { side: "liquidation" }],
  ])("%s: its market is blank from then on", (_, change) => {
    const [first, second, third] = fillsFrom("B2@100 S1@110 S1@120") as [Fill, Fill, Fill];
    const steps = stepsOf([first, { ...second, ...change }, third], "fifo");
    expect(steps.map(told)).toEqual(["-", "market_incomplete", "market_incomplete"]);
    expect(steps[1]?.booked).toMatchObject({ trade: null, before: exactly("2"), after: null });
    expect(steps[2]?.state).toMatchObject({ position: null, blank: "market_incomplete", lots: [] });
  });

  test("without a market or a quote currency affects no other market", () => {
    const [bad, worse] = fillsFrom("B1@1 B1@1") as [Fill, Fill];
    const fills = [{ ...bad, market: null }, { ...worse, market: "BTC" }, ...fillsFrom("B2@100 S1@110")];
    expect(toldOf(fills)).toEqual(["market_incomplete", "market_incomplete", "-", "1 10/10"]);
  });

  test("blanks figures until the user declares the open position", () => {
    const [first, second, ...rest] = fillsFrom("B2@100 S1@110 S1@120 B1@90") as [Fill, Fill, ...Fill[]];
    const again = declared("1", "100", { asOf: FROM + 2 * HOUR });
    expect(toldOf([first, { ...second, quantity: null }, ...rest], { declared: [again] })).toEqual([
      ...["-", "market_incomplete", "1 20/20", "-"],
    ]);
  });
});

test("a contract that is not linear has no PnL, whatever the user declares, nor after a fill that cannot be typed", () => {
  const plan = { isLinear: (market: string) => market !== MARKET, declared: [declared("3", "100")] };
  const [first, second] = fillsFrom("S3@110 B3@120") as [Fill, Fill];
  const others = fillsFrom("B2@100 S1@110", { market: "ETH-USDT" });
  for (const fill of [first, { ...first, fee: null }]) {
    const steps = toldOf([fill, second, ...others], plan);
    expect(steps.slice(1)).toEqual(["unsupported_contract_type", "-", "1 10/10"]);
  }
});
