import { expect, test } from "vitest";
import { FillbookError } from "../../lambda/core/errors.ts";
import { parsePeriod } from "../../lambda/core/period.ts";
import { checkMethod } from "../../lambda/inputs/inputs.ts";
import { form8949Obstacle } from "../../lambda/pack/files/us/form-8949.ts";
import { inPageWords } from "../../lambda/web/page-words.ts";
import { sentenceOf } from "../../lambda/web/sentence-of.ts";

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

test.each([
  [
    "a method without its file",
    said(() => checkMethod({ location, designations: null }, "specific")),
    "The method specific needs matches.csv, but there is none. Upload it under Files, which lists its columns.",
  ],
  [
    "a file without its method",
    said(() => checkMethod({ location, designations: new Map() }, "fifo")),
    "matches.csv is there, and the method fifo does not use it. Choose Specific identification, or remove the file under Files.",
  ],
  [
    "a form that was not made",
    sentenceOf(form8949Obstacle({ period, currency: null, isMethodChosen: false }) ?? ""),
    "form-8949.csv and form-8949.txf were not made: they need amounts in dollars and a method that you choose.",
  ],
  [
    "a method that nobody chose",
    "No method was chosen, so FIFO was used: choose one with --method.",
    "No method was chosen, so FIFO was used; choose one when you make the pack again.",
  ],
  [
    "a damaged pack",
    "s3://books/x is damaged. Run fillbook verify; move it away and export again.",
    "s3://books/x is damaged. Check the archive on the account's page; move it away and make the pack again.",
  ],
  ["any other", "3,200 fills in the archive.", "3,200 fills in the archive."],
])("%s", (_, message, onThePage) => {
  expect(message).not.toBe("");
  expect(inPageWords(message)).toBe(onThePage);
});

test.each([
  ["s3://books/x is damaged", "s3://books/x is damaged."],
  ["demo-out/main/head.json is no head", "demo-out/main/head.json is no head."],
  ["C:/books/x is missing", "C:/books/x is missing."],
  ["funding.csv is empty", "funding.csv is empty."],
  ["the pack is ready", "The pack is ready."],
])("an address that begins a sentence stays as it is: %s", (said, sentence) => {
  expect(sentenceOf(said)).toBe(sentence);
});

test("a long word takes no long time", () => {
  const long = "y".repeat(1_000_000);
  expect(inPageWords(long)).toBe(long);
});
