import type { Store } from "../../../lambda/storage/store.ts";

/** Requests to a store as S3 charges them: an attempt counts, whether it succeeds or not. */
export interface StoreCounts {
  /** Attempts to create or replace an object. */
  writes: number;
  bytesOut: number;
  reads: number;
  /** bytes read of whole objects */
  bytesIn: number;
  lists: number;
  removes: number;
  /** By kind of object, which is the second part of the key. */
  readonly written: Record<string, { writes: number; bytes: number }>;
  /** The same for reads of whole objects. */
  readonly read: Record<string, { reads: number; bytes: number }>;
}

/** Wraps a store and counts its requests. */
export function countingStore(store: Store): { store: Store; counts: StoreCounts } {
  const counts: StoreCounts = {
    ...{ writes: 0, bytesOut: 0, reads: 0, bytesIn: 0, lists: 0, removes: 0 },
    written: {},
    read: {},
  };
  const kindOf = (key: string): string => key.split("/")[1]?.replace(".json", "") ?? "";
  const wrote = (key: string, writes: number, bytes: number): void => {
    counts.writes += writes;
    counts.bytesOut += bytes;
    const before = counts.written[kindOf(key)] ?? { writes: 0, bytes: 0 };
    counts.written[kindOf(key)] = { writes: before.writes + writes, bytes: before.bytes + bytes };
  };
  const hasRead = (key: string, bytes: number): void => {
    counts.reads += 1;
    counts.bytesIn += bytes;
    const before = counts.read[kindOf(key)] ?? { reads: 0, bytes: 0 };
    counts.read[kindOf(key)] = { reads: before.reads + 1, bytes: before.bytes + bytes };
  };
  const counting: Store = {
    ...store,
    async get(key) {
      const stored = await store.get(key);
      hasRead(key, stored?.body.byteLength ?? 0);
      return stored;
    },
    async openStream(key) {
      counts.reads += 1;
      return await store.openStream(key);
    },
    folders(prefix) {
      counts.lists += 1;
      return store.folders(prefix);
    },
    list(prefix) {
      counts.lists += 1;
      return store.list(prefix);
    },
    async remove(key) {
      counts.removes += 1;
      await store.remove(key);
    },
    async createNew(key, body) {
      wrote(key, 1, body.byteLength);
      return await store.createNew(key, body);
    },
    async replaceIf(key, body, tag) {
      wrote(key, 1, body.byteLength);
      return await store.replaceIf(key, body, tag);
    },
    async createStream(key) {
      const sink = await store.createStream(key);
      wrote(key, 1, 0);
      return {
        ...sink,
        async write(chunk) {
          wrote(key, 0, chunk.byteLength);
          await sink.write(chunk);
        },
      };
    },
  };
  return { store: counting, counts };
}
