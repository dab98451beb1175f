import { getOrMake } from "./get-or-make.ts";

/**
 * Characters that most fonts draw like an ASCII character: the Cyrillic and Greek letters, hyphens and ASCII
 * pairs of https://www.unicode.org/Public/security/latest/confusables.txt.
 */
const DRAWN_LIKE: Readonly<Record<string, string>> = {
  A: "\u0410\u0391",
  B: "\u0412\u0392",
  C: "\u0421\u03F9",
  E: "\u0415\u0395",
  H: "\u041D\u0397",
  J: "\u0408\u037F",
  K: "\u041A\u039A",
  M: "\u041C\u039C",
  N: "\u039D",
  O: "0\u041E\u039F",
  P: "\u0420\u03A1",
  S: "\u0405",
  T: "\u0422\u03A4",
  X: "\u0425\u03A7",
  Y: "\u04AE\u03A5",
  Z: "\u0396",
  a: "\u0430",
  c: "\u0441\u03F2",
  e: "\u0435",
  i: "\u0456",
  j: "\u0458\u03F3",
  l: "1I|\u0406\u0399\u04CF\u04C0",
  o: "\u043E\u03BF",
  p: "\u0440",
  s: "\u0455",
  x: "\u0445",
  y: "\u0443",
  "-": "\u2010\u2011\u2012\u2013\u2014\u2212",
};

const ASCII_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(DRAWN_LIKE).flatMap(([ascii, signs]) => [...signs].map((sign) => [sign, ascii] as const)),
);
/** ASCII characters that look like another one. */
const AMBIGUOUS = "0O1Il|";

/**
 * Gives two texts the same result if they look the same: composed or not, with invisible characters or
 * without, in any script.
 */
function looksOf(text: string): string {
  const seen = text.normalize("NFKD").replaceAll(/[\p{Cf}\p{Cc}\p{Variation_Selector}\s]/gu, "");
  return Array.from(seen, (sign) => ASCII_OF.get(sign) ?? sign).join("");
}

/** For each name that looks like others: those others, in their order. */
export function lookAlikes(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const byLooks = new Map<string, string[]>();
  for (const name of names) {
    getOrMake(byLooks, looksOf(name), () => []).push(name);
  }
  const alike = [...byLooks.values()].filter(({ length }) => length > 1);
  return new Map(
    alike.flatMap((group) => group.map((name) => [name, group.filter((other) => other !== name)] as const)),
  );
}

/**
 * Adds the code point after each character that is not ASCII: `E´[U+0301]`. For markets and currencies, which
 * are expected to be ASCII.
 */
export function withNumbers(text: string): string {
  return text.replaceAll(/[^ -~]/gu, (sign) => sign + numberOf(sign));
}

/** The same, also for ASCII characters that look like another one. */
export function spelt(text: string): string {
  return Array.from(text, (sign) => (AMBIGUOUS.includes(sign) ? sign + numberOf(sign) : withNumbers(sign))).join("");
}

function numberOf(sign: string): string {
  return `[U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
}
