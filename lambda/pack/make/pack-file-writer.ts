import { createHash, type Hash } from "node:crypto";
import { FillbookError, StoppedError } from "../../core/errors.ts";
import type { PackFile } from "../../job/context.ts";
import { type Store, type StoreSink, StoreUnknownError } from "../../storage/store.ts";

/** Output is gathered up to this size: rows are short, and each write to a store has a cost. */
const BUFFER_BYTES = 131_072;
const encoder = new TextEncoder();

/** A pack file while it is made. The finished file is immutable and has the same bytes in every run. */
export class PackFileWriter {
  readonly path: string;
  readonly #store: Store;
  readonly #key: string;
  readonly #sink: StoreSink;
  readonly #hash: Hash = createHash("sha256");
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  /** The used part of the buffer. */
  #filled = 0;
  #bytes = 0;

  private constructor(store: Store, key: string, path: string, sink: StoreSink) {
    this.#store = store;
    this.#key = key;
    this.path = path;
    this.#sink = sink;
  }

  static async open(store: Store, prefix: string, path: string): Promise<PackFileWriter> {
    const key = `${prefix}/${path}`;
    return new PackFileWriter(store, key, path, await store.createStream(key));
  }

  async write(chunk: Uint8Array | string): Promise<void> {
    if (typeof chunk !== "string") {
      await this.#flush();
      await this.#send(chunk);
      return;
    }
    let rest = chunk;
    while (rest !== "") {
      const { read, written } = encoder.encodeInto(rest, this.#buffer.subarray(this.#filled));
      this.#filled += written;
      rest = rest.slice(read);
      if (rest !== "") {
        await this.#flush();
      }
    }
  }

  async #flush(): Promise<void> {
    if (this.#filled > 0) {
      const bytes = this.#buffer.subarray(0, this.#filled);
      this.#filled = 0;
      await this.#send(bytes);
    }
  }

  async #send(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.#sink.write(bytes);
  }

  /**
   * `rows`: for a table. If the file already exists, it must be the same. If the answer was lost, the file
   * must have arrived.
   */
  async finish(rows?: number): Promise<PackFile> {
    await this.#flush();
    const file = { path: this.path, bytes: this.#bytes, sha256: this.#hash.digest("hex") };
    await this.#land(file.sha256);
    return rows === undefined ? file : { ...file, rows };
  }

  async #land(sha256: string): Promise<void> {
    const where = `${this.#store.location}/${this.#key}`;
    const outcome = await this.#sink.finish().catch((error: unknown) => {
      if (error instanceof StoreUnknownError) {
        return error;
      }
      throw error;
    });
    if (outcome === "created") {
      return;
    }
    const stored = await hashOf(this.#store, this.#key);
    if (stored === null && outcome !== "exists") {
      throw new FillbookError("incomplete", `it is not known whether ${where} was written`, {
        hint: "run again",
        cause: outcome,
      });
    }
    if (stored !== sha256) {
      throw new FillbookError(
        "untrusted",
        `${where} does not match this archive and these settings: its sha256 is ${stored}, but should be ${sha256}`,
        {
          hint: "it was changed, or another version of fillbook made it: move the pack away and run again",
        },
      );
    }
  }

  async abort(): Promise<void> {
    await this.#sink.abort();
  }
}

/**
 * The sha256 of an object's bytes, read piece by piece. Null: there is no object. Rejects with StoppedError
 * when `signal` aborts. `onRead`: told of the bytes of each piece.
 */
export async function hashOf(
  store: Store,
  key: string,
  signal?: AbortSignal,
  onRead: (bytes: number) => void = () => undefined,
): Promise<string | null> {
  const stream = await store.openStream(key);
  if (stream === null) {
    return null;
  }
  const hash = createHash("sha256");
  for await (const chunk of stream) {
    if (signal?.aborted === true) {
      throw new StoppedError();
    }
    hash.update(chunk);
    onRead(chunk.length);
  }
  return hash.digest("hex");
}

/** Writes a file whose content is in memory. */
export async function writeText(
  store: Store,
  prefix: string,
  path: string,
  text: Uint8Array | string,
): Promise<PackFile> {
  const file = await PackFileWriter.open(store, prefix, path);
  try {
    await file.write(text);
  } catch (error) {
    await file.abort();
    throw error;
  }
  return await file.finish();
}

/** In the format that `sha256sum -c` reads. */
export function checksums(files: readonly PackFile[]): string {
  return files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join("");
}

/** Reads what `checksums` wrote: sha256 by path. Other lines are ignored. */
export function parseChecksums(text: string): Map<string, string> {
  const lines = text.matchAll(/^(?<sha256>[0-9a-f]{64}) {2}(?<path>.+)$/gm);
  return new Map([...lines].map(({ groups }) => [groups?.["path"] ?? "", groups?.["sha256"] ?? ""]));
}
