import type { Store } from "../../lambda/store/store.ts";

export interface StoreCounts {
  /** Objects created or replaced, tried ones included: what S3 charges. */
  writes: number;
  bytesOut: number;
  reads: number;
  bytesIn: number;
}

/** The same store, and what is asked of it. */
export function countingStore(store: Store): { store: Store; counts: StoreCounts } {
  const counts: StoreCounts = { writes: 0, bytesOut: 0, reads: 0, bytesIn: 0 };
  const wrote = (body: Uint8Array): void => {
    counts.writes += 1;
    counts.bytesOut += body.byteLength;
  };
  const counting: Store = {
    ...store,
    async get(key) {
      const stored = await store.get(key);
      counts.reads += 1;
      counts.bytesIn += stored?.body.byteLength ?? 0;
      return stored;
    },
    async createNew(key, body) {
      wrote(body);
      return await store.createNew(key, body);
    },
    async replaceIf(key, body, tag) {
      wrote(body);
      return await store.replaceIf(key, body, tag);
    },
    async createStream(key) {
      const sink = await store.createStream(key);
      counts.writes += 1;
      return {
        ...sink,
        async write(chunk) {
          counts.bytesOut += chunk.byteLength;
          await sink.write(chunk);
        },
      };
    },
  };
  return { store: counting, counts };
}
