import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import type { Amount } from "../../lambda/accounting/amount.ts";
import type { Realised, RoundTrip } from "../../lambda/accounting/booked.ts";
import type { OpenLot, Taken } from "../../lambda/accounting/cost-book.ts";
import { METHODS, type Method } from "../../lambda/accounting/method.ts";
import { type Fill, tradeTime } from "../../lambda/core/fill.ts";
import { breaksAmong, histories, type Step, stepsOf } from "./draw.ts";
import { designationsOf, drawMatches } from "./draw-matches.ts";
import {
  type OracleFill,
  type OracleLot,
  type OracleMatch,
  type OracleRow,
  oracle,
  oracleFill,
  oracleOverBreaks,
  oracleTrips,
  TO_18_PLACES,
} from "./oracle.ts";
import { add, compare, magnitude, type Rational, rational, signOf, subtract, sum, times } from "./rational.ts";

/** Two implementations must agree: lambda/accounting with scaled integers, and oracle.ts with fractions. */

const RUNS = { numRuns: 300 };
const FREE = METHODS.filter((method) => method !== "specific");

/** × 10^36, as the accounts hold it. The value must be exact. */
function amount({ n, d }: Rational): Amount {
  expect(10n ** 36n % d).toBe(0n);
  return (n * 10n ** 36n) / d;
}

/** × 10^18 */
function units({ n, d }: Rational): bigint {
  expect(10n ** 18n % d).toBe(0n);
  return (n * 10n ** 18n) / d;
}

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
      sign: BigInt(signOf(position)),
      quantity: units(lot.quantity),
      value: amount(times(lot.quantity, lot.price)),
      fee: amount(lot.fee),
    }))
    .sort(byOpener);
}

/** A pool is a single lot. The second implementation gives only its sums. */
function poolTold({ position, openValue, deferredFee }: OracleRow) {
  const sign = signOf(position);
  const quantity = units(magnitude(position));
  return sign === 0 ? [] : [{ sign: BigInt(sign), quantity, value: amount(openValue), fee: amount(deferredFee) }];
}

const takenSeen = ({ opener, quantity, openValue, openFee }: Taken) => ({
  opener: opener.matchId ?? "",
  quantity,
  openValue,
  openFee,
});

const takenTold = ({ id, quantity, price, fee }: OracleLot) => ({
  opener: id,
  quantity: units(quantity),
  openValue: amount(times(quantity, price)),
  openFee: amount(fee),
});

function expectSame({ booked, state }: Step, method: Method, pool: OracleRow, row: OracleRow): void {
  const { position, closed, opened, closeFee, openFee } = row;
  expect({ ...booked, realised: null }).toMatchObject({
    after: units(position),
    closed: units(closed),
    opened: units(opened),
    closeFee: amount(closeFee),
    openFee: amount(openFee),
    blank: null,
  });
  expect(state.position).toBe(units(position));
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
  expect(realised?.compared).toEqual({
    gross: amount(beside.gross),
    fees: amount(add(beside.closeFee, beside.feeOut)),
  });
  if (method === "average") {
    expect(realised?.matches).toMatchObject([{ ...takenTold(pool.taken[0] as OracleLot), opener: {} }]);
  }
}

function expectRealised(realised: Realised | null, { gross, closeFee, feeOut }: OracleRow): void {
  expect(realised).toMatchObject({ gross: amount(gross), fees: amount(add(closeFee, feeOut)) });
  expect(realised?.matches.reduce((all, match) => all + match.gross, 0n)).toBe(amount(gross));
  expect(realised?.matches.reduce((all, match) => all + match.closeFee, 0n)).toBe(amount(closeFee));
}

describe("every figure of every fill agrees to the digit, if fractions are rounded where the reference rounds", () => {
  const told = (fills: readonly OracleFill[], method: Method, matches?: Map<string, readonly OracleMatch[]>) =>
    oracle(fills, method, { round: TO_18_PLACES, ...(matches === undefined ? {} : { matches }) });

  describe.each(FREE)("%s, beside average", (method) => {
    test.prop([histories()], RUNS)("agrees", (fills) => {
      const beside = method === "average" ? "fifo" : method;
      const own = fills.map(oracleFill);
      const [pool, rows] = [told(own, "average"), told(own, beside)];
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
      const [pool, rows] = [told(own, "average"), told(own, "specific", matches)];
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

describe("with breaks that the user declares", () => {
  const BREAK = {
    before: null,
    after: null,
    closed: 0n,
    opened: 0n,
    realised: null,
    trip: null,
    blank: "break_declared",
  };

  test.prop([histories(), breaksAmong(), fc.constantFrom(...FREE)], RUNS)(
    "everything is blank until the end of the break, and then as in a market that begins with the declared position",
    (fills, among, method) => {
      const declared = among(fills);
      const breaks = declared.map(({ quantity, price, asOf, breakFrom }) => ({
        from: breakFrom,
        to: asOf,
        quantity: rational(quantity, 10n ** 18n),
        price: rational(price ?? 0n, 10n ** 18n),
      }));
      const beside = method === "average" ? "fifo" : method;
      const own = fills.map((fill) => ({ ...oracleFill(fill), time: tradeTime(fill) }));
      const told = (by: Method) => oracleOverBreaks(own, breaks, by, { round: TO_18_PLACES });
      const [pool, rows] = [told("average"), told(beside)];
      for (const [at, step] of stepsOf(fills, method, { declared }).entries()) {
        const row = rows[at] as OracleRow | null;
        if (row === null) {
          expect(step.booked).toMatchObject(BREAK);
          expect(step.state).toEqual({
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
});

describe("rounding", () => {
  const HALF = rational(1n, 2n * 10n ** 18n);

  test.prop([histories()], RUNS)(
    "changes a figure by at most half a unit of the 18th place for each close since the market was flat, plus one",
    (fills) => {
      const rows = oracle(fills.map(oracleFill), "average");
      let closes = 0n;
      for (const [at, { booked, state }] of stepsOf(fills, "average").entries()) {
        const row = rows[at] as OracleRow;
        closes += booked.closed > 0n ? 1n : 0n;
        const bound = times(rational(closes + 1n), HALF);
        expect(compare(distance(booked.closeFee, row.closeFee), HALF)).not.toBe(1);
        expect(compare(distance(booked.realised?.gross ?? 0n, row.gross), bound)).not.toBe(1);
        expect(compare(distance(state.lots[0]?.value ?? 0n, row.openValue), bound)).not.toBe(1);
        closes = state.position === 0n || (booked.closed > 0n && booked.opened > 0n) ? 0n : closes;
      }
    },
  );

  test.prop([histories()], RUNS)("changes no sum: whenever a market is flat, its total PnL is exact", (fills) => {
    const rows = oracle(fills.map(oracleFill), "average");
    const steps = stepsOf(fills, "average");
    const flats = [...steps.keys()].filter((at) => steps[at]?.booked.after === 0n);
    for (const flat of flats) {
      const exact = amount(sum(rows.slice(0, flat + 1).map((row) => row.gross)));
      const until = steps.slice(0, flat + 1).map(({ booked }) => booked.realised);
      expect(until.reduce((all, realised) => all + (realised?.gross ?? 0n), 0n)).toBe(exact);
      expect(until.reduce((all, realised) => all + (realised?.compared.gross ?? 0n), 0n)).toBe(exact);
    }
  });

  test.prop([histories()], RUNS)("gives each match its share of the remaining closing fee, to half a unit", (fills) => {
    for (const { booked } of stepsOf(fills, "hifo")) {
      let [fee, quantity] = [booked.closeFee, booked.closed];
      for (const match of booked.realised?.matches ?? []) {
        const exact = rational(fee * match.quantity, quantity * 10n ** 36n);
        expect(compare(distance(match.closeFee, exact), HALF)).not.toBe(1);
        [fee, quantity] = [fee - match.closeFee, quantity - match.quantity];
      }
    }
  });

  function distance(ours: Amount, exact: Rational): Rational {
    return magnitude(subtract(rational(ours, 10n ** 36n), exact));
  }
});

describe("round trips", () => {
  test.prop([histories()], RUNS)("run from flat to flat; a flip ends one and begins another", (fills) => {
    const own = fills.map(oracleFill);
    const trips = stepsOf(fills, "lifo").flatMap(({ booked: { trip } }) => (trip === null ? [] : [trip]));
    expect(trips).toEqual(
      oracleTrips(own, oracle(own, "fifo", { round: TO_18_PLACES })).map((trip): RoundTrip => {
        const [first, last] = [fills[trip.first] as Fill, fills[trip.last] as Fill];
        const [openValue, closeValue] = [amount(trip.openValue), amount(trip.closeValue)];
        return {
          market: "BTC-USDT",
          currency: "USDT",
          side: trip.side,
          openedAt: first.filledAt as number,
          closedAt: last.filledAt as number,
          fills: trip.fills,
          most: units(trip.most),
          quantity: units(trip.quantity),
          openValue,
          closeValue,
          gross: trip.side === "long" ? closeValue - openValue : openValue - closeValue,
          fees: amount(trip.fees),
          first: { matchId: first.matchId, orderId: first.orderId },
          last: { matchId: last.matchId, orderId: last.orderId },
        };
      }),
    );
  });
});
