import { describe, expect, test } from "vitest";
import { type BooksOptions, booksOf, fillsFrom } from "../../../accounting/make.ts";
import { pageOf, sheetOf } from "../books.ts";
import { sheetText, statementText } from "./read-sheet.ts";

async function statementsOf(options: BooksOptions): Promise<string[]> {
  const books = booksOf(fillsFrom("B1@100 S3@110"), options);
  const [page, sheet] = await Promise.all([pageOf(books), sheetOf(books)]);
  return [statementText(page), sheetText(sheet)].map((text) => text.replaceAll(/\s+/g, " "));
}

describe("the statement, on the page and as PDF", () => {
  test("names the client, the preparer, a reference and the venue, as the user does", async () => {
    const named = { client: "A. Trader <b>", preparer: "Books & Co", reference: "2025/17", venue: "The Venue" };
    for (const text of await statementsOf({ named })) {
      expect(text).toMatch(
        /Client A\. Trader <b> Prepared by Books & Co Reference 2025\/17 Venue The Venue Account main/,
      );
    }
    for (const text of await statementsOf({ named: { venue: "The Venue" } })) {
      expect(text).toMatch(/Venue The Venue Account main/);
      expect(text).not.toContain("Reference");
    }
  });

  test("shows unrealised PnL at the user's prices; without a price it is not known", async () => {
    // 2 are short at 110. At 130 they have lost 40.
    const mark = { market: "BTC-USDT", time: 0, price: 130n * 10n ** 18n };
    for (const text of await statementsOf({ marks: new Map([["BTC-USDT", mark]]) })) {
      expect(text).toMatch(/Unrealised PnL, end, at the prices of marks\.csv [−-]40\.00/);
    }
    for (const text of await statementsOf({ marks: new Map() })) {
      expect(text).toMatch(/Unrealised PnL, end, at the prices of marks\.csv not known/);
    }
    for (const text of await statementsOf({})) {
      expect(text).not.toContain("Unrealised");
    }
  });
});

test("the page distinguishes two markets whose names look the same everywhere", async () => {
  const fills = fillsFrom("B1@100 S3@110 B1@100 S3@110");
  const [one, other] = ["CAF\u00C9-USD", "CAFE\u0301-USD"];
  const page = await pageOf(booksOf(fills.map((fill, at) => ({ ...fill, market: at < 2 ? one : other }))));
  const marked = (name: string) => page.split(name).length - 1;
  expect(marked("CAF\u00C9[U+00C9]-USD")).toBeGreaterThan(3);
  expect(marked("CAFE\u0301[U+0301]-USD")).toBe(marked("CAF\u00C9[U+00C9]-USD"));
  // Attributes with the plain name are row keys for programs.
  const texts = page.replaceAll(/ data-[a-z]+="[^"]*"/g, "");
  expect([texts.includes(one), texts.includes(other)]).toEqual([false, false]);
});
