import { test } from "@fast-check/vitest";
import { describe, expect, test as plainTest } from "vitest";
import { createConverter } from "../../../lambda/accounting/rates/converter.ts";
import { createRates } from "../../../lambda/accounting/rates/rates.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import type { PackContext } from "../../../lambda/pack/make/maker.ts";
import { form8949Table } from "../../../lambda/pack/tables/form-8949.ts";
import { form8949Obstacle, hasForm8949 } from "../../../lambda/pack/tables/form-8949-lines.ts";
import { CsvMaker } from "../../../lambda/pack/writers/csv.ts";
import { type Books, type BooksOptions, booksOf, fillsFrom, type MakeOptions } from "../../accounting/make.ts";
import { exactly } from "../../support/amounts.ts";
import { drawnBooks } from "../exports/draw.ts";
import { exact, type Row, rowsIn, tablesOf } from "./make.ts";

const YEAR = parsePeriod("us-2025");
const CENT = 10n ** 34n;

function converterIn({ period }: PackContext) {
  const par = Object.fromEntries(["USDT", "usdt", "TRUE", "1INCH"].map((name) => [name, "USD"]));
  return createConverter({ rates: createRates([], par), to: "USD", zone: period.zone });
}

function rowsOf(books: Books): Row[] {
  const maker = new CsvMaker(form8949Table(books.context, converterIn(books.context)));
  const text = maker.begin() + maker.add(books.booked);
  return rowsIn({ texts: new Map([["form-8949.csv", text]]) }, "form-8949.csv");
}

function cells(books: Books, ...names: string[]): string[][] {
  return rowsOf(books).map((row) => names.map((name) => row[name] ?? "?"));
}

const DAY_MS = 86_400_000;
const noon = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day, 17); // the same day in New York

function booksFrom(line: string, make: MakeOptions, options: Partial<BooksOptions> = {}): Books {
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
    expect(cells(books, "part", "box", "box_if_digital_asset", "status")).toEqual([
      ["I", "C", "I", "known"],
      ["I", "C", "I", "known"],
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

  plainTest("has a line with a reason and no amounts if the gain is unknown", () => {
    const books = booksFrom("S1@100", { from: noon(2025, 3, 1) }, { fromBeginning: false });
    expect(cells(books, "date_acquired", "date_sold", "proceeds", "gain_or_loss", "part", "status")).toEqual([
      ["VARIOUS", "03/01/2025", "", "", "", "opening_unknown"],
    ]);
    // The buy may have closed a short; that is unknown.
    const bought = booksFrom("B1@100", { from: noon(2025, 3, 1) }, { fromBeginning: false });
    expect(cells(bought, "date_acquired", "date_sold")).toEqual([["VARIOUS", "03/01/2025"]]);
  });

  plainTest("has no boxes for digital assets in years before the form had them", () => {
    const books = booksFrom("B1@100 S1@110", { from: noon(2024, 3, 1) }, { period: parsePeriod("us-2024") });
    expect(cells(books, "box", "box_if_digital_asset")).toEqual([["C", ""]]);
  });

  test.prop([drawnBooks()])(
    "equals realised-pnl.csv in cents: a line each, off by at most half a cent in (d) and (e)",
    (books) => {
      const lines = rowsOf(books);
      const disposals = rowsIn(tablesOf(books), "realised-pnl.csv");
      expect(lines.length).toBe(disposals.length);
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
  const asked = { period: YEAR, currency: "USD", isMethodChosen: true };

  plainTest("for a US period, in dollars, by a chosen method", () => {
    expect(hasForm8949(asked)).toBe(true);
    expect(form8949Obstacle(asked)).toBeNull();
    expect(hasForm8949({ ...asked, period: parsePeriod("us-2025", "America/Chicago") })).toBe(true);
  });

  plainTest("for nothing else, and the message names what is missing", () => {
    const other = { ...asked, period: parsePeriod("calendar-2025") };
    expect([hasForm8949(other), form8949Obstacle(other)]).toEqual([false, null]);
    expect(form8949Obstacle({ ...asked, currency: null })).toMatch(/--currency USD/);
    expect(form8949Obstacle({ ...asked, isMethodChosen: false })).toMatch(/--method/);
    expect(hasForm8949({ ...asked, currency: "EUR" })).toBe(false);
  });
});
