import { codePointOf } from "../../core/code-points.ts";

const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/**
 * Escapes invisible and bidirectional characters, and those that have a meaning in the file, by their code point:
 * `<U+202E>`.
 */
export function visible(text: string, special: RegExp = HIDDEN): string {
  const escaped = (sign: string) => `<${codePointOf(sign)}>`;
  return text.toWellFormed().replaceAll(HIDDEN, escaped).replaceAll(special, escaped);
}
