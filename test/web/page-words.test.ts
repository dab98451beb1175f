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
  ["any other", "3,200 fills in the archive.", "3,200 fills in the archive."],
])("%s", (_, message, onThePage) => {
  expect(message).not.toBe("");
  expect(inPageWords(message)).toBe(onThePage);
});
