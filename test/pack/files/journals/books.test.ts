import { fc, test } from "@fast-check/vitest";
import { describe, expect, test as plainTest } from "vitest";
import type { Converter } from "../../../../lambda/accounting/rates/converter.ts";
import { FillbookError } from "../../../../lambda/core/errors.ts";
import { customPeriod } from "../../../../lambda/core/period.ts";
import type { PlainFill } from "../../../../lambda/core/plain-fill.ts";
import {
  type AccountSettings,
  DEFAULT_ACCOUNT_SETTINGS,
  parseAccountSettings,
} from "../../../../lambda/pack/build/account-settings.ts";
import { bookMaker } from "../../../../lambda/pack/files/journals/book-maker.ts";
import { bookNotes } from "../../../../lambda/pack/files/journals/book-notes.ts";
import { BookTally } from "../../../../lambda/pack/files/journals/book-tally.ts";
import { type Books, booksOf, fillsFrom } from "../../../accounting/make.ts";
import { readCsv } from "../../../support/rfc4180.ts";
import { exact } from "../csv/make.ts";
import { drawnBooks } from "./draw.ts";

const SETTINGS = parseAccountSettings(
  JSON.stringify({
    par: { USDT: "USD" },
    bookCurrency: "USD",
    xero: { cash: "610", realised: "260", fees: "404", funding: "265", rounding: "860", taxRate: "Tax Exempt" },
    quickbooks: {
      cash: "Trading:Perps {currency}",
      realised: "Realised trading PnL",
      fees: "Trading fees",
      funding: "Funding",
      rounding: "Rounding",
      dateOrder: "MDY",
    },
  }),
  "accounts.json",
);

/** One rate for each currency on all days; × 10^7. */
const RATES: Readonly<Record<string, bigint>> = { "1INCH": 33_333_333n, usdt: 5_000_000n, TRUE: 70_000_000n };

function converter(to = "USD"): Converter {
  const dollar = to === "USD" ? 10_000_000n : 7_512_345n;
  return {
    to,
    convert: (amount, currency) => {
      const rate = { USD: dollar, USDT: dollar, ...RATES }[currency];
      if (rate === undefined) {
        throw new FillbookError("usage", `no rate of ${currency}`);
      }
      return { amount: (amount * rate) / 10_000_000n, rate: "", rateDate: "", source: "" };
    },
  };
}

const EXAMPLE = fillsFrom("B1@100/0.10 S3@110/0.33 B2@112/0.21", { market: "BTC-USD" });

/** The files by the settings of accounts.json: texts by path. */
function filesOf(books: Books, settings = SETTINGS, own: Converter | null = converter()): Map<string, string> {
  const maker = bookMaker(books.context, settings, own);
  maker?.add(books.booked);
  return new Map(maker?.end().map(({ path, content }) => [path, String(content)]));
}

function textBy(name: "xero" | "quickbooks", books: Books, own = converter()): string {
  return filesOf(books, SETTINGS, own).get(`imports/${name}.csv`) ?? "";
}

const xeroText = (books: Books, own = converter()) => textBy("xero", books, own);
const quickBooksText = (books: Books, own = converter()) => textBy("quickbooks", books, own);

describe("the reference's example", () => {
  // Settled in the book currency. Unlike the reference, the cash account names its currency, by the settings.
  plainTest("is Xero's, to the byte", () => {
    const period = customPeriod("2025-01-01", "2026-01-01");
    expect(xeroText(booksOf(EXAMPLE, { period }))).toBe(
      [
        "*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2",
        "fillbook main 2025-03 BTC-USD,31/03/2025,Change of margin balance excl. funding,610,Tax Exempt,5.36,,,,",
        "fillbook main 2025-03 BTC-USD,31/03/2025,Realised PnL excl. funding,260,Tax Exempt,-6.00,,,,",
        "fillbook main 2025-03 BTC-USD,31/03/2025,Trading fees,404,Tax Exempt,0.64,,,,",
        "",
      ].join("\r\n"),
    );
  });

  plainTest("is QuickBooks', to the byte", () => {
    expect(quickBooksText(booksOf(EXAMPLE))).toBe(
      [
        "*JournalNo,*JournalDate,*AccountName,*Debits,*Credits,Description,Name,Currency,Location,Class",
        "FB-202503-BTCUSD,03/31/2025,Trading:Perps USD,5.36,,Change of margin balance excl. funding,,,,",
        "FB-202503-BTCUSD,03/31/2025,Realised trading PnL,,6.00,Realised PnL excl. funding,,,,",
        "FB-202503-BTCUSD,03/31/2025,Trading fees,0.64,,Trading fees,,,,",
        "",
      ].join("\r\n"),
    );
  });

  plainTest("at a par names the settled amount and its currency", () => {
    const books = booksOf(fillsFrom("B1@100/0.10 S3@110/0.33 B2@112/0.21"));
    expect(xeroText(books)).toContain("Realised PnL excl. funding (6 USDT),260,Tax Exempt,-6.00,");
    expect(quickBooksText(books)).toContain("FB-202503-BTCUSDT,03/31/2025,Trading:Perps USDT,5.36,,");
  });
});

test.prop([drawnBooks()])("amounts settled in the book currency equal the statement, to half a cent", (books) => {
  const tally = new BookTally(books.context, converter());
  tally.add(books.booked);
  const { journals } = tally;
  for (const { month, market, currency, gross, activity, funding } of books.statement.marketMonths) {
    if (currency === "USD") {
      const lines = journals.find(
        (one) => one.month === month && one.market === market && one.currency === "USD",
      )?.lines;
      const { maker, taker, other } = activity;
      const fees = [maker, taker, other].reduce((sum, { feesPaid, rebates }) => sum + feesPaid + rebates, 0n);
      const expected = { cash: gross - fees + (funding ?? 0n), realised: -gross, fees, funding: -(funding ?? 0n) };
      for (const [role, amount] of Object.entries(expected)) {
        const difference = (lines?.find((line) => line.role === role)?.amount ?? 0n) - amount;
        expect(2n * (difference < 0n ? -difference : difference)).toBeLessThanOrEqual(10n ** 34n);
      }
    }
  }
});

/**
 * The journals of a file, read by its rules: lines with the same key form one journal. Amounts × 10^36,
 * debits positive.
 */
function journalsOf(
  text: string,
  kind: "xero" | "quickbooks",
): Map<string, readonly (readonly [account: string, amount: bigint])[]> {
  const journals = new Map<string, [string, bigint][]>();
  for (const row of readCsv(text).slice(1)) {
    const [first = "", date = "", third = "", fourth = "", fifth = "", sixth = ""] = row;
    const line: [string, bigint] =
      kind === "xero" ? [fourth, exact(sixth)] : [third, fourth === "" ? -exact(fifth) : exact(fourth)];
    expect(kind === "xero" ? sixth : fourth + fifth).toMatch(/^-?\d+\.\d\d$/);
    const key = `${first} ${date}`;
    journals.set(key, [...(journals.get(key) ?? []), line]);
  }
  return journals;
}

describe.each([
  ["xero", xeroText],
  ["quickbooks", quickBooksText],
] as const)("the journals of %s", (kind, textFrom) => {
  test.prop([drawnBooks()])("each add up to zero, and no line has an amount of zero", (books) => {
    for (const lines of journalsOf(textFrom(books), kind).values()) {
      expect(lines.reduce((sum, [, amount]) => sum + amount, 0n)).toBe(0n);
      expect(lines.every(([, amount]) => amount !== 0n)).toBe(true);
    }
  });

  plainTest("have a line for the rounding difference", () => {
    const books = booksOf(fillsFrom("B1@100/0.10 S1@106.01/0.33", { market: "BTC-USD" }));
    const lines = [...journalsOf(textFrom(books, converter("GBP")), kind).values()];
    // At 0.7512345: 6.01 is 4.514919345, 0.43 is 0.323030835, 5.58 is 4.19188851.
    const cents = lines[0]?.map(([, amount]) => amount / 10n ** 34n);
    expect(cents).toEqual([419n, -451n, 32n]);
    const other = booksOf(fillsFrom("B1@100/0.10 S1@106.02/0.32", { market: "BTC-USD" }));
    // 6.02 is 4.52243169, 0.42 is 0.31551849, 5.60 is 4.2069132: 4.21 - 4.52 + 0.32 is 0.01.
    const [rounded] = [...journalsOf(textFrom(other, converter("GBP")), kind).values()];
    expect(rounded?.map(([, amount]) => amount / 10n ** 34n)).toEqual([421n, -452n, 32n, -1n]);
    expect(rounded?.at(-1)?.[0]).toBe(kind === "xero" ? "860" : "Rounding");
  });

  plainTest("are by month and market, dated to the month's last day in the period", () => {
    const zone = "America/New_York";
    const period = customPeriod("2025-03-15", "2025-04-20", zone);
    const fills = fillsFrom("B1@100/1 B1@100/2 B1@100/4", {
      market: "BTC-USD",
      from: Date.UTC(2025, 3, 1, 3),
      stepMs: 3_600_000,
    });
    const eth = fillsFrom("B1@100/8", { market: "ETH-USD", from: period.from });
    const keys = [...journalsOf(textFrom(booksOf([...eth, ...fills], { period })), kind)];
    expect(keys.map(([key, lines]) => [key, lines[0]?.[1]])).toEqual(
      kind === "xero"
        ? [
            ["fillbook main 2025-03 BTC-USD 31/03/2025", exact("-1")],
            ["fillbook main 2025-03 ETH-USD 31/03/2025", exact("-8")],
            ["fillbook main 2025-04 BTC-USD 19/04/2025", exact("-6")],
          ]
        : [
            ["FB-202503-BTCUSD 03/31/2025", exact("-1")],
            ["FB-202503-ETHUSD 03/31/2025", exact("-8")],
            ["FB-202504-BTCUSD 04/19/2025", exact("-6")],
          ],
    );
  });

  plainTest("include the user's funding, and tell what is unknown", () => {
    const funding = [{ time: Date.UTC(2025, 2, 2), market: "BTC-USD", amount: -(10n ** 36n), currency: "USD" }];
    const text = textFrom(booksOf(EXAMPLE, { funding, fromBeginning: false }));
    expect(text).toContain("Change of margin balance without 3 closing fills of unknown PnL,");
    expect(text).not.toContain("Realised");
    expect([...journalsOf(text, kind).values()][0]?.map(([, amount]) => amount)).toEqual(
      ["-1.64", "0.64", "1"].map(exact),
    );
  });

  plainTest("are not made unless accounts.json sets them up", () => {
    const books = booksOf(EXAMPLE);
    const pathsOf = (settings: AccountSettings) => [...filesOf(books, settings).keys()];
    expect(pathsOf(SETTINGS)).toEqual(["imports/xero.csv", "imports/quickbooks.csv"]);
    expect(pathsOf({ ...SETTINGS, [kind]: null })).not.toContain(`imports/${kind}.csv`);
    expect(pathsOf({ ...SETTINGS, [kind]: null })).toHaveLength(1);
    expect(pathsOf(DEFAULT_ACCOUNT_SETTINGS)).toEqual([]);
    expect(bookMaker(books.context, DEFAULT_ACCOUNT_SETTINGS, null)).toBeNull();
  });

  plainTest("stop if a rate is missing", () => {
    const books = booksOf(fillsFrom("B1@100/1", { market: "BTC-EUR" }));
    expect(() => textFrom(books)).toThrow(/EUR/);
  });

  test.prop([
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("=cmd|' /C calc'!A0", '"', ",", "\r\n", "\u202E", "-1", "\uD800"),
    ),
  ])("keep hostile markets in a cell that is text", (name) => {
    const market = (text: string) => (fill: PlainFill) => ({ ...fill, market: text });
    const text = textFrom(booksOf(EXAMPLE.map(market(`${name}x-USD`))));
    expect(text).not.toMatch(/["\u202E<]|[^\P{C}\r\n]|(?:^|,)[=+@]/mu);
    expect(readCsv(text)).toHaveLength(4);
    expect(readCsv(text).every((row) => row.length === 10)).toBe(true);
  });
});

describe("the limit of one file for Xero", () => {
  const markets = Array.from({ length: 150 }, (_, at) => `M${at}-USD`);
  const fills = markets.flatMap((market, at) =>
    fillsFrom("B1@100/0.10 S1@110/0.33", { market, from: Date.UTC(2025, 0, 1) + at * 10, stepMs: 5 }),
  );
  const books = booksOf(fills);

  plainTest("is 300 lines: more files follow, each with the header, and no journal is cut", () => {
    const files = filesOf(books, { ...SETTINGS, quickbooks: null });
    expect([...files.keys()]).toEqual(["imports/xero.csv", "imports/xero-2.csv"]);
    const texts = [...files.values()];
    const journals = texts.map((text) => [...journalsOf(text, "xero").keys()]);
    for (const text of texts) {
      expect(readCsv(text).length).toBeLessThanOrEqual(300);
      expect(text.slice(0, 10)).toBe("*Narration");
    }
    expect(journals.flat().length).toBe(150);
    expect(new Set(journals.flat()).size).toBe(150);
    for (const lines of texts.flatMap((text) => [...journalsOf(text, "xero").values()])) {
      expect(lines.reduce((sum, [, amount]) => sum + amount, 0n)).toBe(0n);
    }
  });
});

describe("the number of a QuickBooks journal", () => {
  function numbersOf(markets: readonly string[], account = "main"): string[] {
    const books = booksOf(markets.flatMap((market) => fillsFrom("B1@100/0.10", { market })));
    const text = quickBooksText({ ...books, context: { ...books.context, account } });
    return [
      ...new Set(
        readCsv(text)
          .slice(1)
          .map(([number = ""]) => number),
      ),
    ];
  }

  plainTest("distinguishes markets and accounts, in 21 characters", () => {
    expect(numbersOf(["BTC-USD"])).toEqual(["FB-202503-BTCUSD"]);
    expect(numbersOf(["BTC-USD"], "alt")).toEqual(["FB-202503-ALT-BTCUSD"]);
    const [long, first, second, odd] = numbersOf(["AVERYLONGNAME-USD", "BT-CUSD-USD", "BTCUSD-USD", "b-USD"]);
    expect(long).toMatch(/^FB-202503-[0-9A-F]{11}$/);
    expect(first).toBe("FB-202503-BTCUSDUSD");
    expect(second).toMatch(/^FB-202503-[0-9A-F]{11}$/);
    expect(odd).toMatch(/^FB-202503-[0-9A-F]{11}$/);
    expect(numbersOf(["AVERYLONGNAME-USD"], "alt")).not.toEqual([long]);
  });
});

describe("the README's text about the journals", () => {
  plainTest("tells what is missing, or the currency of the journals", () => {
    expect(bookNotes(DEFAULT_ACCOUNT_SETTINGS).map(({ lines }) => lines)).toEqual([
      ["This file was not made. It needs xero (the names of your accounts) and bookCurrency in inputs/accounts.json."],
      [
        "This file was not made. It needs quickbooks (the names of your accounts) and bookCurrency in inputs/accounts.json.",
      ],
      ["This file was not made. It needs datev (the numbers of your bookkeeper's accounts) in inputs/accounts.json."],
    ]);
    for (const { lines } of bookNotes(SETTINGS).slice(0, 2)) {
      expect(lines[0]).toContain("Journals by month and market, in USD");
    }
  });
});
