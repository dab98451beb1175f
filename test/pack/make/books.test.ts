import { fc, test } from "@fast-check/vitest";
import { expect } from "vitest";
import type { Booked } from "../../../lambda/accounting/booked.ts";
import { METHODS, methodsOf } from "../../../lambda/accounting/method.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import { Books, type BooksPlan } from "../../../lambda/pack/make/books.ts";
import { DATE_BY, type DateByName } from "../../../lambda/pack/make/date-by.ts";
import { makeFill } from "../../support/make-fill.ts";
import { prepareArchive } from "../archive.ts";
import { NO_INPUTS } from "../inputs.ts";

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

function planOf(fills: readonly Fill[], method: (typeof METHODS)[number], basisName: DateByName): BooksPlan {
  const since = Number.NEGATIVE_INFINITY;
  const own = { inputs: NO_INPUTS, contractTypes: new Map<string, string>() };
  return {
    accounts: [{ account: "main", ...prepareArchive(fills, 10 * DAY_MS, ALL), ...own, since }],
    basis: DATE_BY[basisName],
    methods: methodsOf(method),
  };
}

async function periodOf(plan: BooksPlan, from: number, to: number) {
  const books = await Books.at(plan, from);
  const booked: Booked[] = [];
  for await (const piece of books.until(to)) {
    booked.push(...piece);
  }
  return { booked, after: books.stateAt(to - 1) };
}

test.prop(
  [someFills, fc.constantFrom(...METHODS), fc.constantFrom<DateByName>("fill", "transaction"), fc.nat(DAYS - 2)],
  { numRuns: 150 },
)("the accounts of a period equal the end of the accounts from the beginning", async (draws, method, basis, day) => {
  const [from, to] = [FROM + day * DAY_MS + 17, ALL.to];
  const plan = planOf(fillsFrom(draws), method, basis);
  const whole = await periodOf(plan, FROM - DAY_MS, to);
  const period = await periodOf(plan, from, to);
  expect(period.booked).toEqual(whole.booked.filter(({ fill }) => plan.basis.timeOf(fill) >= from));
  expect(period.after).toEqual(whole.after);
});
