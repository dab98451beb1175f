import { fc, test } from "@fast-check/vitest";
import { describe, expect, test as plainTest } from "vitest";
import { ZERO } from "../../../lambda/core/amount.ts";
import { quoteCurrencyOf } from "../../../lambda/core/currency.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import type { StatedBalance } from "../../../lambda/inputs/tables.ts";
import { type Books, booksOf, fillsFrom } from "../../accounting/make.ts";
import { exactly, unitsText } from "../../support/amounts.ts";
import { drawnBooks } from "../exports/draw.ts";
import { exact, type Row, rowsIn, tablesOf } from "./make.ts";

const MARCH = Date.UTC(2025, 2, 1, 12);
const [BEGIN, END] = [Date.UTC(2025, 0, 1), Date.UTC(2026, 0, 1)];

function stated(time: number, amount: string, note = "", currency = "USDT"): StatedBalance {
  return { time, currency, amount: exactly(amount), note };
}

function rowsOf(books: Books, balances: readonly StatedBalance[] = []): Row[] {
  return rowsIn(tablesOf(books, { balances }), "balance.csv");
}

const line = (names: string) => (row: Row) =>
  names
    .split(" ")
    .map((name) => row[name])
    .join(" ");

/**
 * The reference's example: gross 10 at 13:00 and -4 at 14:00, fees 0.10, 0.33 and 0.21; and the user's
 * transfers.
 */
const EXAMPLE = booksOf(fillsFrom("B1@100/0.10 S3@110/0.33 B2@112/0.21"), {
  funding: [{ time: MARCH + 1, market: "BTC-USDT", amount: exactly("-1"), currency: "USDT" }],
  transfers: [
    { time: MARCH, currency: "USDT", amount: exactly("100"), note: "", line: 2 },
    { time: MARCH + 7_200_001, currency: "USDT", amount: exactly("-30"), note: "", line: 3 },
  ],
});

describe("balance.csv", () => {
  plainTest("proves that opening cash + PnL - fees + funding + transfers = closing cash", () => {
    // 50 + 6 - 0.64 - 1 + 70 = 124.36
    const [row, ...others] = rowsOf(EXAMPLE, [
      stated(BEGIN, "50", "December 2024"),
      stated(END, "124.36", "December 2025"),
    ]);
    expect(others).toEqual([]);
    expect(row).toEqual({
      account: "main",
      currency: "USDT",
      from: "2025-01-01T00:00:00.000Z",
      to: "2026-01-01T00:00:00.000Z",
      opening_cash: "50",
      gross_pnl: "6",
      net_fees: "0.64",
      funding: "-1",
      transfers: "70",
      transfers_between_accounts: "0",
      movement: "74.36",
      calculated_closing_cash: "124.36",
      stated_closing_cash: "124.36",
      difference: "0",
      fills_not_known: "0",
      result: "agrees",
      reason: "",
      opening_note: "December 2024",
      closing_note: "December 2025",
    });
  });

  plainTest("shows the movements without statements and without the user's files", () => {
    const [row] = rowsOf({ ...EXAMPLE, own: { ...EXAMPLE.own, funding: null, transfers: null } });
    const names = "opening_cash funding transfers movement calculated_closing_cash difference result";
    expect(line(names)(row ?? {})).toBe("   5.36   no statement");
  });

  const reasons = (balances: readonly StatedBalance[], books = EXAMPLE) =>
    rowsOf(books, balances).map(({ result, reason }) => `${result}: ${reason}`);

  plainTest("tells at which end a statement is missing, and which line is nearest", () => {
    expect(reasons([])).toEqual(["no statement: balances.csv has no statement for USDT"]);
    expect(reasons([stated(BEGIN, "0", "", "EUR")]).at(-1)).toBe(
      "no statement: balances.csv has no statement for USDT",
    );
    // One statement is a day late, the other a second early.
    expect(reasons([stated(BEGIN + 86_400_000, "0"), stated(END - 1000, "0")])).toEqual([
      "no statement: balances.csv has no statement for 2025-01-01 00:00 (UTC); the nearest statement in USDT is for 2025-01-02 00:00 (UTC)",
      "differs: ",
      "no statement: balances.csv has no statement for 2026-01-01 00:00 (UTC); the nearest statement in USDT is for 2025-12-31 23:59:59 (UTC)",
    ]);
    // Outside the period, where no row shows it.
    expect(reasons([stated(BEGIN - 3_600_000, "0"), stated(END, "0")])).toEqual([
      "no statement: balances.csv has no statement for 2025-01-01 00:00 (UTC); the nearest statement in USDT is for 2024-12-31 23:00 (UTC)",
    ]);
    expect(reasons([stated(END + 1, "0")])).toEqual([
      "no statement: balances.csv has no statement for 2025-01-01 00:00 (UTC) or 2026-01-01 00:00 (UTC); the nearest statements in USDT are for 2026-01-01 00:00:00.001 (UTC)",
    ]);
    expect(reasons([stated(BEGIN - 1, "0"), stated(END + 1, "0")])).toEqual([
      "no statement: balances.csv has no statement for 2025-01-01 00:00 (UTC) or 2026-01-01 00:00 (UTC); the nearest statements in USDT are for 2024-12-31 23:59:59.999 (UTC) and 2026-01-01 00:00:00.001 (UTC)",
    ]);
  });

  plainTest("has a row between statements, so that a difference shows where it arose", () => {
    const noon = MARCH + 3_600_000; // the time of the second fill, which a statement of this time does not include yet
    const rows = rowsOf(EXAMPLE, [
      stated(BEGIN - 1, "5"), // in another period
      stated(noon, "98"),
      stated(noon + 1, "107.67"),
      stated(END, "73.46"),
    ]);
    const names = "from opening_cash movement stated_closing_cash difference result";
    expect(rows.map(line(names))).toEqual([
      // 100 - 0.10 - 1
      "2025-01-01T00:00:00.000Z  98.9 98  no statement",
      // 10 - 0.33
      "2025-03-01T13:00:00.000Z 98 9.67 107.67 0 agrees",
      // -4 - 0.21 - 30
      "2025-03-01T13:00:00.001Z 107.67 -34.21 73.46 0 agrees",
    ]);
    const [, , wrong] = rowsOf(EXAMPLE, [stated(noon, "0"), stated(noon + 1, "0"), stated(END, "-34")]);
    expect(line(names)(wrong ?? {})).toBe("2025-03-01T13:00:00.001Z 0 -34.21 -34 0.21 differs");
  });

  plainTest(
    "includes a statement's currency without movements, and compares by average cost, which venues book",
    () => {
      // Bought at 90 and 100, one sold at 110: FIFO 20, average 15.
      const books = booksOf(fillsFrom("B1@90 B1@100 S1@110"));
      const rows = rowsOf(books, [stated(BEGIN, "0"), stated(END, "15"), stated(BEGIN, "1", "", "EUR")]);
      const names = "currency movement difference result";
      expect(rows.map(line(names))).toEqual(["EUR 0  no statement", "USDT 15 0 agrees"]);
    },
  );

  plainTest.each([
    // 1 × 100.123456 − 0.000004 = 100.123452 in total.
    ["100.12", "agrees"], // a statement in cents
    ["100.13", "agrees"],
    ["100.14", "differs"],
    ["100.11", "differs"],
    ["100.1235", "agrees"], // to four digits
    ["100.1236", "differs"],
    ["100.123452", "agrees"],
    ["100.123452000000000001", "differs"], // nothing is rounded
  ])("agrees to the digits of the statements, and at least to the cent: %s", (closing, result) => {
    const books = booksOf(fillsFrom("B1@100/0.000002 S1@200.123456/0.000002"));
    const [row] = rowsOf(books, [stated(BEGIN, "0"), stated(END, closing)]);
    expect(row?.["result"]).toBe(result);
    expect(exact(row?.["difference"] ?? "")).toBe(exact(closing) - exact("100.123452"));
  });

  plainTest(
    "uses the digits of the finer of two statements, and whole units of a currency without smaller ones",
    () => {
      const resultOf = (opening: string, closing: string, currency: string) =>
        rowsOf(booksOf(fillsFrom("B1@100 S1@200.4", { market: `BTC-${currency}` })), [
          stated(BEGIN, opening, "", currency),
          stated(END, closing, "", currency),
        ]).map(({ result }) => result);
      expect(resultOf("0.1234", "100.52", "USD")).toEqual(["differs"]);
      expect(resultOf("0.12", "100.52", "USD")).toEqual(["agrees"]);
      expect(resultOf("0", "101", "JPY")).toEqual(["agrees"]);
      expect(resultOf("0", "99", "JPY")).toEqual(["differs"]);
    },
  );

  plainTest(
    "counts fills with unknown PnL, which are in the difference; where nothing is known, nothing is zero",
    () => {
      const unknown = fillsFrom("S1@110/1 B1@100/1", { market: "ETH-USDT" });
      const flat = { market: "BTC-USDT", quantity: ZERO, price: null, asOf: 0, where: "a line" };
      const broken = { ...flat, market: "ETH-USDT", asOf: MARCH, breakFrom: BEGIN };
      const names = "gross_pnl net_fees movement calculated_closing_cash difference fills_not_known result reason";
      const of = (fills: readonly Fill[], declared = [flat]) =>
        rowsOf(booksOf(fills, { fromBeginning: false, declared }), [stated(BEGIN, "0"), stated(END, "8")]).map(
          line(names),
        );
      // A gain of 5 is known, and fees of 2.
      expect(of([...fillsFrom("B1@1 S1@6"), ...unknown])).toEqual(["5 2 3 3 5 2 differs "]);
      expect(of(unknown)).toEqual([" 2    2 not known no PnL of that time is known"]);
      expect(of([], [broken])).toEqual([" 0    0 not known no PnL of that time is known"]);
      const unread = unknown.map((fill) => ({ ...fill, price: null }));
      expect(of(unread)).toEqual(["     2 not known no PnL of that time is known"]);
    },
  );
});

const YEAR = [BEGIN - 14 * 3_600_000, END + 14 * 3_600_000] as const; // in every zone
const statements = fc.uniqueArray(
  fc.record({
    time: fc.oneof(
      fc.integer({ min: YEAR[0], max: YEAR[1] }),
      fc.integer({ min: BEGIN, max: BEGIN + 10 * 86_400_000 }),
    ),
    currency: fc.constantFrom("USDT", "USD", "EUR"),
    amount: fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map((units) => exactly(unitsText(units, 36))),
    note: fc.constant("x"),
  }),
  { selector: ({ time, currency }) => `${time} ${currency}`, maxLength: 8 },
);

/** Else average cost is the method for comparison. */
const isByAverage = ({ context }: Pick<Books, "context">) => context.methods.primary === "average";

/** All movements of cash, from the booked fills and the user's files. */
function cashOf({ booked, context, own: { funding, transfers } }: Books) {
  const ofFills = booked.flatMap(({ time, trade, realised }) => {
    const gross = (isByAverage({ context }) ? realised : realised?.compared)?.gross ?? ZERO;
    return trade === null ? [] : [{ time, currency: trade.currency, amount: gross.minus(trade.fee) }];
  });
  return [...ofFills, ...(funding ?? []), ...(transfers ?? [])];
}

const known = (text = "") => (text === "" ? null : exact(text));

test.prop([drawnBooks(), statements])(
  "the rows of balance.csv hold the movements between their times, recomputed",
  (books, drawn) => {
    const balances = drawn.toSorted((a, b) => a.time - b.time);
    const cash = cashOf(books);
    for (const row of rowsOf(books, balances)) {
      const [from = 0, to = 0] = [row["from"], row["to"]].map((text) => Date.parse(text ?? ""));
      const own = cash.filter(({ time, currency }) => currency === row["currency"] && time >= from && time < to);
      const moved = own.reduce((sum, { amount }) => sum + exact(String(amount)), 0n);
      const fills = books.booked.filter(
        ({ fill: { market }, time }) => quoteCurrencyOf(market) === row["currency"] && time >= from && time < to,
      );
      const isKnown = row["fills_not_known"] === "0" || fills.some(({ realised }) => realised !== null);
      expect(known(row["movement"])).toBe(isKnown ? moved : null);
      const at = (when: number) => balances.find(({ currency, time }) => currency === row["currency"] && time === when);
      const [opening = null, closing = null] = [from, to].map((when) => known(at(when)?.amount.toString()));
      expect(known(row["opening_cash"])).toBe(opening);
      const difference = opening === null || closing === null || !isKnown ? null : closing - opening - moved;
      expect(known(row["difference"])).toBe(difference);
    }
  },
);
