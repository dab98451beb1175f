import { flesch } from "flesch";
import { syllable } from "syllable";

export interface Readability {
  readonly words: number;
  readonly wordsPerSentence: number;
  /** Flesch's reading ease: 60 to 70 is plain English, below 30 is for university graduates. */
  readonly ease: number;
}

/**
 * Measures the sentences of a Markdown text: paragraphs, list items and table cells. Code and headings are
 * left out.
 */
export function readabilityOf(markdown: string): Readability {
  const sentences = sentencesOf(markdown).map(wordsOf);
  const words = sentences.flat();
  const counts = {
    sentence: sentences.length,
    word: words.length,
    syllable: words.reduce((sum, word) => sum + syllable(word), 0),
  };
  return { words: counts.word, wordsPerSentence: counts.word / counts.sentence, ease: flesch(counts) };
}

/** A text with fewer words is a label, not a sentence. */
const FEWEST_WORDS = 3;

export function sentencesOf(markdown: string): readonly string[] {
  return markdown
    .replaceAll(/^ *(`{3,})[\s\S]*?^ *\1$/gm, "\n\n")
    .replaceAll(/^#.*$/gm, "\n")
    .replaceAll(/^[|: -]+$/gm, "\n")
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/`[^`\n]+`/g, "") // the program's names are not words
    .replaceAll(/[*_]/g, "")
    .split(/\n\s*\n|\n\s*(?:[-*]|\d+\.)\s|\s\|\s|\|\n|\n\||(?<=[.!?])["')]*\s+/)
    .map((text) =>
      text
        .replaceAll(/\s+/g, " ")
        .trim()
        .replace(/^(?:[-*|]|\d+\.) /, ""),
    )
    .filter((text) => wordsOf(text).length >= FEWEST_WORDS);
}

function wordsOf(sentence: string): readonly string[] {
  return sentence.match(/[A-Za-z]+(?:['’-][A-Za-z]+)*/g) ?? [];
}
