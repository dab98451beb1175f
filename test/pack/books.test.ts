import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { METHODS, methodsOf } from "../../lambda/accounting/method.ts";
import type { Fill } from "../../lambda/model/fill.ts";
import { BASIS, type BasisName } from "../../lambda/pack/basis.ts";
import { Books, type BooksPlan } from "../../lambda/pack/books.ts";
import { monthStarts } from "../../lambda/pack/history.ts";
import { stateRecord } from "../../lambda/pack/state-file.ts";
import { makeFill } from "../support/make-fill.ts";
import { memoryStore } from "../support/memory-store.ts";
import { calendarOf, prepareArchive } from "./archive.ts";

const DAY_MS = 86_400_000;
const FROM = Date.UTC(2024, 10, 20);
const DAYS = 100;
const ALL = { from: FROM, to: FROM + DAYS * DAY_MS };

const someFills = fc.array(
  fc.record({
    minutes: fc.nat(DAYS * 24 * 60 - 1),
    skewMs: fc.integer({ min: -5000, max: 5000 }),
    market: fc.constantFrom("BTC-USDT", "ETH-USD"),
    side: fc.constantFrom("buy", "sell"),
    quantity: fc.integer({ min: 1, max: 30 }),
    price: fc.integer({ min: 90, max: 110 }),
    fee: fc.integer({ min: -3, max: 9 }),
  }),
  { minLength: 1, maxLength: 80 },
);

type Draw = typeof someFills extends fc.Arbitrary<infer T> ? T : never;

function fillsFrom(draws: Draw): Fill[] {
  return draws.map(({ minutes, skewMs, market, side, quantity, price, fee }, at) => {
    const txCreated = FROM + minutes * 60_000;
    const text = { quantity: `${quantity}.5`, price: String(price), fee: `${fee < 0 ? "-" : ""}0.${Math.abs(fee)}` };
    return makeFill({ matchId: `m${at}`, txCreated, filledAt: txCreated + skewMs, market, side, ...text });
  });
}

async function planOf(fills: readonly Fill[], method: (typeof METHODS)[number], basisName: BasisName) {
  const { entries, readPart, reads } = prepareArchive(fills, 10 * DAY_MS, ALL);
  const basis = BASIS[basisName];
  const methods = methodsOf(method);
  const plan: BooksPlan = {
    store: memoryStore(),
    account: "main",
    calendar: await calendarOf(entries),
    basis,
    readPart,
    since: Number.NEGATIVE_INFINITY,
    rests: { methods },
    keeps: true,
    accounts: {
      methods,
      designations: new Map(),
      declared: [],
      fromBeginning: true,
      isLinear: () => true,
      timeOf: basis.timeOf,
    },
  };
  return { plan, reads };
}

async function periodOf(plan: BooksPlan, from: number, to: number) {
  const books = await Books.at(plan, from);
  const before = books.stateAt(from);
  const booked: unknown[] = [];
  for await (const batch of books.until(to)) {
    booked.push(...batch);
  }
  return { before, booked, after: books.stateAt(to - 1), ties: books.ties };
}

describe("the accounts of a period", () => {
  test.prop(
    [someFills, fc.constantFrom(...METHODS), fc.constantFrom<BasisName>("fill", "transaction"), fc.nat(DAYS - 2)],
    { numRuns: 150 },
  )("are the same from a kept state as from the beginning", async (draws, method, basis, day) => {
    const fills = fillsFrom(draws);
    const [from, to] = [FROM + day * DAY_MS + 17, ALL.to];
    const { plan } = await planOf(fills, method, basis);
    const whole = await periodOf({ ...plan, keeps: false }, from, to);
    const keeping = await periodOf(plan, from, to);
    const again = await periodOf(plan, from, to);
    expect(keeping).toEqual(whole);
    expect(again).toEqual(whole);
  });

  test("need no fill from before the month that they begin in, once they were reckoned", async () => {
    const fills = Array.from({ length: DAYS }, (_, day) =>
      makeFill({ matchId: `m${day}`, txCreated: FROM + day * DAY_MS, filledAt: null }),
    );
    const { plan, reads } = await planOf(fills, "fifo", "fill");
    await periodOf(plan, ALL.to - DAY_MS, ALL.to);
    const first = reads.length;
    reads.length = 0;
    await periodOf(plan, ALL.to - DAY_MS, ALL.to);
    expect(reads.length).toBeLessThan(first);
    // February 2025 begins on day 73 of 100, in the eighth of ten parts; looking at where a month is cut reads a part too.
    expect(new Set(reads).size).toBeLessThanOrEqual(4);
  });

  test("are reckoned anew when an earlier fill has changed, or the settings have", async () => {
    const fills = Array.from({ length: DAYS }, (_, day) =>
      makeFill({ matchId: `m${day}`, txCreated: FROM + day * DAY_MS, filledAt: null }),
    );
    const { plan } = await planOf(fills, "fifo", "fill");
    await periodOf(plan, ALL.to - DAY_MS, ALL.to);
    const changed = fills.map((fill, at) => (at === 3 ? { ...fill, quantity: "7" } : fill));
    const { plan: other } = await planOf(changed, "fifo", "fill");
    const fresh = await periodOf({ ...other, keeps: false }, ALL.to - DAY_MS, ALL.to);
    expect(await periodOf({ ...other, store: plan.store }, ALL.to - DAY_MS, ALL.to)).toEqual(fresh);
    const { plan: lifo } = await planOf(fills, "lifo", "fill");
    const apart = await periodOf({ ...lifo, keeps: false }, ALL.to - DAY_MS, ALL.to);
    expect(await periodOf({ ...lifo, store: plan.store }, ALL.to - DAY_MS, ALL.to)).toEqual(apart);
    expect(stateRecord(apart.after)).not.toEqual(stateRecord(fresh.after));
  });
});

test("beginnings of months lie after the one end and not after the other", () => {
  const iso = (times: readonly number[]) => times.map((time) => new Date(time).toISOString().slice(0, 10));
  expect(iso(monthStarts(Date.UTC(2024, 10, 1), Date.UTC(2025, 1, 1)))).toEqual([
    "2024-12-01",
    "2025-01-01",
    "2025-02-01",
  ]);
  expect(monthStarts(Date.UTC(2024, 10, 20), Date.UTC(2024, 11, 1) - 1)).toEqual([]);
});
