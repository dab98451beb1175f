import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import type { Realised, RoundTrip } from "../../lambda/accounting/booked.ts";
import type { OpenLot, Taken } from "../../lambda/accounting/cost-book.ts";
import { METHODS, type Method } from "../../lambda/accounting/method.ts";
import type { Designations } from "../../lambda/accounting/methods/specific.ts";
import { type Amount, totalOf, ZERO } from "../../lambda/core/amount.ts";
import { type Fill, tradeTime } from "../../lambda/core/fill.ts";
import { amountOf, rationalOf } from "../support/amounts.ts";
import { breaksAmong, histories, type Step, stepsOf } from "./draw.ts";
import {
  type OracleFill,
  type OracleLot,
  type OracleMatch,
  type OracleRow,
  oracle,
  oracleFill,
  oracleOverBreaks,
  oracleTrips,
} from "./oracle.ts";
import {
  add,
  compare,
  divide,
  least,
  magnitude,
  type Rational,
  rational,
  signOf,
  subtract,
  times,
} from "./rational.ts";

/** Two implementations must agree: lambda/accounting with decimals, and oracle.ts with fractions. */

const RUNS = { numRuns: 300 };
const FREE = METHODS.filter((method) => method !== "specific");

const byOpener = (a: { readonly opener: string }, b: { readonly opener: string }): number =>
  a.opener.localeCompare(b.opener);

function lotsSeen(lots: readonly OpenLot[]) {
  return lots
    .map(({ opener, sign, quantity, value, fee }) => ({ opener: opener.matchId ?? "", sign, quantity, value, fee }))
    .sort(byOpener);
}

function lotsTold({ lots, position }: OracleRow) {
  return lots
    .map((lot) => ({
      opener: lot.id,
      sign: signOf(position),
      quantity: amountOf(lot.quantity),
      value: amountOf(times(lot.quantity, lot.price)),
      fee: amountOf(lot.fee),
    }))
    .sort(byOpener);
}

/** A pool is a single lot. The second implementation gives only its sums. */
function poolTold({ position, openValue, deferredFee }: OracleRow) {
  const sign = signOf(position);
  const quantity = amountOf(magnitude(position));
  return sign === 0 ? [] : [{ sign, quantity, value: amountOf(openValue), fee: amountOf(deferredFee) }];
}

const takenSeen = ({ opener, quantity, openValue, openFee }: Taken) => ({
  opener: opener.matchId ?? "",
  quantity,
  openValue,
  openFee,
});

const takenTold = ({ id, quantity, price, fee }: OracleLot) => ({
  opener: id,
  quantity: amountOf(quantity),
  openValue: amountOf(times(quantity, price)),
  openFee: amountOf(fee),
});

function expectSame({ booked, state }: Step, method: Method, pool: OracleRow, row: OracleRow): void {
  const { position, closed, opened, closeFee, openFee } = row;
  expect({ ...booked, realised: null }).toMatchObject({
    after: amountOf(position),
    closed: amountOf(closed),
    opened: amountOf(opened),
    closeFee: amountOf(closeFee),
    openFee: amountOf(openFee),
    blank: null,
  });
  expect(state.position).toEqual(amountOf(position));
  const { realised } = booked;
  if (method === "average") {
    expect(state.lots).toMatchObject(poolTold(pool));
    expect(state.lots).toHaveLength(signOf(position) === 0 ? 0 : 1);
  } else {
    expect(lotsSeen(state.lots)).toEqual(lotsTold(row));
    expect((realised?.matches ?? []).map(takenSeen)).toEqual(row.taken.map(takenTold));
  }
  if (signOf(closed) === 0) {
    expect(realised).toBeNull();
    return;
  }
  const [own, beside] = method === "average" ? [pool, row] : [row, pool];
  expectRealised(realised, own);
  expect(realised?.compared).toMatchObject({
    gross: amountOf(beside.gross),
    fees: amountOf(add(beside.closeFee, beside.feeOut)),
  });
  if (method === "average") {
    expect(realised?.matches).toMatchObject([{ ...takenTold(pool.taken[0] as OracleLot), opener: {} }]);
  }
}

function expectRealised(realised: Realised | null, { gross, closeFee, feeOut }: OracleRow): void {
  expect(realised).toMatchObject({ gross: amountOf(gross), fees: amountOf(add(closeFee, feeOut)) });
  expect(totalOf(realised?.matches ?? [], (match) => match.gross)).toEqual(amountOf(gross));
  expect(totalOf(realised?.matches ?? [], (match) => match.closeFee)).toEqual(amountOf(closeFee));
}

describe("every figure of every fill agrees to the digit, if fractions are rounded where the reference rounds", () => {
  describe.each(FREE)("%s, beside average", (method) => {
    test.prop([histories()], RUNS)("agrees", (fills) => {
      const beside = method === "average" ? "fifo" : method;
      const own = fills.map(oracleFill);
      const [pool, rows] = [oracle(own, "average"), oracle(own, beside)];
      for (const [at, step] of stepsOf(fills, method).entries()) {
        expectSame(step, method, pool[at] as OracleRow, rows[at] as OracleRow);
      }
    });
  });

  test.prop([histories({ most: 20 }), fc.array(fc.nat(), { minLength: 1, maxLength: 40 })], RUNS)(
    "specific, with matches that the user names, agrees",
    (fills, picks) => {
      const own = fills.map(oracleFill);
      const matches = drawMatches(own, picks);
      const [pool, rows] = [oracle(own, "average"), oracle(own, "specific", { matches })];
      const designations = designationsOf(matches);
      for (const [at, step] of stepsOf(fills, "specific", { designations }).entries()) {
        const row = rows[at] as OracleRow;
        expectSame(step, "specific", pool[at] as OracleRow, row);
        const taken = step.booked.realised?.matches ?? [];
        const named = matches.get(step.booked.fill.matchId)?.length ?? 0;
        expect(taken.map(({ designated }) => designated)).toEqual(row.taken.map((_, nth) => nth < named));
      }
    },
  );
});

const BREAK = {
  before: null,
  after: null,
  closed: ZERO,
  opened: ZERO,
  realised: null,
  trip: null,
  blank: "break_declared",
};

test.prop([histories(), breaksAmong(), fc.constantFrom(...FREE)], RUNS)(
  "with declared breaks everything is blank until the end of the break, and then as in a market that begins with the declared position",
  (fills, among, method) => {
    const declared = among(fills);
    const breaks = declared.map(({ quantity, price, asOf, breakFrom }) => ({
      from: breakFrom,
      to: asOf,
      quantity: rationalOf(quantity),
      price: rationalOf(price ?? ZERO),
    }));
    const beside = method === "average" ? "fifo" : method;
    const own = fills.map((fill) => ({ ...oracleFill(fill), time: tradeTime(fill) }));
    const told = (by: Method) => oracleOverBreaks(own, breaks, by);
    const [pool, rows] = [told("average"), told(beside)];
    for (const [at, step] of stepsOf(fills, method, { declared }).entries()) {
      const row = rows[at] as OracleRow | null;
      if (row === null) {
        expect(step.booked).toMatchObject(BREAK);
        expect(step.state).toMatchObject({
          position: null,
          blank: "break_declared",
          lots: [],
        });
      } else {
        expectSame(step, method, pool[at] as OracleRow, row);
      }
    }
  },
);

const HALF = rational(1n, 2n * 10n ** 18n);

test.prop([histories()], RUNS)(
  "rounding gives each match its share of the remaining closing fee, to half a unit",
  (fills) => {
    for (const { booked } of stepsOf(fills, "hifo")) {
      let [fee, quantity] = [booked.closeFee, booked.closed];
      for (const match of booked.realised?.matches ?? []) {
        const exact = divide(times(rationalOf(fee), rationalOf(match.quantity)), rationalOf(quantity));
        expect(compare(distance(match.closeFee, exact), HALF)).not.toBe(1);
        [fee, quantity] = [fee.minus(match.closeFee), quantity.minus(match.quantity)];
      }
    }
  },
);

function distance(ours: Amount, exact: Rational): Rational {
  return magnitude(subtract(rationalOf(ours), exact));
}

test.prop([histories()], RUNS)("round trips run from flat to flat; a flip ends one and begins another", (fills) => {
  const own = fills.map(oracleFill);
  const trips = stepsOf(fills, "lifo").flatMap(({ booked: { trip } }) => (trip === null ? [] : [trip]));
  expect(trips).toEqual(
    oracleTrips(own, oracle(own, "fifo")).map((trip): RoundTrip => {
      const [first, last] = [fills[trip.first] as Fill, fills[trip.last] as Fill];
      const [openValue, closeValue] = [amountOf(trip.openValue), amountOf(trip.closeValue)];
      const fees = amountOf(trip.fees);
      const gross = trip.side === "long" ? closeValue.minus(openValue) : openValue.minus(closeValue);
      return {
        market: "BTC-USDT",
        currency: "USDT",
        side: trip.side,
        openedAt: first.filledAt as number,
        closedAt: last.filledAt as number,
        fills: trip.fills,
        declared: 0,
        most: amountOf(trip.most),
        quantity: amountOf(trip.quantity),
        openValue,
        closeValue,
        ...{ gross, fees, net: gross.minus(fees) },
        first: { matchId: first.matchId, orderId: first.orderId },
        last: { matchId: last.matchId, orderId: last.orderId },
      };
    }),
  );
});

/** Up to two lots for each close, whole or in part, chosen by the numbers in `picks`. */
function drawMatches(fills: readonly OracleFill[], picks: readonly number[]): Map<string, readonly OracleMatch[]> {
  const matches = new Map<string, readonly OracleMatch[]>();
  let used = 0;
  const pick = (): number => picks[used++ % picks.length] as number;
  for (const [at, fill] of fills.entries()) {
    const before = oracle(fills.slice(0, at), "specific", { matches }).at(-1);
    const isClose = before !== undefined && signOf(before.position) === -fill.sign;
    if (isClose && pick() % 3 > 0) {
      let left = least(fill.quantity, magnitude(before.position));
      let { lots } = before;
      const named: OracleMatch[] = [];
      while (named.length < 2 && signOf(left) > 0 && lots.length > 0) {
        const lot = lots[pick() % lots.length] as OracleLot;
        const most = least(left, lot.quantity);
        const quantity = pick() % 2 === 0 ? most : smaller(most);
        named.push({ open: lot.id, quantity });
        left = subtract(left, quantity);
        lots = lots.filter(({ id }) => id !== lot.id);
      }
      matches.set(fill.id, named);
    }
  }
  return matches;
}

/** About a third of the quantity, but more than nothing. */
function smaller(quantity: Rational): Rational {
  const third = units(quantity) / 3n;
  return third === 0n ? quantity : rational(third, 10n ** 18n);
}

function designationsOf(matches: ReadonlyMap<string, readonly OracleMatch[]>): Designations {
  const orderOf = (id: string): string => id.replace("M", "O");
  return new Map(
    [...matches].map(([id, named]) => [
      `${id}\u0000${orderOf(id)}`,
      named.map(({ open, quantity }, at) => ({
        openMatchId: open,
        openOrderId: orderOf(open),
        quantity: amountOf(quantity),
        where: `matches.csv, line ${at + 2}`,
      })),
    ]),
  );
}

/** × 10^18 */
function units({ n, d }: Rational): bigint {
  return (n * 10n ** 18n) / d;
}
