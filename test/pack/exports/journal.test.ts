import { test } from "@fast-check/vitest";
import { expect, test as plainTest } from "vitest";
import { ZERO } from "../../../lambda/core/amount.ts";
import { journalTable } from "../../../lambda/pack/exports/journal.ts";
import { DailyCash } from "../../../lambda/pack/exports/movements.ts";
import { CashTally } from "../../../lambda/pack/tables/cash.ts";
import { CsvMaker } from "../../../lambda/pack/writers/csv.ts";
import { type Books, booksOf, fillsFrom } from "../../accounting/make.ts";
import { exactly, scaled } from "../../support/amounts.ts";
import { readCsv } from "../../support/rfc4180.ts";
import { exact } from "../tables/make.ts";
import { drawnBooks, textOf, totalsOf } from "./draw.ts";
import { cashByDay, withoutZeros } from "./files.ts";

function rowsOf(books: Books): string[][] {
  const cash = new DailyCash(books.context, new CashTally(books.context).transfers);
  return readCsv(textOf(new CsvMaker(journalTable(cash)), books).replace(/^\uFEFF/, "")).slice(1);
}

/** Debits less credits of the margin balances, by what `keyOf` takes. */
function sumsBy(rows: readonly string[][], keyOf: (date: string, counter: string, currency: string) => string) {
  const sums: Record<string, bigint> = {};
  for (const [date = "", , counter = "", currency = "", debit = "", credit = ""] of rows) {
    expect([debit, credit].filter((amount) => amount !== "")).toHaveLength(1);
    const key = keyOf(date, counter, currency);
    sums[key] = (sums[key] ?? 0n) + exact(debit || "0") - exact(credit || "0");
  }
  return withoutZeros(sums);
}

test.prop([drawnBooks()])("journal.csv moves the cash of each local day, oldest first", (books) => {
  const rows = rowsOf(books);
  expect(rows.map(([date]) => date)).toEqual(rows.map(([date]) => date).toSorted());
  expect(sumsBy(rows, (date, _, currency) => `${date} ${currency}`)).toEqual(cashByDay(books));
});

test.prop([drawnBooks()])("journal.csv has gains, losses, fees, funding and transfers apart", (books) => {
  const expected: Record<string, bigint> = {};
  for (const [currency, { realised, fees, funding, transfers }] of totalsOf(books)) {
    const results = books.booked.filter(({ trade }) => (trade?.currency ?? "") === currency);
    const gains = results.map(({ realised: own }) => own?.gross ?? ZERO).filter((gross) => gross.gt(ZERO));
    const won = gains.reduce((sum, gross) => sum + scaled(gross), 0n);
    expected[`Realised gains ${currency}`] = won;
    expected[`Realised losses ${currency}`] = realised - won;
    expected[`Fees less rebates ${currency}`] = -fees;
    expected[`Funding ${currency}`] = funding;
    expected[`Deposits and withdrawals ${currency}`] = transfers;
  }
  expect(sumsBy(rowsOf(books), (_, counter, currency) => `${counter} ${currency}`)).toEqual(withoutZeros(expected));
});

plainTest("a small journal", () => {
  // A gain of 10 and a loss of 4 (short 2 at 110, closed at 112), and fees of 0.64.
  const transfers = [{ time: Date.UTC(2025, 2, 2), currency: "USDT", amount: exactly("-5"), note: "x", line: 2 }];
  expect(rowsOf(booksOf(fillsFrom("B1@100/0.10 S3@110/0.33 B2@112/0.21"), { transfers }))).toEqual([
    ["2025-03-01", "main", "Realised gains", "USDT", "10", "", "BTC-USDT profits of 2025-03-01 (1 fill)"],
    ["2025-03-01", "main", "Realised losses", "USDT", "", "4", "BTC-USDT losses of 2025-03-01 (1 fill)"],
    [
      "2025-03-01",
      "main",
      "Fees less rebates",
      "USDT",
      "",
      "0.64",
      "BTC-USDT fees less rebates of 2025-03-01 (3 fills)",
    ],
    ["2025-03-02", "main", "Deposits and withdrawals", "USDT", "", "5", "withdrawal"],
  ]);
});
