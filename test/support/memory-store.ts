import { createHash } from "node:crypto";
import { FillbookError } from "../../lambda/core/errors.ts";
import { compareText } from "../../lambda/core/text.ts";
import { checkFolder, checkKey, checkPrefix } from "../../lambda/storage/keys.ts";
import type { Store, StoreSink } from "../../lambda/storage/store.ts";
import { goneError } from "../../lambda/storage/store.ts";

export interface MemoryStore extends Store {
  /** All objects in key order; the bodies are copies. */
  snapshot(): Map<string, Uint8Array>;
  /** Writes without the port's rules, to damage an archive in a test. */
  put(key: string, body: Uint8Array): void;
  /** Removes an object at once, to damage an archive in a test. */
  delete(key: string): void;
}

interface MemoryObject {
  readonly body: Uint8Array;
  readonly tag: string;
  readonly modifiedMs: number;
}

/**
 * A store that lives as long as the process. As on S3, equal bodies have equal tags. Every call yields once,
 * so that calls interleave. `now`: the store's own clock, ms UTC; by default it stands still.
 */
export function memoryStore(location = "memory", now: () => number = () => 0): MemoryStore {
  const objects = new Map<string, MemoryObject>();
  const write = (key: string, body: Uint8Array): void =>
    void objects.set(key, { body, tag: tagOf(body), modifiedMs: now() });

  const createNew = async (key: string, body: Uint8Array): Promise<"created" | "exists"> => {
    checkKey(key);
    const copy = Uint8Array.from(body);
    await Promise.resolve();
    if (objects.has(key)) {
      return "exists";
    }
    write(key, copy);
    return "created";
  };

  return {
    location,
    async get(key) {
      checkKey(key);
      await Promise.resolve();
      const object = objects.get(key);
      return object === undefined ? null : { body: Uint8Array.from(object.body), tag: object.tag };
    },
    createNew,
    async createStream(key) {
      checkKey(key);
      await Promise.resolve();
      return memorySink(key, createNew);
    },
    async replaceIf(key, body, tag) {
      checkKey(key);
      const copy = Uint8Array.from(body);
      await Promise.resolve();
      const current = objects.get(key)?.tag;
      if (current === undefined && tag !== null) {
        throw goneError(location, key);
      }
      if ((current ?? null) !== tag) {
        return null;
      }
      write(key, copy);
      return tagOf(copy);
    },
    async openStream(key) {
      checkKey(key);
      await Promise.resolve();
      const body = objects.get(key)?.body;
      return body === undefined ? null : pieces(body);
    },
    async *list(prefix) {
      checkPrefix(prefix);
      for (const key of [...objects.keys()].sort(compareText)) {
        const object = objects.get(key);
        if (object !== undefined && key.startsWith(prefix)) {
          yield await Promise.resolve({ key, bytes: object.body.length, modifiedMs: object.modifiedMs });
        }
      }
    },
    async *folders(prefix) {
      checkFolder(prefix);
      const below = [...objects.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
      const names = below.filter((rest) => rest.includes("/")).map((rest) => rest.slice(0, rest.indexOf("/") + 1));
      for (const name of [...new Set(names)].sort(compareText)) {
        yield await Promise.resolve(name.slice(0, -1));
      }
    },
    async remove(key) {
      checkKey(key);
      await Promise.resolve();
      objects.delete(key);
    },
    snapshot: () =>
      new Map(
        [...objects]
          .sort(([left], [right]) => compareText(left, right))
          .map(([key, { body }]) => [key, Uint8Array.from(body)]),
      ),
    put: (key, body) => write(key, Uint8Array.from(body)),
    delete: (key) => void objects.delete(key),
  };
}

function memorySink(key: string, createNew: Store["createNew"]): StoreSink {
  const chunks: Uint8Array[] = [];
  let open = true;
  const requireOpen = (): void => {
    if (!open) {
      throw new FillbookError("fault", `the stream to ${key} has ended`);
    }
  };
  return {
    async write(chunk) {
      requireOpen();
      chunks.push(Uint8Array.from(chunk));
      await Promise.resolve();
    },
    async finish() {
      requireOpen();
      open = false;
      return await createNew(key, Buffer.concat(chunks));
    },
    async abort() {
      open = false;
      await Promise.resolve();
    },
  };
}

async function* pieces(body: Uint8Array): AsyncGenerator<Uint8Array> {
  const pieceBytes = 64 * 1024;
  for (let start = 0; start < body.length; start += pieceBytes) {
    yield await Promise.resolve(body.slice(start, start + pieceBytes));
  }
}

function tagOf(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}
