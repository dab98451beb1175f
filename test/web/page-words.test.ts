import { expect, test } from "vitest";
import { createRates } from "../../lambda/accounting/rates/rates.ts";
import { FillbookError } from "../../lambda/core/errors.ts";
import { parsePeriod } from "../../lambda/core/period.ts";
import { checkMethod } from "../../lambda/inputs/inputs.ts";
import { form8949Obstacle } from "../../lambda/pack/tables/form-8949.ts";
import { inPageWords, sentenceOf } from "../../lambda/web/page-words.ts";

// Messages as the program itself gives them: none of them may name its command line on the page.

const period = parsePeriod("us-2025");

function said(check: () => void): string {
  try {
    check();
  } catch (error) {
    if (error instanceof FillbookError) {
      return [error.message, error.hint ?? ""].map(sentenceOf).join(" ");
    }
  }
  return "";
}

const location = "s3://books/main/inputs";

function missing(from: string, to: string): string {
  return said(() => {
    throw createRates([], {}).missing([{ from, to, day: "2025-03-01" }], location);
  });
}

test.each([
  [
    said(() => checkMethod({ location, designations: null }, "specific")),
    "The method specific needs matches.csv, but there is none. Upload it under Files, which lists its columns.",
  ],
  [
    said(() => checkMethod({ location, designations: new Map() }, "fifo")),
    "matches.csv is there, and the method fifo does not use it. Choose Specific identification, or remove the file under Files.",
  ],
  [
    sentenceOf(form8949Obstacle({ period, currency: null, method: "average" }) ?? ""),
    "form-8949.csv was not made: it needs amounts in dollars; and by average cost it would be wrong, because that is for shares of funds only (26 CFR 1.1012-1(e)): choose FIFO, or another method that matches lots.",
  ],
  [
    "No method was chosen, so FIFO was used: choose one with --method.",
    "No method was chosen, so FIFO was used; choose one when you make the pack again.",
  ],
  [
    missing("USDT", "EUR"),
    'There is no rate from USDT to EUR on 2025-03-01: there is no rate file. Upload a rate file under Files (a file of a central bank or tax office, or a CSV file with the headings date,base,quote,rate,source and the line 2025-03-01,USDT,EUR,RATE,"source of the rate"); if 1 USDT is worth 1 USD to you, write {"par": {"USDT": "USD"}} into accounts.json.',
  ],
  [
    "s3://books/x is damaged. Run fillbook verify; move it away and export again.",
    "s3://books/x is damaged. Check the archive on the account's page; move it away and make the pack again.",
  ],
  ["3,200 fills in the archive.", "3,200 fills in the archive."],
  [sentenceOf("s3://books/x is damaged"), "s3://books/x is damaged."],
  [sentenceOf("funding.csv is empty"), "funding.csv is empty."],
  [sentenceOf("the pack is ready"), "The pack is ready."],
])("%s", (message, onThePage) => {
  expect(inPageWords(message)).toBe(onThePage);
});
