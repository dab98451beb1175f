/** Escapes invisible and bidirectional characters by their code point: `<U+202E>`. */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : byCodePoint(text.toWellFormed(), /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu);
}

/** Printable ASCII. Nearly all text is. */
const PLAIN = /^[ -~]*$/;

/** The same, and removes characters that have a meaning in the file. */
export function visibleWithout(text: string, special: RegExp): string {
  return byCodePoint(visible(text), special);
}

function byCodePoint(text: string, pattern: RegExp): string {
  return text.replaceAll(pattern, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `<U+${code}>`;
  });
}
