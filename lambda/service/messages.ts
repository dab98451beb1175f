import { FillbookError, StoppedError } from "../core/errors.ts";
import type { Token } from "../core/token.ts";
import { describe, isJsonRecord } from "../formats/json.ts";

/** Says what an error's answer tells a person. */

/**
 * The text in an error's body: `message` (401), `body` (400), `error`, or the body itself. Begins with a
 * separator. "": none.
 */
export function serviceMessage(body: string): string {
  const text = messageOf(body).replaceAll(/\s+/g, " ").trim();
  return text === "" ? "" : `: ${describe(text)}`;
}

function messageOf(body: string): string {
  const value = parsed(body);
  if (!isJsonRecord(value)) {
    return typeof value === "string" ? value : body;
  }
  const nested = isJsonRecord(value["error"]) ? value["error"]["message"] : value["error"];
  const texts = [value["message"], value["body"], nested].filter((text) => typeof text === "string");
  return texts[0] ?? body;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body; // a page of HTML, or plain text
  }
}

/** Shorter pieces of a token occur in ordinary words. */
const FRAGMENT_LENGTH = 8;

/** Removes the token, or a piece of it, if the service put it into what the message quotes. */
export function withoutToken(error: FillbookError, token: Token | null): FillbookError {
  if (token === null || error instanceof StoppedError) {
    return error;
  }
  const message = redact(error.message, token.reveal());
  return message === error.message
    ? error
    : new FillbookError(error.kind, message, error.hint === undefined ? {} : { hint: error.hint });
}

function redact(text: string, secret: string): string {
  const length = Math.min(FRAGMENT_LENGTH, secret.length);
  let clean = "";
  let kept = 0; // end of what is in `clean`
  for (let start = 0; start + length <= text.length; start += 1) {
    if (secret.toLowerCase().includes(text.slice(start, start + length).toLowerCase())) {
      clean += start > kept || kept === 0 ? `${text.slice(kept, start)}[redacted]` : "";
      kept = start + length;
    }
  }
  return clean + text.slice(kept);
}
