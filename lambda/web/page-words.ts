/**
 * What the program says to its command line, and what the same is called on the page. Messages come from the
 * program that makes a pack, here or on AWS, and reach the page as sentences.
 */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/: choose one with --method\b/g, "; choose one when you make the pack again"],
  [/ \(--(?:currency|method) \w+\)/g, ""],
  [
    /, but there is none in \S+\. Put it there; fillbook export --help lists its columns\./g,
    ", but there is none. Upload it under Files, which lists its columns.",
  ],
  [
    /(?<!\S)\S+ holds matches\.csv, which the method (\w+) does not use/g,
    "matches.csv is there, and the method $1 does not use it",
  ],
  [
    /\bChoose --method specific, or remove the file\./g,
    "Choose Specific identification, or remove the file under Files.",
  ],
  [/: there is no rate file in .{1,300}?\/rates\//g, ": there is no rate file"],
  [/\bPut a file that has (?:it|them) into the folder .{1,300}?\/rates\//g, "Upload a rate file under Files"],
  [/\bput a file that has (?:it|them) into the folder .{1,300}?\/rates\//g, "upload a rate file under Files"],
  [/\} into .{1,300}?\/accounts\.json/g, "} into accounts.json"],
  [/; "fillbook rates [^;]{1,300}? which have (?:some of them|it|them)/g, ""],
  [/\brun fillbook verify\b/g, "check the archive on the account's page"],
  [/\bRun fillbook verify\b/g, "Check the archive on the account's page"],
  [/\baway and export again\b/g, "away and make the pack again"],
];

/** The message in the page's words. What names no option or command stays as it is. */
export function inPageWords(message: string): string {
  return WORDS.reduce((text, [words, instead]) => text.replace(words, instead), message);
}

/** A file's name, path or address is written as it is, also where a sentence begins. */
const FILE_NAME = /^(?:[\w./=-]+\.(?:csv|json)\b|[\w.:=-]*\/)/;

/** Messages of errors and packs begin in lower case and have no full stop. This makes them sentences. */
export function sentenceOf(said: string): string {
  const first = FILE_NAME.test(said) ? said.charAt(0) : said.charAt(0).toUpperCase();
  return `${first}${said.slice(1)}${/[.!?…]$/.test(said) ? "" : "."}`;
}
