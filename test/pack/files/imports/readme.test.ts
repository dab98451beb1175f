import { describe, expect, test } from "vitest";
import { customPeriod } from "../../../../lambda/core/period.ts";
import { type BooksOptions, booksOf, fillsFrom } from "../../../accounting/make.ts";
import { importsOf } from "./files.ts";
import { READERS } from "./readers.ts";

/** Without the breaks of its lines. */
function readme(line: string, options: BooksOptions = {}, change: object = {}): string {
  const books = booksOf(fillsFrom(line), options);
  const text = importsOf({ ...books, context: { ...books.context, ...change } }).texts.get("README.txt") ?? "";
  return text.replaceAll(/\n {2}/g, " ");
}

const EXAMPLE = "B1@100/0.10 S3@110/0.33 B2@112/0.21";

describe("imports/README.txt", () => {
  test("is plain text of short lines, for people without our program", () => {
    const text = importsOf(booksOf(fillsFrom(EXAMPLE))).texts.get("README.txt") ?? "";
    expect(text).toMatch(/^[\n\x20-\x7E]+\n$/);
    expect(Math.max(...text.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(110);
  });

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

  test("says whether funding is in the sums", () => {
    expect(readme(EXAMPLE)).toContain("Every sum is excl. funding");
    const funding = [{ time: Date.UTC(2025, 2, 1, 16), market: "BTC-USDT", amount: -(10n ** 36n), currency: "USDT" }];
    const text = readme(EXAMPLE, { funding });
    expect(text).not.toContain("excl. funding");
    expect(text).toContain("gross results - fees + funding");
    expect(text).toContain("Sum in USDT: in 10.00, out 5.64, in less out 4.36.");
  });

  test("counts the fills whose result is not known, and why", () => {
    const text = readme(EXAMPLE, { fromBeginning: false });
    expect(text).toContain(
      "What 3 fills gained or lost, where they closed anything: the position before the first fill is not known.",
    );
    expect(text).toContain("Sum in USDT: in 0.00, out 0.64, in less out -0.64.");
    expect(readme(EXAMPLE)).not.toContain("gained or lost");
    expect(readme("B1@100", { isLinear: () => false })).toContain(
      "What 1 fill gained or lost, where they closed anything: the contract is not linear.",
    );
  });

  test("counts the fills that are in no file", () => {
    const fills = fillsFrom(EXAMPLE).map((fill, at) => (at === 0 ? { ...fill, quantity: null } : fill));
    const text = (importsOf(booksOf(fills)).texts.get("README.txt") ?? "").replaceAll(/\n {2}/g, " ");
    expect(text).toContain("Fills that cannot be typed: 1. They are in no import file; exceptions.csv lists them.");
    expect(text).toContain(
      "What 2 fills gained or lost, where they closed anything: a fill of the market that cannot be typed came before.",
    );
  });

  test("says which time counts", () => {
    expect(readme(EXAMPLE)).toContain("UTC (filled_at, or else tx_created)");
    expect(readme(EXAMPLE, {}, { basis: "transaction" })).toContain("UTC (tx_created)");
  });

  test("warns of a period that was not read to its end", () => {
    expect(readme(EXAMPLE)).not.toContain("INCOMPLETE");
    expect(readme(EXAMPLE, {}, { complete: false })).toContain("INCOMPLETE: not all of the period was read.");
  });
});
