/** A name of a file is written as it is, also where a sentence begins. */
const FILE_NAME = /^[\w./=-]+\.(?:csv|json)\b/;

/**
 * What is said of an error or a pack begins with a small letter and has no full stop: as a sentence of its
 * own.
 */
export function sentenceOf(said: string): string {
  const first = FILE_NAME.test(said) ? said.charAt(0) : said.charAt(0).toUpperCase();
  return `${first}${said.slice(1)}${/[.!?…]$/.test(said) ? "" : "."}`;
}
