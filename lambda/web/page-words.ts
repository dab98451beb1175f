/** A file's name, path or address is written as it is, also where a sentence begins. */
const FILE_NAME = /^(?:[\w./=-]+\.(?:csv|json)\b|[\w.:=-]*\/)/;

/** Messages of errors and packs begin in lower case and have no full stop. This makes them sentences. */
export function sentenceOf(said: string): string {
  const first = FILE_NAME.test(said) ? said.charAt(0) : said.charAt(0).toUpperCase();
  return `${first}${said.slice(1)}${/[.!?…]$/.test(said) ? "" : "."}`;
}
