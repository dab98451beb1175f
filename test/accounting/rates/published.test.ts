import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { daysAfter } from "../../../lambda/accounting/rates/dates.ts";
import { isInEcb, PUBLISHED_RATES } from "../../../lambda/accounting/rates/published.ts";
import { createRates } from "../../../lambda/accounting/rates/rates.ts";
import { recogniseRates } from "../../../lambda/accounting/rates/recognise.ts";
import { exactly } from "../../support/amounts.ts";
import { fixture } from "./make.ts";

const FOLDER = "lambda/cli/published-rates";
const README = readFileSync(join(FOLDER, "README.md"), "utf8");

function shipped(file: string) {
  return recogniseRates(`rates/${file}`, readFileSync(join(FOLDER, file)));
}

function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes).toString().trimEnd().split("\n");
}

test.each(PUBLISHED_RATES)("$name can be read, has the stated days, and README.md has its hash and terms", (one) => {
  const bytes = readFileSync(join(FOLDER, one.file));
  expect(shipped(one.file).span).toEqual({ from: one.from, to: one.to });
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  expect(README).toMatch(new RegExp(`^\\| \`${one.file}\` \\|.*\\| \`${sha256}\` \\|$`, "m"));
  expect(README).toContain(
    /European Central Bank|licensed under the Open Government Licence v3\.0/.exec(one.licence)?.[0],
  );
});

test("the folder holds only these files and README.md, each name once", () => {
  const files = PUBLISHED_RATES.map(({ file }) => file);
  expect(readdirSync(FOLDER).sort()).toEqual([...files, "README.md"].sort());
  expect(new Set(PUBLISHED_RATES.map(({ name }) => name)).size).toBe(files.length);
});

describe("the ECB's file", () => {
  const ecb = shipped("ecb.csv");
  const valueOn = (day: string, quote: string) =>
    String(ecb.rates.find((rate) => rate.from === day && rate.quote === quote)?.value);

  // All rates of one day's eurofxref-daily.xml of the ECB, and some of another day's from eurofxref-hist.xml,
  // as third parties keep them.
  test.each([
    [
      "2024-06-28",
      "USD 1.0705 JPY 171.94 BGN 1.9558 CZK 25.025 DKK 7.4575 GBP 0.84638 HUF 395.10 PLN 4.3090 RON 4.9773 SEK 11.3595 CHF 0.9634 ISK 148.90 NOK 11.3965 TRY 35.1868 AUD 1.6079 BRL 5.8915 CAD 1.4670 CNY 7.7748 HKD 8.3594 IDR 17487.21 ILS 4.0200 INR 89.2495 KRW 1474.86 MXN 19.5654 MYR 5.0501 NZD 1.7601 PHP 62.560 SGD 1.4513 THB 39.319 ZAR 19.4970",
      30,
    ],
    ["2023-12-08", "USD 1.0777 JPY 155.53 BGN 1.9558 CZK 24.354 GBP 0.8569 TRY 31.234 IDR 16719.01 KRW 1412.83", 8],
  ])("has the ECB's rates of %s", (day, text, count) => {
    const rates = [...text.matchAll(/([A-Z]{3}) ([\d.]+)/g)];
    expect(rates).toHaveLength(count);
    for (const [, quote = "", rate = ""] of rates) {
      expect(`${quote} ${valueOn(day, quote)}`).toBe(`${quote} ${exactly(rate)}`);
    }
  });

  test("has exactly the currencies that are offered for it, up to its last day", () => {
    const last = "2026-03-05";
    const quotes = ecb.rates.filter(({ from }) => from === last).map(({ quote }) => quote);
    for (const quote of quotes) {
      const days = ["2022-01-02", "2022-01-03", daysAfter(last, 7), daysAfter(last, 8)];
      const isOffered = days.map((day) => isInEcb(quote, day));
      expect({ quote, isOffered }).toEqual({ quote, isOffered: [false, true, true, false] });
    }
    const codes =
      linesOf(readFileSync(join(FOLDER, "ecb.csv")))[0]
        ?.split(",")
        .slice(1) ?? [];
    expect([...codes, "EUR", "USDT"].filter((code) => isInEcb(code, "2022-01-03")).sort()).toEqual(
      [...quotes, "EUR"].sort(),
    );
  });
});

const OFFER = "fillbook rates ecb";
const ALL =
  /; "fillbook rates ecb" \(with the --inputs of the export, if it has one\) puts the ECB's rates of 2022-01-03 to 2026-03-05 there, which have it$/;

test.each<[what: string, missing: string, hint: unknown]>([
  ["the ECB's file has is offered", "USD EUR 2025-03-01", expect.stringMatching(ALL)],
  [
    "the ECB's file has, and others that it has",
    "USD CHF 2025-03-01, GBP CHF 2025-03-02",
    expect.stringMatching(/which have them$/),
  ],
  [
    "the ECB's file has, beside others",
    "USD CHF 2025-03-01, USDT CHF 2025-03-02",
    expect.stringMatching(/which have some of them$/),
  ],
  ["the ECB's file has by a par", "USDC EUR 2025-03-01", expect.stringContaining(OFFER)],
  ["the ECB's file has on its last days", "USD EUR 2026-03-12", expect.stringContaining(OFFER)],
  ["the file lacks", "USDT EUR 2025-03-01", expect.not.stringContaining(OFFER)],
  ["is before it", "USD EUR 2022-01-02", expect.not.stringContaining(OFFER)],
  ["is after it", "USD EUR 2026-03-13", expect.not.stringContaining(OFFER)],
  ["is of a currency that was gone", "HRK USD 2023-03-01", expect.not.stringContaining(OFFER)],
])("a missing rate that %s", (_, missing, hint) => {
  const rates = createRates([fixture("results.csv")], { USDC: "USD" });
  const all = missing.split(", ").map((one) => one.split(" ") as [string, string, string]);
  const given = all.map(([from, to, day]) => ({ from, to, day }));
  expect(rates.missing(given, "inputs").hint).toEqual(hint);
});
