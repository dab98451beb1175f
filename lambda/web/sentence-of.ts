/**
 * What is said of an error or a pack begins with a small letter and has no full stop: as a sentence of its
 * own.
 */
export function sentenceOf(said: string): string {
  return `${said.charAt(0).toUpperCase()}${said.slice(1)}${/[.!?…]$/.test(said) ? "" : "."}`;
}
