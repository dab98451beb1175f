import { describe, expect, test } from "vitest";
import { methodNoteOf } from "../../../lambda/pack/make/method-note.ts";
import { type Books, booksOf, fillsFrom, sumsOf } from "../../accounting/make.ts";

const noteOf = (books: Books, isMethodChosen: boolean) =>
  methodNoteOf(sumsOf(books), { ...books.context, isMethodChosen });

// By average cost the close costs 105, by FIFO 100. It realises 15 or 20, less its fee.
const BOOKS = booksOf(fillsFrom("B1@100 B1@110 S1@120/0.10"));

describe("the note on two methods", () => {
  test("gives both totals, and that no method was chosen", () => {
    expect(noteOf(BOOKS, false)).toBe(
      "known realised PnL, net of fees and excluding funding, depends on the method: 19.90 USDT by FIFO and 14.90 by Average cost. No method was chosen, so FIFO was used: choose the one that applies",
    );
    expect(noteOf(BOOKS, true)).toMatch(/\. FIFO was chosen$/);
  });

  test("groups digits, also below zero", () => {
    const large = booksOf(fillsFrom("B1000@1000 B1000@1100 S1000@1200/0.10"));
    expect(noteOf(large, true)).toContain("199,999.90 USDT by FIFO and 149,999.90 by Average cost");
    const losses = booksOf(fillsFrom("B1000@2000 B1000@2100 S1000@500"));
    expect(noteOf(losses, true)).toContain("-1,500,000.00 USDT by FIFO and -1,550,000.00 by Average cost");
  });

  test("is left out if the totals differ by at most a cent", () => {
    const by = (price: string) => booksOf(fillsFrom(`B1@100 B1@${price} S1@120`));
    expect(noteOf(by("100.02"), false)).toBeNull();
    expect(noteOf(by("100.03"), false)).toMatch(/20\.00 USDT by FIFO and 19\.98 by/);
  });

  test("includes less than 0.01 of a coin with a smaller minor unit", () => {
    const books = booksOf(fillsFrom("B1@0.03 B1@0.0302 S1@0.06", { market: "ETH-BTC" }));
    expect(noteOf(books, true)).toContain("0.03000000 BTC by FIFO and 0.02990000 by Average cost");
    // By average, it costs (0.01 + 0.0219) / 2 = 0.01595, so 0.00595 are gained: not 0.01 by both.
    const coins = booksOf(fillsFrom("B1@0.01 B1@0.0219 S1@0.0219", { market: "ETH-XBT" }));
    expect(noteOf(coins, true)).toContain("0.01190000 XBT by FIFO and 0.00595000 by Average cost");
  });

  test("names at most five currencies, and cuts long names", () => {
    const names = Array.from({ length: 9 }, (_, at) => `${"Q".repeat(100)}${at}`);
    const fills = names.flatMap((name) => fillsFrom("B1@100 B1@110 S1@120", { market: `X-${name}` }));
    const note = noteOf(booksOf(fills), true) ?? "";
    expect(note).toContain("and 4 more. ");
    expect(note.length).toBeLessThan(600);
  });

  test("covers each currency whose totals differ", () => {
    const fills = [
      ...fillsFrom("B1@100 B1@110 S1@120"),
      ...fillsFrom("B1@10 B1@10 S1@12", { market: "ETH-USD" }),
      ...fillsFrom("B1@10 B1@20 S1@12", { market: "X-EUR" }),
    ];
    const note = noteOf(booksOf(fills), true);
    expect(note).toContain("2.00 EUR by FIFO and -3.00 by Average cost; 20.00 USDT by FIFO and 15.00 by Average cost");
    expect(note).not.toContain("USD by");
  });
});
