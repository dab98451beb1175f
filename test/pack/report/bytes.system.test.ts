import { expect, test } from "vitest";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { FillSums } from "../../../lambda/pack/tables/control.ts";
import { booksOf } from "../../accounting/make.ts";
import { closingOf, drawFills, pageOf, reportOf } from "../books.ts";

const PERIOD = parsePeriod("uk-2025-26");
const BOOKS = booksOf(drawFills(2000, PERIOD.from, PERIOD.to), { period: PERIOD });

test("a million fills do not make the page larger", () => {
  const sums = new FillSums();
  for (const posted of BOOKS.booked) {
    sums.add(posted);
  }
  const maker = reportOf(BOOKS.context, sums);
  for (let fills = 0; fills < 1_000_000; fills += BOOKS.booked.length) {
    expect(maker.add(BOOKS.booked)).toBe("");
  }
  const page = String(maker.end(closingOf(BOOKS)));
  expect(page.length).toBeLessThan(1.3 * pageOf(BOOKS).length);
  expect(page.length).toBeLessThan(2 ** 21);
});

test("a hundred years, a thousand markets and a hundred currencies make a page of a few megabytes", () => {
  const [from, to] = [Date.UTC(1980, 0, 1), Date.UTC(2080, 0, 1)];
  const period = { ...PERIOD, from, to, zone: "UTC", firstDay: "1980-01-01", lastDay: "2079-12-31" };
  const fills = drawFills(40_000, from, to).map((fill, at) => ({ ...fill, market: `M${at % 1000}-C${at % 100}` }));
  const page = pageOf(booksOf(fills, { period }));
  expect(page.length).toBeLessThan(10 * 2 ** 20);
});
