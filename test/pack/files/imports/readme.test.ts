import { describe, expect, test } from "vitest";
import { customPeriod } from "../../../../lambda/core/period.ts";
import { type BooksOptions, booksOf, fillsFrom } from "../../../accounting/make.ts";
import { importsOf } from "./files.ts";
import { READERS } from "./readers.ts";

/** With its line breaks removed. */
function readme(line: string, options: BooksOptions = {}, change: object = {}): string {
  const books = booksOf(fillsFrom(line), options);
  const text = importsOf({ ...books, context: { ...books.context, ...change } }).texts.get("README.txt") ?? "";
  return text.replaceAll(/\n {2}/g, " ");
}

const EXAMPLE = "B1@100/0.10 S3@110/0.33 B2@112/0.21";

describe("imports/README.txt", () => {
  test("names the account, the period and its zone, the method, and each file with its sums", () => {
    const text = readme(EXAMPLE, { period: customPeriod("2025-03-01", "2025-04-01", "Europe/Berlin") });
    expect(text).toContain("account main");
    expect(text).toContain("2025-03-01 to 2025-03-31, Europe/Berlin");
    expect(text).toContain("FIFO (first in, first out)");
    for (const { file } of READERS) {
      expect(text).toMatch(
        new RegExp(`\\n${file}, for [^]*?Rows: 5\\.\\n- Sum in USDT: 10\\.00 in, 4\\.64 out, 5\\.36 in less out\\.`),
      );
      expect(text).toContain(`- ${file}: `);
    }
  });

  test("counts the fills that are in no file", () => {
    const fills = fillsFrom(EXAMPLE).map((fill, at) => (at === 0 ? { ...fill, quantity: null } : fill));
    const text = (importsOf(booksOf(fills)).texts.get("README.txt") ?? "").replaceAll(/\n {2}/g, " ");
    expect(text).toContain("1 fill that cannot be read as a trade: see exceptions.csv.");
    expect(text).toContain(
      "PnL of 2 fills: it could not be calculated, because an earlier fill of the market cannot be read as a trade.",
    );
  });

  test("tells whether deposits and withdrawals are in the files, and adds them to the sums", () => {
    expect(readme(EXAMPLE)).toContain("There are no deposits and withdrawals, because no transfers.csv was given.");
    const transfers = [
      { time: Date.UTC(2025, 2, 1), currency: "USDT", amount: 100n * 10n ** 36n, note: "", line: 2 },
      { time: Date.UTC(2025, 2, 2), currency: "USDT", amount: -30n * 10n ** 36n, note: "", line: 3 },
    ];
    const text = readme(EXAMPLE, { transfers });
    expect(text).toContain("exactly PnL before fees - fees + deposits - withdrawals");
    for (const { file } of READERS) {
      expect(text).toMatch(
        new RegExp(`\\n${file}, for [^]*?Rows: 7\\.\\n- Sum in USDT: 110\\.00 in, 34\\.64 out, 75\\.36 in less out\\.`),
      );
    }
  });

  test("warns if the period was not read to its end", () => {
    expect(readme(EXAMPLE)).not.toContain("INCOMPLETE");
    expect(readme(EXAMPLE, {}, { complete: false })).toContain("INCOMPLETE: the period was not read in full.");
  });
});
