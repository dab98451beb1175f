import { fc, test } from "@fast-check/vitest";
import { describe, expect, test as plainTest } from "vitest";
import type { Converter } from "../../../../lambda/accounting/rates/converter.ts";
import { FillbookError } from "../../../../lambda/core/errors.ts";
import { customPeriod } from "../../../../lambda/core/period.ts";
import type { PlainFill } from "../../../../lambda/core/plain-fill.ts";
import { type DatevSettings, parseAccountSettings } from "../../../../lambda/pack/build/account-settings.ts";
import { bookMaker } from "../../../../lambda/pack/files/journals/book-maker.ts";
import { bookNotes } from "../../../../lambda/pack/files/journals/book-notes.ts";
import { BookTally } from "../../../../lambda/pack/files/journals/book-tally.ts";
import { type Books, booksOf, fillsFrom } from "../../../accounting/make.ts";
import { exact } from "../csv/make.ts";
import { HEADER, POSTING } from "./datev-format.ts";
import { drawnBooks } from "./draw.ts";

const DATEV: DatevSettings = {
  consultant: "29098",
  client: "55003",
  accountLength: "4",
  yearBegins: "01-01",
  cash: "70000",
  realised: "4830",
  fees: "6855",
  funding: "7110",
  rounding: "0999",
};

/** One rate for each currency on all days; × 10^7. */
const RATES: Readonly<Record<string, bigint>> = {
  EUR: 10_000_000n,
  USD: 7_512_345n,
  USDT: 7_512_345n,
  "1INCH": 33_333_333n,
  usdt: 5_000_000n,
  TRUE: 70_000_000n,
};

const CONVERTER: Converter = {
  to: "EUR",
  convert: (amount, currency) => ({
    amount: (amount * (RATES[currency] ?? 0n)) / 10_000_000n,
    rate: "",
    rateDate: "",
    source: "",
  }),
};

/** Bytes by path. Fills are added in batches of `size`. */
function filesOf(books: Books, datev = DATEV, size = 1000): Map<string, Uint8Array> {
  const settings = parseAccountSettings(JSON.stringify({ datev }), "accounts.json");
  const maker = bookMaker(books.context, settings, CONVERTER);
  for (let at = 0; at < books.booked.length; at += size) {
    maker?.add(books.booked.slice(at, at + size));
  }
  return new Map(maker?.end().map(({ path, content }) => [path, content as Uint8Array]));
}

interface ReadFile {
  readonly path: string;
  readonly header: readonly string[];
  readonly headings: readonly string[];
  readonly postings: readonly Readonly<Record<string, string>>[];
}

function read(files: Map<string, Uint8Array>): readonly ReadFile[] {
  return [...files].map(([path, bytes]) => {
    const lines = new TextDecoder("windows-1252").decode(bytes).split("\r\n");
    expect(lines.at(-1)).toBe("");
    const [header = [], headings = [], ...rows] = lines.slice(0, -1).map(fieldsOf);
    const postings = rows.map((row) => {
      expect(row).toHaveLength(125);
      return Object.fromEntries(POSTING.map(({ heading }, at) => [heading, row[at] ?? ""]));
    });
    return { path, header, headings, postings };
  });
}

function fieldsOf(line: string): string[] {
  return [...line.matchAll(/(?<field>"(?:[^"]|"")*"|[^;"]*)(?:;|$)/g)]
    .map(({ groups }) => groups?.["field"] ?? "")
    .slice(0, line.endsWith(";") ? undefined : -1);
}

const euros = (fills: string, options = {}) => fillsFrom(fills, { market: "BTC-EUR", ...options });
const EXAMPLE = "B1@100/0.10 S3@110/0.33 B2@112/0.21";

describe("the example", () => {
  const [file] = read(filesOf(booksOf(euros(EXAMPLE))));

  plainTest("has DATEV's first line, with our own numbers", () => {
    expect(file?.path).toBe("imports/datev/EXTF_main_2025-03.csv");
    // DATEV's:
    // "EXTF";700;21;"Buchungsstapel";13;20240130140440439;;"RE";"";"";29098;55003;20240101;4;20240101;20240831;"Buchungsstapel";"WD";1;0;0;"EUR";;"";;;"03";;;"";""
    expect(file?.header.join(";")).toBe(
      '"EXTF";700;21;"Buchungsstapel";13;20250331000000000;;"FB";"fillbook";"";29098;55003;20250101;4;20250301;20250331;"fillbook 03/2025 main";"";1;0;0;"EUR";;"";;;"";;;"";""',
    );
  });

  plainTest("has the headings of DATEV's sample file, without quotes", () => {
    expect(POSTING).toHaveLength(125);
    expect(file?.headings).toEqual(POSTING.map(({ heading }) => heading));
  });

  plainTest("posts PnL as a debit of the margin balance, and fees as a credit", () => {
    const filled = file?.postings.map((posting) =>
      Object.values(posting).filter((field) => field !== "" && field !== '""'),
    );
    const number = '"FB-202503-BTCEUR"';
    expect(filled).toEqual([
      ["6,00", '"S"', '"EUR"', "70000", "4830", "3103", number, '"BTC-EUR realisiertes Ergebnis"', "0"],
      ["0,64", '"H"', '"EUR"', "70000", "6855", "3103", number, '"BTC-EUR Handelsgebühren"', "0"],
    ]);
  });

  plainTest("is not made if there is nothing to post", () => {
    expect(filesOf(booksOf([]))).toEqual(new Map());
  });
});

const NECESSARY = [
  "Umsatz (ohne Soll/Haben-Kz)",
  "Soll/Haben-Kennzeichen",
  "Konto",
  "Gegenkonto (ohne BU-Schlüssel)",
  "Belegdatum",
];

function expectFormat({ path, header, postings }: ReadFile): void {
  expect(path).toMatch(/^imports\/datev\/EXTF_[^/]+\.csv$/);
  expect(header).toHaveLength(31);
  for (const [at, { expression }] of HEADER.entries()) {
    expect(header[at]).toMatch(expression);
  }
  for (const posting of postings) {
    for (const { heading, expression } of POSTING) {
      const field = posting[heading] ?? "";
      const empty = expression.source.includes('["]') ? '""' : "";
      if (field !== empty || NECESSARY.includes(heading)) {
        expect(field).toMatch(expression);
      }
    }
  }
}

/** × 10^36, debits positive, by number and account. */
function sumsOf(files: readonly ReadFile[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  const add = (number: string, account: string, amount: bigint) => {
    const key = `${number} ${account}`;
    sums[key] = (sums[key] ?? 0n) + amount;
  };
  for (const posting of files.flatMap(({ postings }) => postings)) {
    const text = posting["Umsatz (ohne Soll/Haben-Kz)"] ?? "";
    const amount = exact(text.replace(",", ".")) * (posting["Soll/Haben-Kennzeichen"] === '"S"' ? 1n : -1n);
    const number = posting["Belegfeld 1"] ?? "";
    add(number, posting["Konto"] ?? "", amount);
    add(number, posting["Gegenkonto (ohne BU-Schlüssel)"] ?? "", -amount);
  }
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0n));
}

test.prop([drawnBooks(6), fc.integer({ min: 1, max: 50 })])(
  "follows the format, adds up to the journals, and does not depend on the batches",
  (books, size) => {
    const tally = new BookTally(books.context, CONVERTER);
    tally.add(books.booked);
    const { journals } = tally;
    const amounts = journals.flatMap(({ lines }) => lines.filter(({ role }) => role !== "cash"));
    if (amounts.some(({ amount }) => (amount < 0n ? -amount : amount) >= 10n ** 46n)) {
      expect(() => filesOf(books)).toThrow(/a posting of DATEV has at most 9999999999\.99/);
      return;
    }
    const files = read(filesOf(books));
    files.forEach(expectFormat);
    const expected = journals.map(({ lines }) => lines.map(({ role, amount }) => `${DATEV[role]} ${amount}`).sort());
    const sums = Map.groupBy(Object.entries(sumsOf(files)), ([key]) => key.split(" ")[0]);
    const found = [...sums.values()].map((entries) =>
      entries.map(([key, amount]) => `${key.split(" ")[1]} ${amount}`).sort(),
    );
    expect(found).toEqual(expected);
    expect(filesOf(books, DATEV, size)).toEqual(filesOf(books));
  },
);

describe("batches", () => {
  // The year of a posting comes from field 13 of the first line, WJ-Beginn:
  // https://developer.datev.de/datev/platform/de/dtvf/formate/buchungsstapel
  plainTest("are months of one business year, and its first day gives postings their year", () => {
    const period = customPeriod("2024-05-10", "2025-08-20", "Europe/Berlin");
    const fills = euros("B1@100/1 ".repeat(14), { from: Date.UTC(2024, 4, 12), stepMs: 33 * 86_400_000 });
    const files = read(filesOf(booksOf(fills, { period }), { ...DATEV, yearBegins: "07-01" }));
    expect(
      files.map(({ header, postings }) => [...header.slice(12, 16), postings[0]?.["Belegdatum"]].join(" ")),
    ).toEqual([
      "20230701 4 20240510 20240531 3105",
      "20230701 4 20240601 20240630 3006",
      "20240701 4 20240701 20240731 3107",
      "20240701 4 20240801 20240831 3108",
      "20240701 4 20240901 20240930 3009",
      "20240701 4 20241001 20241031 3110",
      "20240701 4 20241101 20241130 3011",
      "20240701 4 20241201 20241231 3112",
      "20240701 4 20250101 20250131 3101",
      "20240701 4 20250301 20250331 3103",
      "20240701 4 20250401 20250430 3004",
      "20240701 4 20250501 20250531 3105",
      "20240701 4 20250601 20250630 3006",
      "20250701 4 20250701 20250731 3107",
    ]);
    expect(files[0]?.path).toBe("imports/datev/EXTF_main_2024-05.csv");
    files.forEach(expectFormat);
  });
});

describe("the text of a posting", () => {
  const textsOf = (books: Books) =>
    read(filesOf(books)).flatMap(({ postings }) => postings.map((posting) => posting["Buchungstext"]?.slice(1, -1)));
  const named = (market: string, fills = EXAMPLE) => booksOf(fillsFrom(fills, { market }));

  plainTest("names the settled amount and its currency", () => {
    expect(textsOf(named("BTC-USD"))).toEqual([
      "BTC-USD realisiertes Ergebnis (6 USD)",
      "BTC-USD Handelsgebühren (0,64 USD)",
    ]);
  });

  plainTest("first leaves out the settled amount if it is too long, then cuts the market, and never a figure", () => {
    const [result, fees] = textsOf(named("A-MARKET-OF-27-CHARACTERS-USD"));
    expect(result).toBe("A-MARKET-OF-27-CHARACTERS-USD realisiertes Ergebnis (6 USD)");
    expect(fees).toBe("A-MARKET-OF-27-CHARACTERS-USD Handelsgebühren (0,64 USD)");
    expect(textsOf(named("A-MARKET-OF-30-CHARACTERS-IS-USD"))[0]).toBe(
      "A-MARKET-OF-30-CHARACTERS-IS-USD realisiertes Ergebnis",
    );
    const [cut] = textsOf(named("A-MARKET-OF-MANY-MORE-CHARACTERS-THAN-FIT-USD"));
    expect(cut).toBe("A-MARKET-OF-MANY-MORE-CHARACTERS-THAN… realisiertes Ergebnis");
    expect(cut).toHaveLength(60);
  });

  plainTest("counts unknown PnL", () => {
    const [fees] = textsOf(booksOf(euros(EXAMPLE), { fromBeginning: false }));
    expect(fees).toBe("BTC-EUR Handelsgebühren, 3 Ergebnisse unbekannt");
    const [one] = textsOf(booksOf(euros("B1@100/0.10"), { fromBeginning: false }));
    expect(one).toBe("BTC-EUR Handelsgebühren, 1 Ergebnis unbekannt");
  });

  plainTest("includes funding and the rounding difference", () => {
    const funding = [{ time: Date.UTC(2025, 2, 2), market: "BTC-USD", amount: 10n ** 36n, currency: "USD" }];
    const fills = fillsFrom("B1@100/0.10 S1@106.02/0.32", { market: "BTC-USD" });
    // At 0.7512345: 6.02 is 4.52243169, 0.42 is 0.31551849, 1 is 0.7512345, 6.60 is 4.9581477: 4.96 - 4.52 +
    // 0.32 - 0.75 is 0.01.
    const [file] = read(filesOf(booksOf(fills, { funding })));
    const shown = file?.postings.map((posting) =>
      [posting["Umsatz (ohne Soll/Haben-Kz)"], posting["Soll/Haben-Kennzeichen"], posting["Buchungstext"]].join(" "),
    );
    expect(shown).toEqual([
      '4,52 "S" "BTC-USD realisiertes Ergebnis (6,02 USD)"',
      '0,32 "H" "BTC-USD Handelsgebühren (0,42 USD)"',
      '0,75 "S" "BTC-USD Funding (1 USD)"',
      '0,01 "S" "BTC-USD Rundungsdifferenz"',
    ]);
  });

  plainTest("replaces characters that Windows-1252 lacks with visible ones", () => {
    expect(textsOf(named("Ж€ü-EUR"))[0]).toBe("%0416%20ACü-EUR realisiertes Ergebnis");
  });

  test.prop([
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("=cmd|' /C calc'!A0", '"', ";", "\r\n", "\u202E", "-1", "\uD800", "ÄÖ", "日本", "𝔅"),
    ),
  ])("keeps hostile markets within their field", (name) => {
    const fills = euros(EXAMPLE).map((fill): PlainFill => ({ ...fill, market: `${name}x-EUR` }));
    const files = read(filesOf(booksOf(fills)));
    expect(files).toHaveLength(1);
    files.forEach(expectFormat);
    expect(files[0]?.postings).toHaveLength(2);
    for (const text of textsOf(booksOf(fills))) {
      expect(text).toMatch(/^[\p{L}\p{N}%][\p{L}\p{N}._:%, …()-]*$/u);
    }
  });
});

describe("an amount that a posting cannot hold", () => {
  plainTest("is refused, with what to do", () => {
    const books = (price: string) => booksOf(euros(`B1@1 S1@${price}`));
    expect(filesOf(books("10000000000.99")).size).toBe(1);
    expect(() => filesOf(books("10000000001"))).toThrow(FillbookError);
    expect(() => filesOf(books("10000000001"))).toThrow("FB-202503-BTCEUR posts 10000000000.00");
  });
});

describe("the README's text about DATEV", () => {
  plainTest("tells how to import it, or how to set it up", () => {
    const titleOf = (text: string) =>
      bookNotes(parseAccountSettings(text, "accounts.json")).find(({ title }) => title.includes("DATEV"));
    expect(titleOf("{}")?.lines).toEqual([
      "Not made: it needs datev (the numbers of your bookkeeper's accounts) in inputs/accounts.json.",
    ]);
    expect(titleOf(JSON.stringify({ datev: DATEV }))?.lines[0]).toContain("in EUR");
  });
});
