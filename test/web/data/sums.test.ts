import { Decimal } from "decimal.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { customPeriod } from "../../../lambda/core/period.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { exportPack } from "../../../lambda/job/export-pack.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import { findPack } from "../../../lambda/web/data/catalogue.ts";
import { comparePacks } from "../../../lambda/web/data/comparison.ts";
import { sumChanges } from "../../../lambda/web/data/csv-changes.ts";
import { makeHistory } from "../../emulator/history.ts";
import { makeBench, NOW } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { text } from "../../support/store-text.ts";
import { booksIn } from "./hand-written.ts";

const HEAD = "scope,market,currency,method,chosen,gross_pnl,fees_paid,funding\r\n";

test("sums of currencies always, of markets where they differ, by the chosen method of each", () => {
  const before = `${HEAD}total,,EUR,fifo,yes,1,0.5,\r\ntotal,,USD,average,,9,9,\r\ntotal,,USD,fifo,yes,10.25,3,\r\nmonth,,USD,fifo,yes,8,8,\r\nmarket,BTC-USD,USD,fifo,yes,4,1,\r\nmarket,ETH-USD,USD,fifo,yes,,2,\r\nmonth_market,ETH-USD,USD,fifo,yes,7,7,\r\n`;
  const after = `${HEAD}total,,USD,average,yes,-0.75,3,1\r\ntotal,,USD,fifo,,10.25,3,1\r\nmarket,BTC-USD,USD,average,yes,4,1,\r\nmarket,ETH-USD,USD,average,yes,5,2,\r\nmarket,SOL-USD,USD,average,yes,0,0.1,\r\n`;
  const lines = sumChanges(before, after).map(
    ({ currency, market, figure, before: was, after: is, difference }) =>
      `${currency} ${market} ${figure}: ${was} > ${is} = ${difference}`,
  );
  expect(lines).toEqual([
    "EUR null gross_pnl: 1 >  = null",
    "EUR null fees_paid: 0.5 >  = null",
    "USD null gross_pnl: 10.25 > -0.75 = -11",
    "USD null fees_paid: 3 > 3 = 0",
    "USD null funding:  > 1 = null",
    "USD ETH-USD gross_pnl:  > 5 = null",
    "USD SOL-USD gross_pnl:  > 0 = null",
    "USD SOL-USD fees_paid:  > 0.1 = null",
  ]);
});

test("differences are exact, as decimal.js reckons them; of longer numbers than are read here there is none", () => {
  const Exact = Decimal.clone({ precision: 60 });
  const amount = fc
    .tuple(fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }), fc.integer({ min: 0, max: 18 }))
    .map(([digits, places]) => new Exact(digits.toString()).div(new Exact(10).pow(18 + (places % 2))))
    .map((value) => value.toDecimalPlaces(18).toFixed());
  const gross = (text: string) => `${HEAD}total,,USD,fifo,yes,${text},,\r\n`;
  fc.assert(
    fc.property(amount, amount, (before, after) => {
      const [change] = sumChanges(gross(before), gross(after));
      expect(change).toMatchObject({ before, after, difference: new Exact(after).sub(before).toFixed() });
    }),
  );
  expect(sumChanges(gross(`0.${"1".repeat(19)}`), gross("1"))[0]?.difference).toBeNull();
  expect(sumChanges("\uFEFF", "x\r\n1\r\n")).toEqual([]);
});

test("of packs by average and by fifo that the program made: realised and fees of each currency, as each has them", async () => {
  const from = NOW - 32 * DAY_MS;
  const store = memoryStore();
  const { job } = makeBench({ history: makeHistory({ seed: 8, fills: 200, from, to: NOW }), job: { store } });
  await syncArchive(job, { from, to: NOW });
  const request = { period: customPeriod("2026-01-02", "2026-02-01"), basis: "fill", allowIncomplete: false } as const;
  const books = booksIn(store);
  const made = async (method: "average" | "fifo") => {
    const { period, dir } = await exportPack(job, { ...request, method });
    const version = dir?.split("/").at(-1) ?? "";
    const pack = await findPack(books, period, version);
    const [head = "", ...rows] = ((await text(store, `main/packs/${period}/${version}/summary.csv`)) ?? "").split(
      "\r\n",
    );
    const names = head.replace("\uFEFF", "").split(",");
    const cells = rows.map((row) => Object.fromEntries(row.split(",").map((cell, at) => [names[at] ?? "", cell])));
    const totals = cells.filter((row) => row["scope"] === "total" && row["method"] === method);
    return { pack, totals };
  };
  const [was, is] = [await made("average"), await made("fifo")];
  const sums = was.pack && is.pack ? (await comparePacks(books, was.pack, is.pack)).sums : null;
  expect(was.totals.length).toBeGreaterThan(0);
  for (const figure of ["realised_pnl_net_of_fees_excl_funding", "gross_pnl", "fees_paid"] as const) {
    const shown = sums?.filter((sum) => sum.market === null && sum.figure === figure);
    expect(shown?.map(({ currency, before, after }) => [currency, before, after])).toEqual(
      was.totals.map((row, at) => [row["currency"], row[figure], is.totals[at]?.[figure]]),
    );
  }
  expect(sums?.some(({ before, after }) => before !== after)).toBe(true);
});
