import { access, constants, mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import { openS3Store } from "../../lambda/storage/s3.ts";
import type { Store, StoreSink } from "../../lambda/storage/store.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";
import { crc32Base64 } from "../support/s3-double/body.ts";
import { startS3Double } from "../support/s3-double/server.ts";
import { aroundStore } from "./around-store.ts";

export type Objects = ReadonlyMap<string, Uint8Array>;

/** A place that holds an archive while processes come and go. It serves one trial at a time. */
export interface Place {
  readonly name: "memory" | "folder" | "s3";
  /** Starts a new archive with these objects, `ageMs` old by the store's clock. */
  reset(objects: Objects, ageMs?: number): Promise<void>;
  /** The store, as a new process opens it. */
  open(): Store;
  /** What a reader sees now. */
  reader(): Store;
  /** Roughly the store's time, ms UTC. */
  now(): number;
  /** Whether a call of the store is in flight. Virtual time stands still then. */
  isBusy(): boolean;
  close(): Promise<void>;
}

/** Shared by all places: counts the calls in flight, and closes what killed processes have left open. */
class Calls {
  #running = 0;
  readonly #sinks: StoreSink[] = [];

  get isBusy(): boolean {
    return this.#running > 0;
  }

  watch(store: Store): Store {
    const around = async <T>(call: () => Promise<T>): Promise<T> => {
      this.#running += 1;
      try {
        return await call();
      } finally {
        this.#running -= 1;
      }
    };
    return aroundStore(store, around, (sink) => this.#sinks.push(sink));
  }

  async abortAll(): Promise<void> {
    await Promise.all(this.#sinks.splice(0).map((sink) => sink.abort().catch(() => undefined)));
  }
}

export function memoryPlace(): Place {
  const calls = new Calls();
  let store: MemoryStore = memoryStore();
  return {
    name: "memory",
    reset(objects, ageMs = 0) {
      let now = DOUBLE_BEGINS - ageMs;
      store = memoryStore("memory", () => now);
      for (const [key, body] of objects) {
        store.put(key, body);
      }
      now = DOUBLE_BEGINS;
      return Promise.resolve();
    },
    open: () => calls.watch(store),
    reader: () => store,
    now: () => DOUBLE_BEGINS,
    isBusy: () => calls.isBusy,
    close: () => calls.abortAll(),
  };
}

/**
 * A folder in memory, if the system has one. A process that dies loses nothing that it has written, so
 * syncing to a disk makes no difference here.
 */
async function fastFolder(): Promise<string> {
  return await access("/dev/shm", constants.W_OK).then(
    () => "/dev/shm",
    () => tmpdir(),
  );
}

export async function folderPlace(): Promise<Place> {
  const root = await mkdtemp(join(await fastFolder(), "fillbook-crash-"));
  const calls = new Calls();
  let trials = 0;
  const folder = () => join(root, String(trials));
  return {
    name: "folder",
    async reset(objects, ageMs = 0) {
      await calls.abortAll();
      await rm(folder(), { recursive: true, force: true });
      trials += 1;
      const writtenAt = new Date(Date.now() - ageMs);
      for (const [key, body] of objects) {
        const path = join(folder(), key);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, body);
        await utimes(path, writtenAt, writtenAt);
      }
    },
    open: () => calls.watch(openFolderStore(folder())),
    reader: () => openFolderStore(folder()),
    now: () => Date.now(),
    isBusy: () => calls.isBusy,
    async close() {
      await calls.abortAll();
      await rm(root, { recursive: true, force: true });
    },
  };
}

const BUCKET = "fillbook-crash";
/** The first time on the double's own clock. */
const DOUBLE_BEGINS = Date.UTC(2026, 0, 1);

export async function s3Place(): Promise<Place> {
  const double = await startS3Double({ bucket: BUCKET });
  const calls = new Calls();
  let trials = 0;
  const prefix = () => `trial-${trials}`;
  return {
    name: "s3",
    async reset(objects, ageMs = 0) {
      await calls.abortAll();
      trials += 1;
      double.bucket.objects.clear();
      double.bucket.uploads.clear();
      const modifiedMs = DOUBLE_BEGINS - ageMs;
      for (const [key, body] of objects) {
        const bytes = Buffer.from(body);
        const crc32 = crc32Base64(bytes);
        double.bucket.objects.set(`${prefix()}/${key}`, { bytes, etag: `"${crc32}"`, modifiedMs, crc32 });
      }
    },
    open: () => calls.watch(openS3Store({ bucket: BUCKET, prefix: prefix(), client: double.client })),
    now: () => DOUBLE_BEGINS,
    /** Has the same bytes without a request for each object. */
    reader() {
      const store = memoryStore();
      for (const [key, { bytes }] of double.bucket.objects) {
        store.put(key.slice(prefix().length + 1), bytes);
      }
      return store;
    },
    isBusy: () => calls.isBusy,
    async close() {
      await calls.abortAll();
      await double.close();
    },
  };
}
