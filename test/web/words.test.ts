import { expect, test } from "vitest";
import { sentenceOf } from "../../lambda/web/words.ts";

test.each([
  ["s3://books/x is damaged", "s3://books/x is damaged."],
  ["funding.csv is empty", "funding.csv is empty."],
  ["the pack is ready", "The pack is ready."],
  ["Is it?", "Is it?"],
])("%s", (message, sentence) => {
  expect(sentenceOf(message)).toBe(sentence);
});
