/** Messages of errors and packs begin in lower case and have no full stop. This makes them sentences. */
export function sentenceOf(said: string): string {
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.!?…]$/.test(said) ? "" : "."}`;
}
