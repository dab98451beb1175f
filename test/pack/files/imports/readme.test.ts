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
    expect(text).toContain("First in, first out");
    for (const { file } of READERS) {
      expect(text).toMatch(
        new RegExp(`\\n${file}, for [^]*?Rows: 5\\.\\n- Sum in USDT: in 10\\.00, out 4\\.64, in less out 5\\.36\\.`),
      );
      expect(text).toContain(`- ${file}: `);
    }
  });

  test("counts the fills that are in no file", () => {
    const fills = fillsFrom(EXAMPLE).map((fill, at) => (at === 0 ? { ...fill, quantity: null } : fill));
    const text = (importsOf(booksOf(fills)).texts.get("README.txt") ?? "").replaceAll(/\n {2}/g, " ");
    expect(text).toContain("Fills that cannot be typed: 1. They are in no import file; exceptions.csv lists them.");
    expect(text).toContain(
      "What 2 fills gained or lost, where they closed anything: a fill of the market that cannot be typed came before.",
    );
  });

  test("tells whether deposits and withdrawals are in the files, and adds them to the sums", () => {
    expect(readme(EXAMPLE)).toContain("No deposits and withdrawals: no transfers.csv was given.");
    const transfers = [
      { time: Date.UTC(2025, 2, 1), currency: "USDT", amount: 100n * 10n ** 36n, note: "", line: 2 },
      { time: Date.UTC(2025, 2, 2), currency: "USDT", amount: -30n * 10n ** 36n, note: "", line: 3 },
    ];
    const text = readme(EXAMPLE, { transfers });
    expect(text).toContain("PnL before fees - fees + deposits - withdrawals, exactly");
    for (const { file } of READERS) {
      expect(text).toMatch(
        new RegExp(`\\n${file}, for [^]*?Rows: 7\\.\\n- Sum in USDT: in 110\\.00, out 34\\.64, in less out 75\\.36\\.`),
      );
    }
  });

  test("warns if the period was not read to its end", () => {
    expect(readme(EXAMPLE)).not.toContain("INCOMPLETE");
    expect(readme(EXAMPLE, {}, { complete: false })).toContain("INCOMPLETE: not all of the period was read.");
  });
});
