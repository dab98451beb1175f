import { createHash } from "node:crypto";
import { inspect } from "node:util";
import { FillbookError } from "./errors.ts";

const REDACTED = "[redacted]";
/** A JWT, wherever it stands, or a whole header's value. */
const SHOWN_TOKEN = /^\s*bearer\s|eyJ[\w-]{8,}\.[\w-]+\.[\w-]*/i;

/**
 * The service's bearer token. Printed, logged or serialised, it reads `[redacted]`. Only `reveal` gives its
 * text.
 */
export class Token {
  readonly #text: string;

  /**
   * @throws FillbookError `usage`, without the value, when the text cannot stand in an Authorization header.
   */
  constructor(text: string) {
    if (!/^[\x21-\x7e]+$/.test(text)) {
      throw new FillbookError("usage", `the token ${whatIsWrong(text)}`, {
        hint: 'give the token alone, without "Bearer " before it and without a line break after it',
      });
    }
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  /**
   * A salted hash of the trader whom a JWT names (`sub`). It tells two traders apart and reveals neither.
   * Null: the token names none. The signature is not checked: whoever can forge a token here can also set
   * another one.
   */
  subjectHash(salt: string): string | null {
    const subject = subjectOf(this.#text);
    return subject === null ? null : createHash("sha256").update(`${salt}\0${subject}`).digest("hex");
  }

  equals(other: Token): boolean {
    return this.#text === other.#text;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}

/** Whether a text looks like a token, holds one, or is a header with one. */
export function showsToken(text: string): boolean {
  return SHOWN_TOKEN.test(text);
}

function subjectOf(text: string): string | null {
  const [, payload, , ...more] = text.split(".");
  if (payload === undefined || more.length > 0) {
    return null;
  }
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    const subject = typeof claims === "object" && claims !== null && "sub" in claims ? claims.sub : null;
    return typeof subject === "string" && subject !== "" ? subject : null;
  } catch {
    return null; // no JWT; the parser's message quotes the text
  }
}

function whatIsWrong(text: string): string {
  if (text === "") {
    return "is empty";
  }
  return /\s/.test(text) ? "holds a space or a line break" : "holds a control character or a letter outside ASCII";
}

/** Gives the token. Rejects with a FillbookError of kind `usage` or `token` if there is none. */
export interface TokenSource {
  /** The token as it was last read. */
  current(): Promise<Token>;
  /**
   * Reads the source again, because the service refused the token. The same token means that there is no
   * other.
   */
  refresh(): Promise<Token>;
}

/** A source that always gives the same token, for the command line. */
export function fixedToken(token: Token): TokenSource {
  return { current: () => Promise.resolve(token), refresh: () => Promise.resolve(token) };
}
