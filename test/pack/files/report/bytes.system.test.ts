import { describe, expect, test } from "vitest";
import { parsePeriod } from "../../../../lambda/core/period.ts";
import { reportMaker } from "../../../../lambda/pack/files/report/report.ts";
import { keeper, MOST_TRIPS } from "../../../../lambda/pack/files/report/shown-trades.ts";
import { booksOf } from "../../../accounting/make.ts";
import { closingOf, drawFills, pageOf } from "./make.ts";

const PERIOD = parsePeriod("uk-2025");
const BOOKS = booksOf(drawFills({ seed: 5, fills: 2000, from: PERIOD.from, to: PERIOD.to }), { period: PERIOD });

test("equal fills give equal bytes, however they are cut into batches", () => {
  const pages = [1, 7, 1999, 5000].map((size) => pageOf(BOOKS, { size }));
  expect(new Set(pages).size).toBe(1);
});

describe("a million fills", () => {
  const MILLION = 1_000_000;
  const times = MILLION / BOOKS.booked.length;

  test("are kept as a few", () => {
    const keeping = keeper(PERIOD);
    for (let time = 0; time < times; time += 1) {
      for (const booked of BOOKS.booked) {
        keeping.add(booked);
      }
    }
    const { markets, trips } = keeping.kept;
    expect(markets.size).toBe(6);
    const lists = [...trips.values()].flatMap(({ largestGains, largestLosses }) => [largestGains, largestLosses]);
    expect(lists.map((list) => list.length)).toEqual(lists.map(() => MOST_TRIPS));
    const won = BOOKS.booked.filter(({ trip }) => (trip?.gross ?? 0n) > 0n).length;
    expect([...trips.values()].reduce((sum, own) => sum + own.won, 0)).toBe(times * won);
  });

  test("make no larger page than a few", () => {
    const maker = reportMaker(BOOKS.context);
    for (let time = 0; time < times; time += 1) {
      expect(maker.add(BOOKS.booked)).toBe("");
    }
    const page = String(maker.end(closingOf(BOOKS)));
    expect(page.length).toBeLessThan(1.3 * pageOf(BOOKS).length);
    expect(page.length).toBeLessThan(2 ** 21);
  });

  test("of a hundred years, a thousand markets and a hundred currencies make a page of a few megabytes", () => {
    const period = { ...PERIOD, from: Date.UTC(1980, 0, 1), to: Date.UTC(2080, 0, 1), zone: "UTC" };
    const years = { ...period, firstDay: "1980-01-01", lastDay: "2079-12-31" };
    const drawn = drawFills({ seed: 8, fills: 40_000, from: period.from, to: period.to });
    const fills = drawn.map((fill, at) => ({ ...fill, market: `M${at % 1000}-C${at % 100}` }));
    const page = pageOf(booksOf(fills, { period: years }));
    expect(page.length).toBeLessThan(10 * 2 ** 20);
  });
});
