import { expect, test } from "vitest";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { booksOf } from "../../accounting/make.ts";
import { drawFills, pageOf } from "../books.ts";

const PERIOD = parsePeriod("uk-2025-26");

test("a hundred years, a thousand markets and a hundred currencies make a page of a few megabytes", () => {
  const [from, to] = [Date.UTC(1980, 0, 1), Date.UTC(2080, 0, 1)];
  const period = { ...PERIOD, from, to, zone: "UTC", firstDay: "1980-01-01", lastDay: "2079-12-31" };
  const fills = drawFills(40_000, from, to).map((fill, at) => ({ ...fill, market: `M${at % 1000}-C${at % 100}` }));
  const page = pageOf(booksOf(fills, { period }));
  expect(page.length).toBeLessThan(10 * 2 ** 20);
});
