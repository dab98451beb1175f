import { createHash } from "node:crypto";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import type { Clock } from "../core/clock.ts";
import { FillbookError } from "../core/errors.ts";
import { type Store, StoreUnknownError } from "../storage/store.ts";

const MAX_TRIES = 5;
const PAUSE_MS = 200;

/**
 * Creates an object whose name has the hash of its content. An existing object counts as success only after
 * its bytes were compared, because a store may report an object that it then lost. A write whose answer was
 * lost is repeated; that is harmless because the name fixes the content. Rejects with `untrusted` if the name
 * has other bytes.
 */
export async function createContent(
  { store, clock }: { store: Store; clock: Clock },
  key: string,
  body: Uint8Array,
): Promise<void> {
  const where = `${store.location}/${key}`;
  let outcome: unknown = null;
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    outcome = await known(store.createNew(key, body));
    const stored = outcome === "exists" ? await store.get(key) : null;
    if (outcome === "created" || (stored !== null && Buffer.compare(stored.body, body) === 0)) {
      return;
    }
    if (stored !== null) {
      throw new FillbookError("untrusted", `${where} exists, but its content does not match the hash in its name`, {
        hint: "nothing was changed; move the object elsewhere and run again",
      });
    }
    await clock.sleep(PAUSE_MS * attempt);
  }
  const why = outcome instanceof Error ? outcome.message : "the store reports that the object exists but returned none";
  throw new FillbookError("incomplete", `cannot write ${where}: ${why}`, {
    hint: "committed data is safe; run again",
    cause: outcome,
  });
}

/**
 * Replaces an object and gives its new tag. Null: another writer was faster, or the answer was lost: read it.
 */
export async function tryReplace(
  store: Store,
  key: string,
  body: Uint8Array,
  tag: string | null,
): Promise<string | null> {
  const outcome = await known(store.replaceIf(key, body, tag));
  return outcome instanceof StoreUnknownError ? null : outcome;
}

/** The error if it is not known whether a write landed. */
export async function known<T>(written: Promise<T>): Promise<T | StoreUnknownError> {
  return await written.catch((error: unknown) => {
    if (error instanceof StoreUnknownError) {
      return error;
    }
    throw error;
  });
}

/** The bytes of an object. Rejects with `untrusted` if the object is missing or has another hash. */
export async function readContent(store: Store, key: string, sha256: string): Promise<Uint8Array> {
  return Buffer.concat(await checked(store, key, sha256, (body) => Promise.resolve([Buffer.from(body)])));
}

async function checked(
  store: Store,
  key: string,
  sha256: string,
  decode: (body: Uint8Array) => Promise<readonly Buffer[] | null>,
): Promise<readonly Buffer[]> {
  const stored = await store.get(key);
  const where = `${store.location}/${key}`;
  if (stored === null) {
    throw new FillbookError("untrusted", `${where} is missing`, {
      hint: "the archive refers to it: restore it from a backup or an older version of the object",
    });
  }
  const content = await decode(stored.body);
  const actual = content === null ? "not known" : hashOf(content);
  if (content === null || actual !== sha256) {
    const message = `${where} is damaged: its sha256 is ${actual}, but the archive expects ${sha256}`;
    throw new FillbookError("untrusted", message, {
      hint: "restore it from a backup or an older version of the object; nothing was changed",
    });
  }
  return content;
}

/** A larger text is refused before it is decompressed: a damaged object must not take all memory, bytes. */
const MOST_BYTES = 2 ** 30;
/** Of a text in memory: what larger blocks leave behind is seldom used again. */
const PIECE_LINES = 100;
const PIECE_BYTES = 2 ** 16;
/** Higher levels take twice as long, and fills do not get smaller by them. */
const LEVEL = 1;

/** The text of lines, in pieces of whole lines. */
export function textOf(lines: readonly string[]): Buffer[] {
  const pieces = Array.from({ length: Math.ceil(lines.length / PIECE_LINES) }, (_, at) =>
    lines.slice(at * PIECE_LINES, (at + 1) * PIECE_LINES),
  );
  return pieces.map((piece) => Buffer.from(`${piece.join("\n")}\n`));
}

/** Its lines. */
export function* linesOf(text: readonly Buffer[]): Generator<string> {
  for (const piece of text) {
    yield* piece.toString("utf8", 0, piece.at(-1) === NEWLINE ? piece.length - 1 : piece.length).split("\n");
  }
}

const NEWLINE = 10;

/** A text as an object. The hash is that of the text. */
export async function encodeText(
  text: readonly Buffer[],
): Promise<{ readonly sha256: string; readonly body: Uint8Array }> {
  const compress = createZstdCompress({
    chunkSize: PIECE_BYTES,
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
  });
  return { sha256: hashOf(text), body: Buffer.concat((await through(text, compress)) ?? []) };
}

/** The text of such an object, in pieces of whole lines. Rejects as `readContent` does. */
export async function readText(store: Store, key: string, sha256: string): Promise<readonly Buffer[]> {
  const decompress = createZstdDecompress({ chunkSize: PIECE_BYTES });
  const decode = async (body: Uint8Array) => await through([body], decompress).catch(() => null);
  const text: Buffer[] = [];
  let rest: Buffer = Buffer.of();
  for (const piece of await checked(store, key, sha256, decode)) {
    const end = piece.lastIndexOf(NEWLINE) + 1;
    text.push(...(end === 0 ? [] : [Buffer.concat([rest, piece.subarray(0, end)])]));
    rest = end === 0 ? Buffer.concat([rest, piece]) : piece.subarray(end);
  }
  return rest.length === 0 ? text : [...text, rest];
}

/** What zlib makes of it. Null: more bytes than may be. */
async function through(pieces: readonly Uint8Array[], zlib: Transform): Promise<readonly Buffer[] | null> {
  const made: Buffer[] = [];
  let bytes = 0;
  await pipeline(Readable.from(pieces), zlib, async (stream) => {
    for await (const piece of stream) {
      bytes += piece.length;
      if (bytes > MOST_BYTES) {
        break;
      }
      made.push(piece);
    }
  });
  return bytes > MOST_BYTES ? null : made;
}

function hashOf(pieces: readonly Uint8Array[]): string {
  return pieces.reduce((hash, piece) => hash.update(piece), createHash("sha256")).digest("hex");
}
