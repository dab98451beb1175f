import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import type { Amount } from "../../lambda/accounting/amount.ts";
import { METHODS, type Method } from "../../lambda/accounting/method.ts";
import type { Designations } from "../../lambda/accounting/methods/specific.ts";
import type { Trade } from "../../lambda/accounting/trade.ts";
import { formatUnits } from "../../lambda/core/decimal.ts";
import { tradeTime } from "../../lambda/core/fill.ts";
import type { PlainFill } from "../../lambda/core/plain-fill.ts";
import { histories, type Step, stepsOf } from "./draw.ts";
import { designationsOf, drawMatches } from "./draw-matches.ts";
import { oracle, oracleFill } from "./oracle.ts";
import { negative, type Rational, rational, read, sum } from "./rational.ts";

/** The laws of the reference on drawn histories with flips, ties, rebates, dust and what only just fits; I10 is in accounts.test.ts. */

const RUNS = { numRuns: 1000 };
const MARKETS = ["BTC-USDT", "ETH-USDT", "SOL-USD"];
/** What specific falls back on is fifo: without a file they are one. */
const FREE = METHODS.filter((method) => method !== "specific");
/** Of the 18th place. */
const UNIT = 10n ** 18n;

const total = (amounts: readonly Amount[]): Amount => amounts.reduce((all, amount) => all + amount, 0n);
const distance = (a: Amount, b: Amount): Amount => (a < b ? b - a : a - b);

/** Of both methods: average, and the one beside it. */
const BOTH = [0, 1] as const;

const grossOf = (steps: readonly Step[]): Amount[] =>
  BOTH.map((at) => total(steps.map(({ booked }) => booked.realised?.[at].gross ?? 0n)));
const recognisedOf = (steps: readonly Step[]): Amount[] =>
  BOTH.map((at) => total(steps.map(({ booked }) => booked.realised?.[at].fees ?? 0n)));

const picks = fc.array(fc.nat(), { minLength: 1, maxLength: 40 });

function named(fills: readonly PlainFill[], method: Method, drawn: readonly number[]): Designations {
  const markets = Map.groupBy(method === "specific" ? fills : [], ({ market }) => market);
  return new Map([...markets.values()].flatMap((own) => [...designationsOf(drawMatches(own.map(oracleFill), drawn))]));
}

describe.each(METHODS)("%s, and average beside it, after every fill", (method) => {
  test.prop([histories({ markets: MARKETS, most: 30 }), picks, fc.bigInt(1n, 10n ** 24n)], RUNS)(
    "I1 lots make up the position, I2 parts the fill; I3, I5 realised and unrealised the cash flow; I4 the same at every flat; I6 fees",
    (fills, drawn, mark) => {
      const steps = stepsOf(fills, method, { designations: named(fills, method, drawn) });
      for (const own of Map.groupBy(steps, ({ booked }) => booked.fill.market).values()) {
        for (const at of own.keys()) {
          expectLawful(own.slice(0, at + 1), mark);
        }
      }
    },
  );
});

function expectLawful(steps: readonly Step[], mark: bigint): void {
  const { booked, state } = steps.at(-1) as Step;
  const trades = steps.map(({ booked }) => booked.trade as Trade);
  const position = total(trades.map(({ sign, quantity }) => sign * quantity));
  const cashFlow = total(trades.map(({ sign, quantity, price }) => -sign * quantity * price));
  const [gross, recognised] = [grossOf(steps), recognisedOf(steps)];
  expect(state.position).toBe(position);
  expect(booked.opened + booked.closed).toBe(booked.trade?.quantity);
  expect(booked.openFee + booked.closeFee).toBe(booked.trade?.fee);
  for (const at of BOTH) {
    const lots = state.lots[at];
    const matched = booked.realised?.[at].matches.map(({ quantity }) => quantity) ?? [];
    const unrealised = total(lots.map(({ sign, quantity, value }) => sign * (quantity * mark - value)));
    expect(total(lots.map(({ sign, quantity }) => sign * quantity))).toBe(position);
    expect(total(matched)).toBe(booked.closed);
    expect(gross[at]).toBe(cashFlow + position * mark - unrealised);
    expect(recognised[at]).toBe(total(trades.map(({ fee }) => fee)) - total(lots.map(({ fee }) => fee)));
  }
  if (position === 0n) {
    expect(gross).toEqual([cashFlow, cashFlow]);
    expect(state.lots).toEqual([[], []]);
  }
}

describe.each(FREE)("%s, and average beside it", (method) => {
  test.prop([histories(), fc.nat(), fc.bigInt(1n, 99n)], RUNS)(
    "I7: a fill in two adjacent parts at its price changes no total, but for what each division rounds",
    (fills, place, percent) => {
      const at = place % fills.length;
      const before = stepsOf(fills, method);
      const after = stepsOf(fills.toSpliced(at, 1, ...parts(fills[at] as PlainFill, percent)), method);
      const bound = BigInt(fills.length + 1) * UNIT;
      expect(after.at(-1)?.state.position).toBe(before.at(-1)?.state.position);
      for (const nth of BOTH) {
        const moved = distance(grossOf(before)[nth] as Amount, grossOf(after)[nth] as Amount);
        expect(moved).toBeLessThanOrEqual(nth === 0 ? bound : 0n);
        expect(distance(recognisedOf(before)[nth] as Amount, recognisedOf(after)[nth] as Amount)).toBeLessThanOrEqual(
          bound,
        );
      }
    },
  );

  test.prop([histories({ largest: 10n ** 24n }), fc.bigInt(2n, 9n)], RUNS)(
    "I9: quantities, or prices, times k give the gross times k, but for what each division rounds",
    (fills, k) => {
      const [average = 0n, beside = 0n] = grossOf(stepsOf(fills, method));
      for (const what of ["quantity", "price"] as const) {
        const scaled = fills.map((fill) => ({ ...fill, [what]: text(times(fill[what], k)) }));
        const [averageNow = 0n, besideNow = 0n] = grossOf(stepsOf(scaled, method));
        expect(besideNow).toBe(k * beside);
        expect(distance(averageNow, k * average)).toBeLessThanOrEqual((k + 1n) * BigInt(fills.length) * UNIT);
      }
    },
  );
});

describe("I8: all sides swapped", () => {
  const swapped = (fills: readonly PlainFill[]): PlainFill[] =>
    fills.map((fill) => ({ ...fill, side: fill.side === "buy" ? "sell" : "buy" }));

  test.prop([histories({ most: 20 }), picks, fc.constantFrom<Method>("fifo", "lifo", "specific")], RUNS)(
    "negate the gross of average, fifo, lifo and specific",
    (fills, drawn, method) => {
      const designations = named(fills, method, drawn);
      const before = grossOf(stepsOf(fills, method, { designations }));
      expect(grossOf(stepsOf(swapped(fills), method, { designations }))).toEqual(before.map((gross) => -gross));
    },
  );

  test.prop([histories()], RUNS)(
    "under hifo give the negative of the method that takes the most gain first",
    (fills) => {
      const most = sum(oracle(fills.map(oracleFill), "most gain").map(({ gross }) => gross));
      const [, gross = 0n] = grossOf(stepsOf(swapped(fills), "hifo"));
      expect(rational(gross, 10n ** 36n)).toEqual(negative(most));
    },
  );
});

describe("within one instant", () => {
  const keys = fc.array(fc.nat(), { minLength: 1, maxLength: 40 });
  const instants = (fills: readonly PlainFill[]): PlainFill[][] => [...Map.groupBy(fills, tradeTime).values()];
  /** How many fills there are up to the end of each instant. */
  const ends = (fills: readonly PlainFill[]): number[] => {
    const times = fills.map(tradeTime);
    return [...new Set(times)].map((time) => times.lastIndexOf(time) + 1);
  };

  test.prop([histories(), keys, fc.constantFrom(...FREE)], RUNS)(
    "I11: any order gives the same at every later flat",
    (fills, drawn, method) => {
      const keyed = new Map(fills.map((fill, at) => [fill, drawn[at % drawn.length] ?? 0]));
      const other = instants(fills).flatMap((own) => own.toSorted((a, b) => (keyed.get(a) ?? 0) - (keyed.get(b) ?? 0)));
      const [steps, otherSteps] = [stepsOf(fills, method), stepsOf(other, method)];
      for (const end of ends(fills).filter((end) => steps[end - 1]?.booked.after === 0n)) {
        const [before, after] = [steps.slice(0, end), otherSteps.slice(0, end)];
        expect(grossOf(after)).toEqual(grossOf(before));
        expect(recognisedOf(after)).toEqual(recognisedOf(before));
      }
    },
  );

  test.prop([histories()], RUNS)("I12: under fifo buys before sells change nothing", (fills) => {
    const other = instants(fills).flatMap((own) => [
      ...own.filter(({ side }) => side === "buy"),
      ...own.filter(({ side }) => side === "sell"),
    ]);
    const [steps, otherSteps] = [stepsOf(fills, "fifo"), stepsOf(other, "fifo")];
    const lotsAt = (at: Step | undefined) => at?.state.lots[1].map(({ opener, quantity }) => ({ opener, quantity }));
    for (const end of ends(fills)) {
      expect(grossOf(otherSteps.slice(0, end))[1]).toBe(grossOf(steps.slice(0, end))[1]);
      expect(lotsAt(otherSteps[end - 1])).toEqual(lotsAt(steps[end - 1]));
    }
  });
});

/** So many percent of it, and the rest, its fee alike; as it is when it is too small for that. */
function parts(fill: PlainFill, percent: bigint): PlainFill[] {
  const [quantity, fee] = [times(fill.quantity, 1n), times(fill.fee, 1n)];
  const first = (quantity * percent) / 100n;
  const firstFee = (fee * first) / quantity;
  const rest = { ...fill, matchId: `${fill.matchId}b`, quantity: text(quantity - first), fee: text(fee - firstFee) };
  return first === 0n ? [fill] : [{ ...fill, quantity: text(first), fee: text(firstFee) }, rest];
}

/** × 10^18 */
function times(amount: string | null, k: bigint): bigint {
  const { n, d }: Rational = read(amount ?? "");
  return (k * n * 10n ** 18n) / d;
}

const text = (units: bigint): string => formatUnits(units);
