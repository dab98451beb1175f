import { test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { Accounts } from "../../lambda/accounting/accounts.ts";
import type { DeclaredPosition, UnknownReason } from "../../lambda/accounting/booked.ts";
import { ZERO } from "../../lambda/core/amount.ts";
import { FillbookError } from "../../lambda/core/errors.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { exactly } from "../support/amounts.ts";
import type { FillFields } from "../support/make-fill.ts";
import { planOf, type Step, stepsOf } from "./draw.ts";
import { fillsFrom } from "./make.ts";

/** Every unknown figure is blank with a reason, never zero. */

const MARKET = "BTC-USDT";
const FROM = Date.UTC(2025, 2, 1, 12);
const HOUR = 3_600_000;

function declared(quantity: string, price: string | null, more: Partial<DeclaredPosition> = {}): DeclaredPosition {
  const where = "opening-positions.csv, line 2";
  return {
    market: MARKET,
    quantity: exactly(quantity),
    price: price === null ? null : exactly(price),
    asOf: FROM,
    where,
    ...more,
  };
}

/**
 * `closed gross/gross`, the gross by average and by fifo, or the reason why it is blank; `-` for a fill that
 * closes nothing.
 */
function told({ booked }: Step): string {
  if (booked.realised !== null) {
    expect(booked.blank).toBeNull();
    const { realised } = booked;
    return `${String(booked.closed)} ${[realised.compared, realised].map(({ gross }) => String(gross)).join("/")}`;
  }
  return booked.blank ?? "-";
}

const positions = (steps: readonly Step[]) =>
  steps.map(({ booked: { after } }) => (after === null ? null : String(after)));

test("an unknown opening position leaves every figure blank, with the reason", () => {
  const steps = stepsOf(fillsFrom("B1@100/0.1 S3@110/0.3 B2@90"), "fifo", { fromBeginning: false });
  expect(steps.map(told)).toEqual(new Array(3).fill("opening_unknown"));
  const blank = { before: null, after: null, closed: ZERO, opened: ZERO, closeFee: ZERO, openFee: ZERO, trip: null };
  expect(steps.map(({ booked }) => booked)).toMatchObject(new Array(3).fill(blank));
  expect(steps.at(-1)?.state).toMatchObject({ position: null, blank: "opening_unknown", lots: [] });
});

describe("a declared opening position", () => {
  test("T20: the reference, computed: assumed flat −30; declared long 3@100, +30 at the sale, then long 3@120", () => {
    const fills = fillsFrom("S3@110 B3@120");
    expect(stepsOf(fills, "fifo").map(told)).toEqual(["-", "3 -30/-30"]);
    const steps = stepsOf(fills, "fifo", { declared: [declared("3", "100")] });
    expect(steps.map(told)).toEqual(["3 30/30", "-"]);
    expect(steps[0]?.booked.realised?.matches[0]?.opener).toEqual({
      matchId: null,
      orderId: null,
      time: FROM,
      price: exactly("100"),
    });
    expect(steps.at(-1)?.state.lots).toMatchObject([
      { sign: 1, quantity: exactly("3"), opener: { matchId: "M2", price: exactly("120") } },
    ]);
  });

  test("without a price: blank until the position is certainly flat", () => {
    const steps = stepsOf(fillsFrom("S1@110 B1@100 S3@120 B2@90 S2@95"), "fifo", { declared: [declared("3", null)] });
    expect(steps.map(told)).toEqual([...new Array(3).fill("quantity_known_cost_unknown"), "-", "2 10/10"]);
    expect(positions(steps)).toEqual(["2", "3", "0", "2", "0"]);
    expect(steps.map(({ booked }) => String(booked.closed))).toEqual(["1", "0", "3", "0", "2"]);
  });

  test("without a price, then a flip: the closing part is blank, the opening part is known", () => {
    const steps = stepsOf(fillsFrom("S5@110/0.5 B2@100"), "fifo", { declared: [declared("3", null)] });
    expect(steps.map(told)).toEqual(["quantity_known_cost_unknown", "2 20/20"]);
    expect(steps[0]?.booked).toMatchObject({ closed: exactly("3"), opened: exactly("2"), realised: null });
    expect(String(steps[1]?.booked.realised?.fees ?? ZERO)).toBe("0.2");
    expect(steps[1]?.booked.trip).toMatchObject({ side: "short", fills: 2 });
  });

  test.each<[string, string, readonly DeclaredPosition[], readonly string[]]>([
    ["that is flat equals a beginning", "S3@110 B3@120", [declared("0", null)], ["-", "3 -30/-30"]],
    [
      "without its price, and later with it",
      "S1@110 S2@120",
      [declared("3", null), declared("2", "105", { asOf: FROM + HOUR })],
      ["quantity_known_cost_unknown", "2 30/30"],
    ],
    [
      "later than the first fills, which stay blank",
      "S3@110 B3@120 S3@130",
      [declared("0", null, { asOf: FROM + HOUR })],
      ["opening_unknown", "-", "3 30/30"],
    ],
  ])("%s", (_, line, lines, expected) => {
    const plan = { fromBeginning: false, declared: lines };
    expect(stepsOf(fillsFrom(line), "fifo", plan).map(told)).toEqual(expected);
  });

  test("applies to every market without a line of its own", () => {
    const fills = [...fillsFrom("S3@110 B3@120"), ...fillsFrom("S1@10 B1@9", { market: "ETH-USDT" })];
    const everyOther = declared("0", null, { market: null });
    const plan = { fromBeginning: false, declared: [everyOther, declared("3", "100")] };
    expect(stepsOf(fills, "fifo", plan).map(told)).toEqual(["3 30/30", "-", "-", "1 1/1"]);
  });

  test("that agrees with the fills changes nothing", () => {
    const again = declared("-3", "1", { asOf: FROM + HOUR });
    expect(stepsOf(fillsFrom("S3@110 B3@120"), "fifo", { declared: [again] })).toEqual(
      stepsOf(fillsFrom("S3@110 B3@120"), "fifo"),
    );
  });

  test("that contradicts the fills stops the run", () => {
    const wrong = declared("5", "100", { asOf: FROM + HOUR });
    const run = () => stepsOf(fillsFrom("S3@110 B3@120"), "fifo", { declared: [wrong] });
    expect(run).toThrow(FillbookError);
    expect(run).toThrow(
      "opening-positions.csv, line 2: it declares a position of 5 BTC-USDT at 2025-03-01T13:00:00.000Z, and the fills before it give -3",
    );
  });

  test("in a market without fills stays open", () => {
    const accounts = new Accounts(planOf("fifo", { declared: [declared("3", "100")] }));
    accounts.advance(FROM - 1);
    expect(accounts.state.size).toBe(0);
    accounts.advance(FROM);
    expect(accounts.state.get(MARKET)).toMatchObject({ origin: "declared", position: exactly("3") });
  });
});

describe("a declared break", () => {
  // B2@100 at 12:00, S1@110 at 13:00, S1@120 at 14:00, S3@130 at 15:00, B1@90 at 16:00.
  const FILLS = fillsFrom("B2@100 S1@110 S1@120 S3@130 B1@90");
  const brokenFrom = (hours: number, asOf: number, quantity = "4", price: string | null = "125") =>
    declared(quantity, price, { breakFrom: FROM + hours * HOUR, asOf: FROM + asOf * HOUR });

  test("is needed if the fills give another position: without it the line is a contradiction", () => {
    const { breakFrom: _, ...plain } = brokenFrom(2, 3);
    expect(() => stepsOf(FILLS, "fifo", { declared: [plain] })).toThrow("and the fills before it give 0");
  });

  test("without a price: blank until the position is certainly flat", () => {
    const steps = stepsOf(FILLS, "fifo", { declared: [brokenFrom(2, 3, "3", null)] });
    expect(steps.map(told).slice(2)).toEqual(["break_declared", "quantity_known_cost_unknown", "-"]);
  });

  test("does not excuse a later line that contradicts the fills", () => {
    const wrong = declared("7", "1", { asOf: FROM + 4 * HOUR, where: "opening-positions.csv, line 3" });
    const told = () => stepsOf(FILLS, "fifo", { declared: [brokenFrom(2, 3), wrong] });
    expect(told).toThrow("opening-positions.csv, line 3: it declares a position of 7 BTC-USDT");
  });

  test("leaves other markets alone", () => {
    const steps = stepsOf(fillsFrom("B2@100 S1@110", { market: "ETH-USDT" }), "fifo", { declared: [brokenFrom(0, 1)] });
    expect(steps.map(told)).toEqual(["-", "1 10/10"]);
  });

  test("ends the line for all other markets, which holds before it and not after", () => {
    const others = [0, 5].map((hour) => declared("0", null, { market: null, asOf: FROM + hour * HOUR }));
    const steps = stepsOf(FILLS, "fifo", { fromBeginning: false, declared: [...others, brokenFrom(2, 3)] });
    expect(steps.map(told)).toEqual(["-", "1 10/10", "break_declared", "3 15/15", "-"]);
  });

  test("in a market without fills: the position is unknown during the break", () => {
    const accounts = new Accounts(planOf("fifo", { declared: [brokenFrom(1, 3)] }));
    const at = (hours: number) => {
      accounts.advance(FROM + hours * HOUR);
      return accounts.state.get(MARKET);
    };
    expect(at(0)).toBeUndefined();
    expect(at(1)).toMatchObject({ position: null, blank: "break_declared" });
    expect(at(3)).toMatchObject({ position: exactly("4"), blank: null });
  });
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
    const [bought, settled] = fillsFrom("B1000@10/1 S1000@0") as [Fill, Fill];
    const [, last] = stepsOf([bought, settled], "average");
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

  test("leaves other markets alone", () => {
    const [bad] = fillsFrom("B1@1", { market: "ETH-USDT" }) as [Fill];
    const fills = [...fillsFrom("B2@100 S1@110"), { ...bad, price: null }];
    expect(stepsOf(fills, "fifo").map(told)).toEqual(["-", "1 10/10", "market_incomplete"]);
  });

  test("without a market or a quote currency affects no other market", () => {
    const [bad, worse] = fillsFrom("B1@1 B1@1") as [Fill, Fill];
    const fills = [{ ...bad, market: null }, { ...worse, market: "BTC" }, ...fillsFrom("B2@100 S1@110")];
    expect(stepsOf(fills, "fifo").map(told)).toEqual(["market_incomplete", "market_incomplete", "-", "1 10/10"]);
  });

  test("blanks figures until the user declares the open position", () => {
    const [first, second, ...rest] = fillsFrom("B2@100 S1@110 S1@120 B1@90") as [Fill, Fill, ...Fill[]];
    const again = declared("1", "100", { asOf: FROM + 2 * HOUR });
    const steps = stepsOf([first, { ...second, quantity: null }, ...rest], "fifo", { declared: [again] });
    expect(steps.map(told)).toEqual(["-", "market_incomplete", "1 20/20", "-"]);
  });
});

describe("a contract that is not linear", () => {
  const plan = { isLinear: (market: string) => market !== MARKET, declared: [declared("3", "100")] };

  test("has no PnL, whatever the user declares", () => {
    const fills = [...fillsFrom("S3@110 B3@120"), ...fillsFrom("B2@100 S1@110", { market: "ETH-USDT" })];
    const blank: UnknownReason = "unsupported_contract_type";
    expect(stepsOf(fills, "fifo", plan).map(told)).toEqual([blank, blank, "-", "1 10/10"]);
  });

  test("has no PnL after a fill that cannot be typed either", () => {
    const [first, second] = fillsFrom("S3@110 B3@120") as [Fill, Fill];
    const accounts = new Accounts(planOf("fifo", plan));
    accounts.book({ ...first, fee: null });
    expect(accounts.book(second)).toMatchObject({ blank: "unsupported_contract_type", after: null });
  });
});
