import { describe, expect, test } from "vitest";
import { readabilityOf, sentencesOf } from "./reading-ease.ts";

// Flesch 1948: 206.835 - 1.015 × words per sentence - 84.6 × syllables per word.
test("the reading ease follows Flesch's formula", () => {
  const { words, wordsPerSentence, ease } = readabilityOf("The cat sat on the mat. The dog ran away.");
  expect({ words, wordsPerSentence }).toEqual({ words: 10, wordsPerSentence: 5 });
  expect(ease).toBeCloseTo(206.835 - 1.015 * 5 - 84.6 * (11 / 10), 10);
});

describe("a document's sentences", () => {
  test("are those of paragraphs, lists and tables, without code and headings", () => {
    const text = [
      "# A heading that counts not",
      "One runs `npm test` here. Then two follows\non.",
      "```sh\nthis is no sentence\n```",
      "- a list item here\n- see [another list item](x.md#y)",
      "| a cell with words | no |\n|---|---|\n| more words in here | 5 |",
    ].join("\n\n");
    expect(sentencesOf(text)).toEqual([
      "One runs here.",
      "Then two follows on.",
      "a list item here",
      "see another list item",
      "a cell with words",
      "more words in here",
    ]);
  });
});
