/**
 * The last line of defence before anything is printed or logged. Nothing is meant to put a token into a message; should something
 * do it all the same, the text loses it here.
 */
export interface Redactor {
  /** From now on this text is never shown. */
  readonly hide: (secret: string) => void;
  readonly redact: (text: string) => string;
}

/** Shorter texts are not tokens, and would blank out ordinary words. */
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
      // the longest first: a shorter one may be a piece of it
      for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
        clean = clean.replaceAll(secret, "[redacted]");
      }
      return clean;
    },
  };
}

// C0, DEL and C1; marks that reorder text; line and paragraph separators; what is half of a character
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029\ufeff]|\p{Cs}/gu;

/** Text of unknown origin with its control characters made visible (`\u001b`), so that it cannot drive a terminal or forge a line. */
export function visible(text: string): string {
  return text.replace(UNSAFE, escaped);
}

/** The same for JSON, where the escapes mean the same as what they replace, and newlines between values stay. */
export function visibleJson(json: string): string {
  return json.replace(UNSAFE, (character) => (/[\t\n\r]/.test(character) ? character : escaped(character)));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
