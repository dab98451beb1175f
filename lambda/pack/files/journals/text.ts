/** Text in which nothing hides: what cannot be seen, or turns the direction of what follows it, stands there by its code point: `<U+202E>`. */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : byCodePoint(text.toWellFormed(), /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu);
}

/** Printable ASCII, as nearly all text is. */
const PLAIN = /^[ -~]*$/;

/** The same, without characters that mean something where the text goes. */
export function visibleWithout(text: string, special: RegExp): string {
  return byCodePoint(visible(text), special);
}

function byCodePoint(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `<U+${code}>`;
  });
}
