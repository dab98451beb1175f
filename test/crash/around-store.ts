import type { Store, StoreSink } from "../../lambda/storage/store.ts";
import { collect } from "../support/store-text.ts";

/** Runs one call of a store, or of a sink that the store gave; `what` names the call. */
export type Around = <T>(call: () => Promise<T>, what: string) => Promise<T>;

/** `inner`, with every call run by `around`. `opened` is called with every sink. */
export function aroundStore(inner: Store, around: Around, opened: (sink: StoreSink) => void = () => undefined): Store {
  const wrapSink = (sink: StoreSink): StoreSink => ({
    write: (chunk) => around(() => sink.write(chunk), "write"),
    finish: () => around(() => sink.finish(), "finish"),
    abort: () => around(() => sink.abort(), "abort"),
  });
  return {
    location: inner.location,
    get: (key) => around(() => inner.get(key), `get ${key}`),
    createNew: (key, body) => around(() => inner.createNew(key, body), `createNew ${key}`),
    async createStream(key) {
      const sink = await around(() => inner.createStream(key), `createStream ${key}`);
      opened(sink);
      return wrapSink(sink);
    },
    replaceIf: (key, body, tag) => around(() => inner.replaceIf(key, body, tag), `replaceIf ${key}`),
    openStream: (key) =>
      around(async () => {
        const pieces = await inner.openStream(key);
        return pieces === null ? null : wholly(pieces);
      }, `openStream ${key}`),
    async *list(prefix) {
      yield* await around(() => collect(inner.list(prefix)), `list ${prefix}`);
    },
    async *folders(prefix) {
      yield* await around(() => collect(inner.folders(prefix)), `folders ${prefix}`);
    },
    remove: (key) => around(() => inner.remove(key), `remove ${key}`),
  };
}

/** Reads everything within the call, so that nothing is in flight afterwards. */
async function wholly(pieces: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const read = await collect(pieces);
  return (async function* () {
    yield* await Promise.resolve(read);
  })();
}
