import { test } from "@fast-check/vitest";
import { describe, expect, test as plainTest } from "vitest";
import { defaultMethod } from "../../../lambda/accounting/method.ts";
import { createConverter } from "../../../lambda/accounting/rates/converter.ts";
import { createRates } from "../../../lambda/accounting/rates/rates.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import type { Closing, PackContext } from "../../../lambda/pack/make/maker.ts";
import {
  form8949Obstacle,
  form8949Question,
  form8949Tables,
  hasForm8949,
} from "../../../lambda/pack/tables/form-8949.ts";
import { CsvMaker } from "../../../lambda/pack/writers/csv.ts";
import { type Books, type BooksOptions, booksOf, fillsFrom } from "../../accounting/make.ts";
import { exactly } from "../../support/amounts.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { drawnBooks } from "../exports/draw.ts";
import { bytesOf, csvOf, packOf } from "../pack.ts";
import { exact, type Row, rowsIn, tablesOf } from "./make.ts";

const YEAR = parsePeriod("us-2025");
const CENT = 10n ** 34n;

function converterIn({ period }: PackContext) {
  const par = Object.fromEntries(["USDT", "usdt", "TRUE", "1INCH"].map((name) => [name, "USD"]));
  return createConverter({ rates: createRates([], par), to: "USD", zone: period.zone });
}

type Name = "lines" | "unknown" | "byBox";

function rowsOf(books: Books, which: Name = "lines"): Row[] {
  const { lines, unknown, byBox } = form8949Tables(books.context, converterIn(books.context));
  const texts = new Map<string, string>();
  for (const maker of [new CsvMaker(lines), new CsvMaker(unknown), new CsvMaker(byBox)]) {
    texts.set(maker.path, maker.begin() + maker.add(books.booked) + maker.end({} as Closing));
  }
  return rowsIn({ texts }, { lines, unknown, byBox }[which].path);
}

function cells(books: Books, ...names: string[]): string[][] {
  return rowsOf(books).map((row) => names.map((name) => row[name] ?? "?"));
}

const noon = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day, 17); // the same day in New York

function booksFrom(line: string, make: Parameters<typeof fillsFrom>[1], options: Partial<BooksOptions> = {}): Books {
  return booksOf(fillsFrom(line, { market: "BTC-USD", ...make }), { period: YEAR, ...options });
}

describe("form-8949.csv", () => {
  // IRS, Instructions for Form 8949: (d) is net of selling expenses, (e) includes purchase expenses; a short
  // is acquired by the purchase that closes it; MM/DD/YYYY.
  plainTest("has the long and the short of a flip in dollars and cents, with their fees", () => {
    const books = booksFrom("B1@100/0.10 S3@110/0.33 B2@105/0.21", { from: noon(2025, 3, 1), stepMs: DAY_MS });
    expect(cells(books, "description_of_property", "date_acquired", "date_sold")).toEqual([
      ["1 BTC-USD perpetual, long", "03/01/2025", "03/02/2025"],
      ["2 BTC-USD perpetual, short", "03/03/2025", "03/03/2025"],
    ]);
    expect(cells(books, "proceeds", "cost_or_other_basis", "code", "adjustment", "gain_or_loss")).toEqual([
      ["109.89", "100.10", "", "", "9.79"],
      ["219.78", "210.21", "", "", "9.57"],
    ]);
    expect(cells(books, "part", "box", "box_if_digital_asset")).toEqual([
      ["I", "C", "I"],
      ["I", "C", "I"],
    ]);
  });

  plainTest("converts by a declared par, and rounds each column half to even", () => {
    const books = booksFrom("B1@100.005 S1@100.015", { market: "BTC-USDT", from: noon(2025, 3, 1) });
    expect(cells(books, "proceeds", "cost_or_other_basis", "gain_or_loss")).toEqual([["100.02", "100.00", "0.02"]]);
    // Rounded to 8 places first, these would be halves and end a cent lower.
    const beyond = booksFrom("B1@50.005000001 S1@100.005000001", { from: noon(2025, 3, 1) });
    expect(cells(beyond, "proceeds", "cost_or_other_basis")).toEqual([["100.01", "50.01"]]);
  });

  // IRS, Publication 544: the holding period begins on the day after the acquisition; long is more than one
  // year. For the end of February: Rev. Rul. 66-7.
  plainTest.each([
    [noon(2024, 3, 1), noon(2025, 3, 1), "I", "C"],
    [noon(2024, 3, 1), noon(2025, 3, 2), "II", "F"],
    [noon(2024, 2, 29), noon(2025, 2, 28), "I", "C"],
    [noon(2024, 2, 29), noon(2025, 3, 1), "II", "F"],
    [noon(2024, 2, 28), noon(2025, 2, 28), "I", "C"],
    [noon(2024, 2, 28), noon(2025, 3, 1), "II", "F"],
  ])("recognises holdings of more than a year: from %d to %d is part %s", (from, to, part, box) => {
    expect(cells(booksFrom("B1@100 S1@110", { from, stepMs: to - from }), "part", "box")).toEqual([[part, box]]);
    // A short is held from its closing purchase to the delivery.
    expect(cells(booksFrom("S1@100 B1@110", { from, stepMs: to - from }), "part", "box")).toEqual([["I", "C"]]);
  });

  plainTest("says VARIOUS for a pool, whose term is known while its oldest part is from this year", () => {
    const average = { method: "average" } as const;
    const young = booksFrom("B1@100 B1@101 S2@110", { from: noon(2025, 3, 1) }, average);
    expect(cells(young, "date_acquired", "part")).toEqual([["VARIOUS", "I"]]);
    const old = booksFrom("B1@100 B1@101 S2@110", { from: noon(2023, 9, 1), stepMs: 300 * DAY_MS }, average);
    expect(cells(old, "date_acquired", "part", "box")).toEqual([["VARIOUS", "", ""]]);
    const declared = [{ market: "BTC-USD", quantity: exactly("1"), price: exactly("1"), asOf: 0, where: "a line" }];
    const known = booksFrom("S1@110", { from: noon(2025, 3, 1) }, { declared });
    expect(cells(known, "date_acquired", "part", "proceeds")).toEqual([["VARIOUS", "", "110.00"]]);
  });

  plainTest.each([
    ["B1@100", "-1", "03/01/2025"], // a short is acquired by the purchase that closes it
    ["S1@100", "1", "VARIOUS"],
  ])("dates a close of a declared position alike with and without its price: %s of %s", (line, quantity, acquired) => {
    for (const [price, which] of [["90", "lines"] as const, [null, "unknown"] as const]) {
      const one = { market: "BTC-USD", quantity: exactly(quantity), price: price === null ? null : exactly(price) };
      const books = booksFrom(line, { from: noon(2025, 3, 1) }, { declared: [{ ...one, asOf: 0, where: "a line" }] });
      expect(rowsOf(books, which)).toMatchObject([{ date_acquired: acquired, date_sold: "03/01/2025" }]);
    }
  });

  // Form 8949 (2025), line 2 of each part: add the amounts in columns (d), (e), (g) and (h), for each box.
  plainTest("has its totals by box in form-8949-totals.csv", () => {
    const long = fillsFrom("B1@100/0.10 S1@110/0.33", {
      market: "A-USD",
      from: noon(2024, 1, 2),
      stepMs: 400 * DAY_MS,
    });
    const short = fillsFrom("S2@50 B1@40.005 B1@45.01", { market: "B-USD", from: noon(2025, 3, 1) });
    const fills = [...long, ...short].map((fill, at) => ({ ...fill, matchId: `m${at}` }));
    const names = ["part", "box", "box_if_digital_asset", "lines", "proceeds", "cost_or_other_basis", "gain_or_loss"];
    const rows = rowsOf(booksOf(fills, { period: YEAR }), "byBox").map((row) => names.map((name) => row[name]));
    expect(rows).toEqual([
      ["I", "C", "I", "2", "100.00", "85.01", "14.99"], // 40.005 is 40.00, half to even
      ["II", "F", "L", "1", "109.67", "100.10", "9.57"],
    ]);
  });

  plainTest("has no boxes for digital assets in years before the form had them", () => {
    const books = booksFrom("B1@100 S1@110", { from: noon(2024, 3, 1) }, { period: parsePeriod("us-2024") });
    expect(cells(books, "box", "box_if_digital_asset")).toEqual([["C", ""]]);
  });

  test.prop([drawnBooks()])(
    "equals realised-pnl.csv in cents: a line each, off by at most half a cent in (d) and (e)",
    (books) => {
      const lines = rowsOf(books);
      const all = rowsIn(tablesOf(books), "realised-pnl.csv");
      const disposals = all.filter(({ status }) => status === "known");
      expect([lines.length, rowsOf(books, "unknown").length]).toEqual([
        disposals.length,
        all.length - disposals.length,
      ]);
      const sumOf = (rows: readonly Row[], name: string) => rows.reduce((sum, row) => sum + exact(row[name]), 0n);
      for (const name of ["proceeds", "cost_or_other_basis", "gain_or_loss"]) {
        expect(sumOf(rowsOf(books, "byBox"), name)).toBe(sumOf(lines, name));
      }
      for (const [at, line] of lines.entries()) {
        const number = (row: Row | undefined, name: string) => exact(row?.[name] ?? "");
        expect(number(line, "gain_or_loss")).toBe(number(line, "proceeds") - number(line, "cost_or_other_basis"));
        for (const [column, exactly] of [
          ["proceeds", "proceeds"],
          ["cost_or_other_basis", "cost"],
        ] as const) {
          expect(number(line, column) % CENT).toBe(0n);
          const off = number(line, column) - number(disposals[at], exactly);
          // Rounded only once.
          expect((off < 0n ? -off : off) <= CENT / 2n).toBe(true);
        }
      }
    },
  );
});

describe("the form is made", () => {
  const asked = { period: YEAR, currency: "USD", method: "fifo" } as const;

  plainTest("for a US period, in dollars, by a method that matches lots", () => {
    expect(hasForm8949(asked)).toBe(true);
    expect(form8949Obstacle(asked)).toBeNull();
    expect(hasForm8949({ ...asked, period: parsePeriod("us-2025", "America/Chicago") })).toBe(true);
  });

  // 26 CFR 1.1012-1: (c) and (j) first in, first out unless lots are identified; (e) average basis for shares of
  // regulated investment companies and dividend reinvestment plans.
  plainTest("for nothing else, and the message has the reason", () => {
    const other = { ...asked, period: parsePeriod("calendar-2025") };
    expect([hasForm8949(other), form8949Obstacle(other)]).toEqual([false, null]);
    expect(form8949Obstacle({ ...asked, currency: null })).toMatch(/currency USD/);
    expect(form8949Obstacle({ ...asked, method: "average" })).toMatch(/average cost .* shares of funds only/);
    expect(hasForm8949({ ...asked, method: "average" })).toBe(false);
    expect(hasForm8949({ ...asked, currency: "EUR" })).toBe(false);
  });

  plainTest("by FIFO if nobody chose a method, while other countries have average cost", () => {
    expect([YEAR.name, "calendar-2025", "uk-2024-25"].map(defaultMethod)).toEqual(["fifo", "average", "average"]);
  });

  plainTest("and its rounding is a control", async () => {
    const store = memoryStore();
    const market = "BTC-USD";
    const fills = fillsFrom("B1@100.004 S1@110.006/0.333 B2@50.005 S1@60.001 S1@61.002", {
      market,
      from: noon(2025, 3, 1),
    });
    const request = { period: YEAR, currency: "USD", method: defaultMethod(YEAR.name) } as const;
    const pack = await packOf(store, fills, request, { from: 0, to: YEAR.to + DAY_MS });
    const [head = [], ...rows] = csvOf(store, pack, "control-totals.csv");
    const row = rows.find(([name]) => name === "form_8949") ?? [];
    const names = ["account", "currency", "left", "right", "difference", "holds"];
    // 109.67 − 100.00, 60.00 − 50.00 (half to even), 61.00 − 50.00; exactly 9.669 + 9.996 + 10.997.
    expect(names.map((name) => row[head.indexOf(name)])).toEqual(["main", "USD", "30.67", "30.662", "0.008", "yes"]);
    expect(row[head.indexOf("right_is")]).toContain("3 lines, at most a cent each");
    expect(bytesOf(store, pack, "report.html").toString()).toContain("Section 1256");
    expect(pack.notes.join()).not.toContain("form-8949.csv was not made");
  });

  plainTest("without deciding what the contracts are, which the report says", () => {
    const { context } = booksFrom("B1@1", {});
    const asForm = { ...context, converter: converterIn(context) };
    expect(form8949Question(asForm)).toMatch(/Section 1256 .* Section 988 .* Form 8949/);
    expect(form8949Question(context)).toBeNull();
  });
});
