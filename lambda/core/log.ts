/**
 * Removes secrets from everything that is printed or logged. No message is meant to contain a token; this is
 * the last line of defence.
 */
export interface Redactor {
  /** Never shows this text from now on. */
  readonly hide: (secret: string) => void;
  readonly redact: (text: string) => string;
}

/** A shorter text is no token, and hiding it would blank out ordinary words. */
const SHORTEST_SECRET = 6;

export function createRedactor(): Redactor {
  const secrets = new Set<string>();
  return {
    hide(secret) {
      if (secret.length >= SHORTEST_SECRET) {
        secrets.add(secret);
        secrets.add(JSON.stringify(secret).slice(1, -1)); // as it would stand inside JSON
      }
    },
    redact(text) {
      let clean = text;
      // The longest first, because a shorter one may be part of it.
      for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
        clean = clean.replaceAll(secret, "[redacted]");
      }
      return clean;
    },
  };
}

// Control characters (C0, DEL, C1), marks that reorder text, line and paragraph separators, lone surrogates.
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]|\p{Cs}/gu;

/**
 * Escapes control characters in text of unknown origin (`\u001b`), so that it cannot drive a terminal or
 * forge a line.
 */
export function visible(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** The same for JSON. The escapes mean the same as the characters, and newlines between values stay. */
export function visibleJson(json: string): string {
  return json.replace(UNSAFE, (character) => (/[\t\n\r]/.test(character) ? character : escaped(character)));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
