import type { Store, StoreSink } from "../../lambda/storage/store.ts";
import { collect } from "../support/store-text.ts";

/** Runs a call of a store, or of a sink that it gave. */
export type Around = <T>(call: () => Promise<T>) => Promise<T>;

/** `inner`, with every call run by `around`. `opened` hears of every sink. */
export function aroundStore(inner: Store, around: Around, opened: (sink: StoreSink) => void = () => undefined): Store {
  const wrapSink = (sink: StoreSink): StoreSink => ({
    write: (chunk) => around(() => sink.write(chunk)),
    finish: () => around(() => sink.finish()),
    abort: () => around(() => sink.abort()),
  });
  return {
    location: inner.location,
    get: (key) => around(() => inner.get(key)),
    createNew: (key, body) => around(() => inner.createNew(key, body)),
    async createStream(key) {
      const sink = await around(() => inner.createStream(key));
      opened(sink);
      return wrapSink(sink);
    },
    replaceIf: (key, body, tag) => around(() => inner.replaceIf(key, body, tag)),
    openStream: (key) =>
      around(async () => {
        const pieces = await inner.openStream(key);
        return pieces === null ? null : wholly(pieces);
      }),
    async *list(prefix) {
      yield* await around(() => collect(inner.list(prefix)));
    },
    async *folders(prefix) {
      yield* await around(() => collect(inner.folders(prefix)));
    },
    remove: (key) => around(() => inner.remove(key)),
  };
}

/** Read to its end within the call, so that nothing is under way after it. */
async function wholly(pieces: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const read = await collect(pieces);
  return (async function* () {
    yield* await Promise.resolve(read);
  })();
}
