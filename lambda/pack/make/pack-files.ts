import { createHash, type Hash } from "node:crypto";
import { known } from "../../archive/objects.ts";
import { FillbookError, stopIfAborted } from "../../core/errors.ts";
import { MOST_BYTES, zipStream } from "../../formats/zip.ts";
import type { PackFile } from "../../job/context.ts";
import type { Store, StoreSink } from "../../storage/store.ts";
import type { Described } from "../catalogue/datapackage.ts";
import type { FileFacts } from "./maker.ts";

/** Text is gathered up to this length: rows are short, and each write to a store has a cost. */
const BUFFER_LENGTH = 131_072;
const encoder = new TextEncoder();

/** A file while it is made. The finished file is immutable and has the same bytes in every run. */
export class PackFileWriter {
  readonly path: string;
  readonly #store: Store;
  readonly #key: string;
  readonly #sink: StoreSink;
  readonly #hash: Hash = createHash("sha256");
  #text = "";
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
    if (typeof chunk === "string") {
      this.#text += chunk;
    }
    if (typeof chunk !== "string" || this.#text.length >= BUFFER_LENGTH) {
      await this.#flush();
    }
    if (typeof chunk !== "string") {
      await this.#send(chunk);
    }
  }

  async #flush(): Promise<void> {
    const text = this.#text;
    this.#text = "";
    if (text !== "") {
      await this.#send(encoder.encode(text));
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
    const outcome = await known(this.#sink.finish());
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
        { hint: "it was changed, or another version of fillbook made it: move the pack away and run again" },
      );
    }
  }

  async abort(): Promise<void> {
    await this.#sink.abort();
  }
}

/** Where the files of one pack go. */
export interface Place {
  /** Key prefix in the pack store, without a final slash. */
  readonly dir: string;
  /** The prefix of file names in an incomplete pack. */
  readonly mark: string;
}

/** The files of one pack while they are made. Unfinished files can be discarded. */
export class PackFiles {
  readonly #store: Store;
  readonly #place: Place;
  readonly #opened: PackFileWriter[] = [];

  constructor(store: Store, place: Place) {
    this.#store = store;
    this.#place = place;
  }

  /** The mark stands before the file's name, in whatever folder it is. */
  async open(path: string): Promise<PackFileWriter> {
    const name = path.lastIndexOf("/") + 1;
    const marked = path.slice(0, name) + this.#place.mark + path.slice(name);
    const file = await PackFileWriter.open(this.#store, this.#place.dir, marked);
    this.#opened.push(file);
    return file;
  }

  /** A whole file. */
  async write(facts: FileFacts, content: Uint8Array | string): Promise<Described> {
    const file = await this.open(facts.path);
    await file.write(content);
    return { file: await file.finish(), facts };
  }

  /** Writes `dir.zip` beside the files: all of them, in a folder of this name. False: they are too large. */
  async zip(files: readonly PackFile[], folder: string): Promise<boolean> {
    if (files.reduce((sum, { bytes }) => sum + bytes, 0) > MOST_BYTES) {
      return false;
    }
    const { dir } = this.#place;
    const cut = dir.lastIndexOf("/");
    const zip = await PackFileWriter.open(this.#store, dir.slice(0, cut), `${dir.slice(cut + 1)}.zip`);
    this.#opened.push(zip);
    const sources = files.map(({ path }) => ({
      path: `${folder}/${path}`,
      open: async () =>
        (await this.#store.openStream(`${dir}/${path}`)) ?? gone(`${this.#store.location}/${dir}/${path}`),
    }));
    for await (const piece of zipStream(sources)) {
      await zip.write(piece);
    }
    await zip.finish();
    return true;
  }

  async abort(): Promise<void> {
    await Promise.allSettled(this.#opened.map((file) => file.abort()));
  }
}

function gone(place: string): never {
  throw new FillbookError("incomplete", `${place} was removed while its pack was written`, { hint: "run again" });
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
    stopIfAborted(signal);
    hash.update(chunk);
    onRead(chunk.length);
  }
  return hash.digest("hex");
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
