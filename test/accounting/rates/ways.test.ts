import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import type { RateFile } from "../../../lambda/accounting/rates/rate-file.ts";
import { createRates } from "../../../lambda/accounting/rates/rates.ts";
import { rationalOf } from "../../support/amounts.ts";
import { divide, type Rational, rational, times } from "../rational.ts";
import { own } from "./make.ts";

const ONE = rational(1n);

const CURRENCIES = ["AUD", "EUR", "GBP", "USD", "USDT"] as const;
const DAYS = Array.from({ length: 25 }, (_, at) => `2025-01-${String(at + 1).padStart(2, "0")}`);
const day = fc.constantFrom(...DAYS);
const currency = fc.constantFrom(...CURRENCIES);
const pair = fc.tuple(currency, currency).filter(([one, other]) => one !== other);

/** Two publishers: the files 0 and 2, and the files 1 and 3. */
const labelOf = (file: number) => `publisher ${file % 2}`;

/** A drawn rate. Its pair keeps the drawn order, so that files differ in direction. */
interface Drawn {
  readonly file: number;
  readonly day: string;
  readonly base: string;
  readonly quote: string;
  readonly rate: number;
}

const drawn = fc
  .array(fc.record({ file: fc.nat(3), day, pair, rate: fc.integer({ min: 1, max: 9999 }) }), { maxLength: 14 })
  .map((all): Drawn[] => {
    // One direction for a file and pair, one rate for a day and pair. Other tests cover contradictions, which
    // are refused.
    const known = new Map<string, Drawn>();
    const ways = new Map<string, readonly [string, string]>();
    for (const { file, day, pair, rate } of all) {
      const sorted = pair.toSorted().join();
      const [base, quote] = ways.get(sorted) ?? pair;
      ways.set(sorted, [base, quote]);
      const earlier = [...known.values()].find((one) => one.day === day && one.base === base && one.quote === quote);
      known.set(`${file} ${sorted} ${day}`, { file, day, base, quote, rate: earlier?.rate ?? rate });
    }
    return [...known.values()];
  });
const pars = fc.constantFrom<Readonly<Record<string, string>>>({}, {}, { USDC: "USD" }, { USDC: "USDT", BUSD: "USDC" });

function filesOf(rates: readonly Drawn[]): RateFile[] {
  const files = Map.groupBy(rates, ({ file }) => file);
  return [...files].map(([at, lines]) => {
    const written = lines.map(({ day, base, quote, rate }) => `${day},${base},${quote},${rate / 100},x`);
    const read = own(`${at}.csv`, ...written);
    const file = { name: read.name, label: labelOf(at) };
    return { ...read, ...file, rates: read.rates.map((rate) => ({ ...rate, file })) };
  });
}

interface Step {
  readonly rank: number;
  readonly rate: Rational;
  readonly date: string;
}

/** The same rule, slow and obvious: lists every conversion and sorts them. */
function obvious(
  rates: readonly Drawn[],
  declared: Readonly<Record<string, string>>,
  ends: readonly [string, string],
  day: string,
) {
  const [from, to] = ends.toSorted() as [string, string];
  const oldest = new Date(Date.parse(day) - 7 * 86_400_000).toISOString().slice(0, 10);
  const stepsOf = (one: string, other: string, isOver: boolean): Step[] => {
    if (declared[one] === other || declared[other] === one) {
      return [{ rank: -1, rate: ONE, date: "" }];
    }
    const own = rates.filter(({ base, quote }) => [base, quote].includes(one) && [base, quote].includes(other));
    const sources = [...Map.groupBy(own, ({ file }) => labelOf(file))].map(([label, all]) => ({
      rank: Math.min(...rates.filter((other) => labelOf(other.file) === label).map(({ file }) => file)),
      isOver: all.every((rate) => rate.day < day),
      end: Math.max(...all.map((rate) => Date.parse(rate.day))),
      holding: all.filter((rate) => oldest <= rate.day && rate.day <= day).sort((a, b) => (a.day < b.day ? 1 : -1)),
    }));
    return sources
      .filter(({ holding }) => holding.length > 0)
      .filter((source) => isOver || !source.isOver)
      .sort((a, b) => Number(a.isOver) - Number(b.isOver) || (a.isOver ? b.end - a.end : 0) || a.rank - b.rank)
      .slice(0, 1)
      .flatMap(({ rank, holding }) =>
        holding.slice(0, 1).map(({ base, rate, day: date }) => {
          const value = rational(BigInt(rate), 100n);
          return { rank, rate: base === one ? value : divide(ONE, value), date };
        }),
      );
  };
  const middles = [...CURRENCIES, "USDC", "BUSD"].filter((one) => one !== from && one !== to).sort();
  const routes = [
    [],
    ...middles.map((one) => [one]),
    ...middles.flatMap((one) => middles.filter((other) => other !== one).map((other) => [one, other])),
  ];
  const ways = [false, true].flatMap((isOver) =>
    routes.flatMap((route) => {
      const stops = [from, ...route, to];
      const steps = stops.slice(1).flatMap((stop, at) => stepsOf(stops[at] ?? "", stop, isOver));
      return steps.length === stops.length - 1 ? [{ isOver, stops, steps }] : [];
    }),
  );
  const key = ({ isOver, stops, steps }: (typeof ways)[number]) =>
    [Number(isOver), steps.length, ...steps.map(({ rank }) => rank + 2), ...stops].join(" ");
  const [best] = ways.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  if (best === undefined) {
    return null;
  }
  const rate = best.steps.reduce((product, step) => times(product, step.rate), ONE);
  const [date = ""] = best.steps
    .map((step) => step.date)
    .filter((one) => one !== "")
    .sort();
  return { rate: ends[0] === from ? rate : divide(ONE, rate), date };
}

const ends = fc
  .tuple(fc.constantFrom(...CURRENCIES, "USDC"), fc.constantFrom(...CURRENCIES, "BUSD"))
  .filter(([one, other]) => one !== other);

describe("ways between currencies", () => {
  test.prop([drawn, pars, ends, day], { numRuns: 2000 })(
    "equal the second implementation of the rule, and are from the same sources in the other direction",
    (rates, declared, [from, to], on) => {
      const book = createRates(filesOf(rates), declared);
      const found = book.find(from, to, on);
      const expected = obvious(rates, declared, [from, to], on);
      expect(found === null).toBe(expected === null);
      if (found !== null && expected !== null) {
        const { numerator, denominator } = found.ratio;
        expect(divide(rationalOf(numerator), rationalOf(denominator))).toEqual(expected.rate);
        expect(found.rateDate).toBe(expected.date);
        expect(book.find(to, from, on)?.source.split("; ").toReversed()).toEqual(found.source.split("; "));
      }
    },
  );
});
