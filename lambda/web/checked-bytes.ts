import { createHash } from "node:crypto";
import { FillbookError } from "../core/errors.ts";

/**
 * The same bytes, hashed as they pass; `sha256` null: only counted. The last piece is held back until all are known to be what was listed, so what is
 * damaged never comes out whole. Throws `untrusted`.
 */
export async function* checkedBytes(
  source: AsyncIterable<Uint8Array>,
  listed: { readonly path: string; readonly bytes: number; readonly sha256: string | null },
): AsyncGenerator<Uint8Array> {
  const sha256 = createHash("sha256");
  let bytes = 0;
  let held: Uint8Array | null = null;
  for await (const chunk of source) {
    if (chunk.length === 0) {
      continue;
    }
    if (held !== null) {
      yield held;
    }
    sha256.update(chunk);
    bytes += chunk.length;
    held = chunk;
  }
  if (bytes !== listed.bytes) {
    throw damaged(`${listed.path} has ${bytes} bytes where ${listed.bytes} are listed`);
  }
  const digest = sha256.digest("hex");
  if (listed.sha256 !== null && digest !== listed.sha256) {
    throw damaged(`${listed.path} is damaged: its sha256 is ${digest}, and SHA256SUMS says ${listed.sha256}`);
  }
  if (held !== null) {
    yield held;
  }
}

function damaged(message: string): FillbookError {
  return new FillbookError("untrusted", message, { hint: "verify the pack, and restore it from a copy" });
}
