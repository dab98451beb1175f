import { FillbookError } from "../core/errors.ts";
import { counted } from "../core/text.ts";
import { describe, parseLossless } from "../formats/json.ts";

/**
 * Parses a body and keeps the source text of its numbers. `endpoint` is for the message.
 * @throws FillbookError `incomplete` if the body is not JSON (cut, or an error page): another answer may be.
 * `untrusted` if it is nested too deep to be read with source texts.
 */
export function parseJson(endpoint: string, body: string, keepsNumbers?: boolean): unknown {
  try {
    return parseLossless(body, keepsNumbers);
  } catch (error) {
    // V8 parses without recursion but revives with it. Its own message quotes the body, so it is not
    // repeated.
    if (error instanceof RangeError) {
      throw new FillbookError("untrusted", `${endpoint}: the answer is nested too deeply`);
    }
    const excerpt = body === "" ? "it is empty" : `${counted(body.length, "character")} that begin ${describe(body)}`;
    throw new FillbookError("incomplete", `${endpoint}: the answer is not complete JSON: ${excerpt}`);
  }
}
