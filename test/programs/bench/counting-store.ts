import type { Store } from "../../../lambda/storage/store.ts";

/** Requests to a store as S3 charges them: an attempt counts, whether it succeeds or not. */
export interface StoreCounts {
  /** Attempts to create or replace an object. */
  writes: number;
  bytesOut: number;
  reads: number;
}

/** Wraps a store and counts its requests. */
export function countingStore(store: Store): { store: Store; counts: StoreCounts } {
  const counts: StoreCounts = { writes: 0, bytesOut: 0, reads: 0 };
  const wrote = (writes: number, bytes: number): void => {
    counts.writes += writes;
    counts.bytesOut += bytes;
  };
  const counting: Store = {
    ...store,
    async get(key) {
      counts.reads += 1;
      return await store.get(key);
    },
    async openStream(key) {
      counts.reads += 1;
      return await store.openStream(key);
    },
    async createNew(key, body) {
      wrote(1, body.byteLength);
      return await store.createNew(key, body);
    },
    async replaceIf(key, body, tag) {
      wrote(1, body.byteLength);
      return await store.replaceIf(key, body, tag);
    },
    async createStream(key) {
      const sink = await store.createStream(key);
      wrote(1, 0);
      return {
        ...sink,
        async write(chunk) {
          wrote(0, chunk.byteLength);
          await sink.write(chunk);
        },
      };
    },
  };
  return { store: counting, counts };
}
