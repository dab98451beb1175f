import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { METHODS, methodsOf } from "../../../lambda/accounting/method.ts";
import type { Unit } from "../../../lambda/archive/read.ts";
import { identityOf } from "../../../lambda/core/fill.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { Books, type BooksPlan } from "../../../lambda/pack/make/books.ts";
import { DATE_BY, DATE_BY_NAMES } from "../../../lambda/pack/make/date-by.ts";
import { cutOffFillsOf, fillsOf, hashOfFills } from "../../../lambda/pack/make/selection.ts";
import { histories } from "../../accounting/draw.ts";
import { makeFill } from "../../support/make-fill.ts";
import { prepareArchive } from "../archive.ts";
import { NO_INPUTS } from "../inputs.ts";

const ALL = { from: 0, to: 10_000 };
const PERIOD = { from: 2000, to: 7000 };

/** Few times, so that many lie at the ends of a range. */
const hundreds = (count: number) => count * 100;

/** Fills whose two times may be far apart, with many ties. */
const someFills = fc.uniqueArray(
  fc
    .record({
      id: fc.nat(999),
      order: fc.nat(1),
      txCreated: fc.nat(99).map(hundreds),
      skew: fc.option(fc.integer({ min: -30, max: 30 }).map(hundreds)),
    })
    .map(({ id, order, txCreated, skew }) =>
      makeFill({
        matchId: `m${id}`,
        orderId: `o${order}`,
        txCreated,
        filledAt: skew === null ? null : txCreated + skew,
      }),
    ),
  { selector: identityOf, maxLength: 120 },
);

const range = fc
  .tuple(fc.integer({ min: -40, max: 140 }).map(hundreds), fc.nat(90).map(hundreds))
  .map(([from, width]) => ({ from, to: from + width }));

describe("the fills of a period", () => {
  test("are selected by each kind of time, in order, for any cut of the data files; cut-off fills are in it only by the other time", async () => {
    await fc.assert(
      fc.asyncProperty(
        someFills,
        fc.constantFrom(10, 100, 1000, 10_000),
        fc.oneof(range, fc.constant({ from: Number.NEGATIVE_INFINITY, to: 5000 })),
        fc.constantFrom(...DATE_BY_NAMES),
        async (fills, cellMs, asked, name) => {
          const source = prepareArchive(fills, cellMs, ALL);
          const { timeOf, otherTimeOf } = DATE_BY[name];
          const isIn = (time: number): boolean => asked.from <= time && time < asked.to;
          const expected = fills.filter((fill) => isIn(timeOf(fill)));
          const batches = await Array.fromAsync(fillsOf(source, asked, DATE_BY[name]));
          expect(batches.flat()).toEqual(expected.toSorted(DATE_BY[name].compare));
          expect(batches.every(({ length }) => length > 0 && length <= 30)).toBe(true);
          const hash = await hashOfFills(source, asked, DATE_BY[name]);
          expect(await hashOfFills(prepareArchive(expected, cellMs, ALL), asked, DATE_BY[name])).toBe(hash);
          for (const [at, one] of expected.entries()) {
            const changed = expected.with(at, makeFill({ ...one, fee: "9" }));
            expect(await hashOfFills(prepareArchive(changed, cellMs, ALL), asked, DATE_BY[name])).not.toBe(hash);
          }
          if (Number.isFinite(asked.from)) {
            const cutOff = (await Array.fromAsync(cutOffFillsOf(source, asked, DATE_BY[name]))).flat();
            const other = fills.filter((fill) => !isIn(timeOf(fill)) && isIn(otherTimeOf(fill)));
            expect(new Set(cutOff)).toEqual(new Set(other));
            expect(cutOff).toHaveLength(other.length);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test("are given before later data files are read, so memory does not grow with the period", async () => {
    const fills = Array.from({ length: 100 }, (_, at) =>
      makeFill({ matchId: `m${at}`, txCreated: 2000 + at * 10, filledAt: null }),
    );
    const source = prepareArchive(fills, 100, ALL);
    const { reads } = source;
    let given = 0;
    for await (const batch of fillsOf(source, PERIOD, DATE_BY.fill)) {
      given += batch.length;
      expect(reads.length).toBe(given / 10);
    }
    expect(given).toBe(100);
  });

  test("are refused if a data file holds times that differ from the manifest", async () => {
    const source = prepareArchive([makeFill({ txCreated: 3000, filledAt: 3500 })], 1000, ALL);
    const dataFiles = source.manifest.dataFiles.map((file) => ({ ...file, firstTrade: 3501, lastTrade: 3501 }));
    const readUnit = () =>
      source.readUnit({ ...source.manifest.dataFiles[0], files: source.manifest.dataFiles } as Unit);
    const wrong = { manifest: { ...source.manifest, dataFiles }, readUnit };
    await expect(Array.fromAsync(fillsOf(wrong, PERIOD, DATE_BY.fill))).rejects.toMatchObject({
      kind: "untrusted",
    });
  });
});

test.each(DATE_BY_NAMES)("by %s, the hash reads only data files at the ends of the range", async (name) => {
  const begin = Date.UTC(2015, 0, 1);
  const days = Array.from({ length: 3650 }, (_, day) => begin + day * DAY_MS);
  const fills = days.map((time, at) => makeFill({ matchId: `m${at}`, txCreated: time + 5000, filledAt: time + 4000 }));
  const { reads, ...source } = prepareArchive(fills, 10 * DAY_MS, ALL);
  await hashOfFills(source, { from: Number.NEGATIVE_INFINITY, to: begin + 2000 * DAY_MS + 4500 }, DATE_BY[name]);
  expect(reads.map((key) => key.slice(0, 31))).toEqual(["main/fills/month=2020-06/202006"]);
});

async function periodOf(plan: BooksPlan, from: number, to: number) {
  const books = await Books.at(plan, from);
  const booked = (await Array.fromAsync(books.until(to))).flat();
  return { booked, after: books.stateAt(to - 1) };
}

const drawnFills = histories({ markets: ["BTC-USDT", "ETH-USD"], most: 60 }).map((fills) =>
  fills.map((fill, at) => makeFill({ ...fill, filledAt: fill.txCreated + ((at * 7) % 11) * 1000 - 5000 })),
);

test.prop([drawnFills, fc.constantFrom(...METHODS), fc.constantFrom(...DATE_BY_NAMES), fc.nat(59)], { numRuns: 150 })(
  "the accounts of a period equal the end of the accounts from the beginning",
  async (fills, method, basis, at) => {
    const times = fills.map(({ txCreated }) => txCreated);
    const all = { from: Math.min(...times) - DAY_MS, to: Math.max(...times) + DAY_MS };
    const own = { inputs: NO_INPUTS, contractTypes: new Map<string, string>(), since: Number.NEGATIVE_INFINITY };
    const plan = {
      accounts: [{ account: "main", ...prepareArchive(fills, 10 * DAY_MS, all), ...own }],
      basis: DATE_BY[basis],
      methods: methodsOf(method),
      borders: [],
    };
    const from = (times[at % times.length] ?? 0) + 17;
    const [whole, period] = [await periodOf(plan, all.from, all.to), await periodOf(plan, from, all.to)];
    expect(period.booked).toEqual(whole.booked.filter(({ fill }) => plan.basis.timeOf(fill) >= from));
    expect(period.after).toEqual(whole.after);
  },
);
