import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

// Lines of text, each with its end, compressed by zstd: NDJSON as the archive stores it.

/** A larger text is refused before it is decompressed: a damaged object must not take all memory, bytes. */
const MOST_BYTES = 2 ** 30;
/** A large text is decompressed into so many bytes: glibc keeps what is less than 32 MiB, and gives back the rest. */
const LARGE_BYTES = 34 * 2 ** 20;
/** Higher levels take twice as long, and fills do not get smaller by them. */
const LEVEL = 1;

export function textOf(lines: readonly string[]): Buffer {
  return Buffer.from([...lines, ""].join("\n"));
}

/** The lines of a text one by one, each a text of its own. */
export function* linesOf(text: Buffer): Generator<string> {
  for (let [at, end] = [0, 0]; at < text.length; at = end + 1) {
    end = text.indexOf("\n", at);
    end = end === -1 ? text.length : end;
    yield text.toString("utf8", at, end);
  }
}

export function compressed(text: Buffer): Buffer {
  return zstdCompressSync(text, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
}

/** Null: the bytes are damaged, or too many. */
export function decompressed(body: Uint8Array): Buffer | null {
  try {
    const chunkSize = body.length > 2 ** 20 ? LARGE_BYTES : 2 ** 20;
    return zstdDecompressSync(body, { maxOutputLength: MOST_BYTES, chunkSize });
  } catch {
    return null;
  }
}
