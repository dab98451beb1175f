import { describe, expect, test } from "vitest";
import { createConverter } from "../../../lambda/accounting/rates/converter.ts";
import { createRates } from "../../../lambda/accounting/rates/rates.ts";
import { type BooksOptions, booksOf, fillsFrom } from "../../accounting/make.ts";
import { exactly } from "../../support/amounts.ts";
import { type FileOptions, pageOf } from "../books.ts";
import { statementText } from "./statement-text.ts";

function statementOf({ converter = null, ...options }: BooksOptions, context: FileOptions["context"] = {}): string {
  const books = booksOf(fillsFrom("B1@100 S3@110"), options);
  return statementText(pageOf(books, { context, converter })).replaceAll(/\s+/g, " ");
}

describe("the statement", () => {
  test("names the client, the preparer, a reference and the venue, as the user does", () => {
    const named = { client: "A. Trader <b>", preparer: "Books & Co", reference: "2025/17", venue: "The Venue" };
    expect(statementOf({ named })).toMatch(
      /Client A\. Trader <b> Prepared by Books & Co Reference 2025\/17 Venue The Venue Account main/,
    );
    expect(statementOf({ named: { venue: "The Venue" } })).toMatch(/Venue The Venue Account main/);
    expect(statementOf({ named: { venue: "The Venue" } })).not.toContain("Reference");
  });

  test("shows unrealised PnL at the user's prices; without a price it is not known", () => {
    // 2 are short at 110. At 130 they have lost 40.
    const mark = { market: "BTC-USDT", time: 0, price: exactly("130") };
    expect(statementOf({ marks: new Map([["BTC-USDT", mark]]) })).toMatch(/Unrealised PnL, end [−-]40\.00/);
    expect(statementOf({ marks: new Map() })).toMatch(/Unrealised PnL, end not known/);
    expect(statementOf({})).not.toContain("Unrealised");
  });

  test("shows sums in the reporting currency only if it is another", () => {
    const into = (to: string) =>
      statementOf({ converter: createConverter({ rates: createRates([], { USDT: "USD" }), to, zone: "UTC" }) });
    expect(into("USD")).toMatch(/All in USD ?: .*Settled in USDT ?: .*Currency USD, converted from USDT Method/);
    expect(into("USDT")).not.toContain("All in");
    expect(into("USDT")).toContain("Currency USDT Method");
  });

  test("counts markets with fills and a name, not those of a payment alone", () => {
    const fills = fillsFrom("B1@100 S3@110");
    const nameless = fills.map((fill) => ({ ...fill, matchId: `${fill.matchId}n`, market: null }));
    const payment = { time: fills[0]?.txCreated ?? 0, market: "btc-usdt", amount: exactly("1"), currency: "USDT" };
    const text = statementText(pageOf(booksOf([...fills, ...nameless], { funding: [payment] })));
    expect(text).toMatch(/in 1 market;/);
    expect(text.match(/\w+\)?: \d+ markets?/g)).toEqual(["nil: 1 market", "contracts): 1 market"]);
  });

  test("tells which funding its figures leave out", () => {
    const { own } = booksOf([]);
    const accounts = [
      { ...own, account: "hedge", funding: [] },
      { ...own, funding: null },
    ];
    expect(statementOf({}, { accounts })).toContain(
      "0 payments from the user's funding.csv, in the totals above; no funding.csv for main",
    );
  });
});

test("the page distinguishes two markets whose names look the same everywhere", () => {
  const fills = fillsFrom("B1@100 S3@110 B1@100 S3@110");
  const [one, other] = ["CAF\u00C9-USD", "CAFE\u0301-USD"];
  const page = pageOf(booksOf(fills.map((fill, at) => ({ ...fill, market: at < 2 ? one : other }))));
  const marked = (name: string) => page.split(name).length - 1;
  expect(marked("CAF\u00C9[U+00C9]-USD")).toBeGreaterThan(3);
  expect(marked("CAFE\u0301[U+0301]-USD")).toBe(marked("CAF\u00C9[U+00C9]-USD"));
  // Attributes with the plain name are row keys for programs.
  const texts = page.replaceAll(/ data-[a-z]+="[^"]*"/g, "");
  expect([texts.includes(one), texts.includes(other)]).toEqual([false, false]);
});
