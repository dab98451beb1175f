import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ONE } from "../../../lambda/core/amount.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import { customPeriod, localTime } from "../../../lambda/core/period.ts";
import { TOOLS } from "../../../lambda/pack/exports/tools.ts";
import { type Books, booksOf, fillsFrom } from "../../accounting/make.ts";
import { exactly } from "../../support/amounts.ts";
import { importsOf } from "./files.ts";
import { KNOWN_TOOLS } from "./tools.ts";

const HOUR = 3_600_000;

function linesOf(books: Books, file = "koinly.csv"): string[] {
  return (importsOf(books).texts.get(file) ?? "").trimEnd().split("\r\n").slice(1);
}

describe("the rows of a day", () => {
  // Koinly, "How does aggregation work?": two PnL transactions of one day become one (support.koinly.io
  // 9490027).
  const fills = [
    // Gains of 10 and 5, a loss of 4; fees of 0.6, less a rebate of 0.1.
    ...fillsFrom("B1@100/0.1 S2@110/0.2 B2@114/-0.1/maker S1@119/0.3"),
    ...fillsFrom("B1@10 S1@13", { market: "ETH-USDT", from: Date.UTC(2025, 2, 1, 23) }),
  ];

  test("are profits, losses, fees less rebates and funding; deposits and withdrawals stay single", () => {
    const noon = Date.UTC(2025, 2, 1, 12);
    const books = booksOf(fills, {
      funding: ["1", "-3", "1"].map((amount, at) => ({
        time: noon + at,
        market: "BTC-USDT",
        amount: exactly(amount),
        currency: "USDT",
      })),
      transfers: ["100", "200", "-50"].map((amount, at) => ({
        time: noon + at * HOUR,
        currency: "USDT",
        amount: exactly(amount),
        note: "",
        line: at + 2,
      })),
    });
    expect(linesOf(books)).toEqual([
      "2025-03-01 10:00:00,,,15.00,USDT,,,,,realized gain,BTC-USDT profits of 2025-03-01 (2 fills),",
      "2025-03-01 10:00:00,4.00,USDT,,,,,,,realized gain,BTC-USDT losses of 2025-03-01 (1 fill),",
      "2025-03-01 10:00:00,0.50,USDT,,,,,,,futures fee,BTC-USDT fees less rebates of 2025-03-01 (4 fills),",
      "2025-03-01 10:00:00,1.00,USDT,,,,,,,funding fee,BTC-USDT funding paid of 2025-03-01 (3 payments),",
      "2025-03-01 12:00:00,,,100.00,USDT,,,,,,deposit,",
      "2025-03-01 13:00:00,,,200.00,USDT,,,,,,deposit,",
      "2025-03-01 14:00:00,50.00,USDT,,,,,,,,withdrawal,",
      "2025-03-02 10:00:00,,,3.00,USDT,,,,,realized gain,ETH-USDT profits of 2025-03-02 (1 fill),",
    ]);
  });

  test("have a time within the day and the period, even if 10:00 UTC is outside", () => {
    const timesOf = (period: ReturnType<typeof customPeriod>, from: number) =>
      linesOf(booksOf(fillsFrom("B1@100/0.1", { from }), { period })).map((line) => line.slice(0, 19));
    // UTC+14: 10:00 UTC is midnight of the next day. UTC-11: it is 23:00 of the day before.
    const kiritimati = customPeriod("2025-01-01", "2026-01-01", "Pacific/Kiritimati");
    expect(timesOf(kiritimati, Date.UTC(2025, 2, 1, 9))).toEqual(["2025-03-01 09:59:59"]);
    const pagoPago = customPeriod("2025-01-01", "2026-01-01", "Pacific/Pago_Pago");
    expect(timesOf(pagoPago, Date.UTC(2025, 2, 1, 12))).toEqual(["2025-03-01 11:00:00"]);
    const part = customPeriod("2025-03-01T12:00:00Z", "2025-03-02T00:00:00Z");
    expect(timesOf(part, Date.UTC(2025, 2, 1, 13))).toEqual(["2025-03-01 12:00:00"]);
  });

  test("are one day if the clocks go back over midnight and repeat a part of it", () => {
    // Newfoundland, 7 November 2010: at 00:01 the clocks went back to 23:01 of the day before.
    const period = customPeriod("2010-01-01", "2011-01-01", "America/St_Johns");
    const from = Date.UTC(2010, 10, 7, 2, 0, 30); // 23:30:30
    const books = booksOf(fillsFrom("B1@100/1 B1@100/2 B1@100/4", { from, stepMs: HOUR / 2 }), { period });
    expect(books.booked.map(({ time }) => localTime(time, "America/St_Johns").slice(0, 10))).toEqual([
      "2010-11-06",
      "2010-11-07",
      "2010-11-06",
    ]);
    expect(linesOf(books).map((line) => line.slice(0, 24))).toEqual([
      "2010-11-06 10:00:00,5.00",
      "2010-11-07 10:00:00,2.00",
    ]);
  });
});

describe("movements of a day that a tool could take for one", () => {
  const rowsOf = (books: Books) => (file: string) => linesOf(books, file);

  test("are one row if the tool does not see their markets", () => {
    const fills = fillsFrom("B1@100/0.10 B1@100/0.10");
    const rows = rowsOf(booksOf(fills.map((fill, at) => ({ ...fill, market: ["BTC-USDT", "ETH-USDT"][at] ?? "" }))));
    expect(rows("koinly.csv")).toEqual([
      "2025-03-01 10:00:00,0.20,USDT,,,,,,,futures fee,BTC-USDT fees less rebates of 2025-03-01 (1 fill) and 1 more,",
    ]);
    expect(rows("cointracker.csv")).toEqual(["03/01/2025 10:00:00,,,0.20,USDT,,,margin fee"]);
    expect(["cointracking.csv", "bittytax.csv", "summ.csv"].map((file) => rows(file).length)).toEqual([2, 2, 2]);
  });

  test("are one row if they are equal transfers of a second, and the tool has no id for a row", () => {
    const time = Date.UTC(2025, 2, 1, 12);
    const transfers = [0, 1].map((at) => ({ time, currency: "USDT", amount: ONE, note: "", line: at + 2 }));
    const rows = rowsOf(booksOf([], { transfers }));
    expect(rows("koinly.csv")).toEqual(["2025-03-01 12:00:00,,,2.00,USDT,,,,,,deposit and 1 more,"]);
    expect(rows("summ.csv").map((row) => row.split(",")[11])).toEqual([
      "transfer/2025-03-01T12:00:00.000Z/1",
      "transfer/2025-03-01T12:00:00.000Z/2",
    ]);
  });

  test("are merged again if their sum equals a third", () => {
    const fees = ["0.1", "0.1", "0.2", "0.4", "0.3"];
    const fills = fees.map((fee, at) => ({
      ...fillsFrom(`B1@100/${fee}`, { market: `A${at}-USDT` })[0],
      matchId: `M${at}`,
    }));
    expect(linesOf(booksOf(fills as Fill[])).map((line) => line.split(",")[1])).toEqual(["0.80", "0.30"]);
  });
});

// In the format of the tools' samples, to the byte.

const { texts } = importsOf(booksOf(fillsFrom("B1@100/0.10 S3@110/0.33 B2@112/0.21")));

test("each tool has its entry in test/pack/exports/tools.ts, in the same order, and its name in docs/pack.md", () => {
  expect(KNOWN_TOOLS.map(({ file }) => file)).toEqual(TOOLS.map(({ file }) => file));
  const text = readFileSync(join(import.meta.dirname, "../../../docs/pack.md"), "utf8");
  const names = TOOLS.map(({ name }) => name.split(" (")[0] ?? name);
  expect(names.filter((name) => !text.includes(name))).toEqual([]);
});

test.each(KNOWN_TOOLS)("$file has these lines", ({ file, sample }) => {
  expect(texts.get(file)).toBe(`${sample.join("\r\n")}\r\n`);
});

test("a period without fills gives only the headers", () => {
  const empty = importsOf(booksOf([]));
  for (const { file, sample } of KNOWN_TOOLS) {
    expect(empty.texts.get(file)).toBe(`${sample[0]}\r\n`);
    expect(empty.rows.get(file)).toBe(0);
  }
  expect(empty.totals).toEqual([]);
});
