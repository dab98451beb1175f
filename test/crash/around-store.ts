import type fc from "fast-check";
import { FencedError } from "../../lambda/archive/fenced.ts";
import type { Store, StoreSink } from "../../lambda/storage/store.ts";
import { collect } from "../support/store-text.ts";

/** Runs a call of a store, or of a sink that it gave; `what` names it. */
export type Around = <T>(call: () => Promise<T>, what: string) => Promise<T>;

/** `inner`, with every call run by `around`. `opened` hears of every sink. */
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

/** Read to its end within the call, so that nothing is under way after it. */
async function wholly(pieces: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const read = await collect(pieces);
  return (async function* () {
    yield* await Promise.resolve(read);
  })();
}

/**
 * `inner`, of which nothing happens before the scheduler says so, no answer either. `told` hears of each
 * turn.
 */
export function scheduledStore(inner: Store, scheduler: fc.Scheduler, told: (what: string) => void): Store {
  const turn = async (what: string) => {
    await scheduler.schedule(Promise.resolve(), what);
    told(what);
  };
  return aroundStore(inner, async (call, what) => {
    await turn(what);
    const answer = await call();
    await turn(`${what}, answered`);
    return answer;
  });
}

/**
 * The store of a run that sleeps once, before (even) or after (odd) one of its operations; `slept`: whether
 * there are so many.
 */
export function sleepingStore(
  inner: Store,
  at: number,
  meanwhile: () => Promise<unknown>,
): { readonly store: Store; readonly slept: () => boolean } {
  let turn = 0;
  let slept = false;
  const pass = async () => {
    turn += 1;
    if (turn === at + 1) {
      slept = true;
      await meanwhile();
    }
  };
  const store = aroundStore(inner, async (call) => {
    await pass();
    const answer = await call();
    await pass();
    return answer;
  });
  return { store, slept: () => slept };
}

/** A run that was fenced stops; that is no fault. */
export async function unlessFenced<T>(work: Promise<T>): Promise<T | null> {
  return await work.catch((error: unknown) => {
    if (error instanceof FencedError) {
      return null;
    }
    throw error;
  });
}
