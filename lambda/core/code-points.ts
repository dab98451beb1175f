/** `U+0301` */
export function codePointOf(sign: string): string {
  return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * Adds the code point after each character that is not ASCII: `E´[U+0301]`. For markets and currencies, which
 * are expected to be ASCII.
 */
export function withNumbers(text: string): string {
  return text.replaceAll(/[^ -~]/gu, (sign) => `${sign}[${codePointOf(sign)}]`);
}
