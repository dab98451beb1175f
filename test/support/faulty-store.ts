import { FillbookError } from "../../lambda/core/errors.ts";
import { type Store, type StoreSink, StoreUnknownError } from "../../lambda/storage/store.ts";

/** Calls of the store, and of the sinks that it gave (`write`, `finish`, `abort`). */
export type StoreMethod =
  | "get"
  | "createNew"
  | "createStream"
  | "write"
  | "finish"
  | "abort"
  | "replaceIf"
  | "openStream"
  | "list"
  | "folders"
  | "remove";

export interface StoreOperation {
  /** Counts all calls from 0, so that a loop can fail each call in turn. */
  readonly index: number;
  /** Counts the calls of this method from 0. */
  readonly nth: number;
  readonly method: StoreMethod;
  /** A prefix for `list` and `folders`. */
  readonly key: string;
}

/**
 * - `ok`
 * - `fail-before`: nothing happens; a FillbookError `incomplete`, as for a refused connection
 * - `lost-before`: nothing happens, ever; a StoreUnknownError
 * - `lost-after`: it happens; a StoreUnknownError
 * - `late`: a StoreUnknownError now; it happens just before the next call, or in `settle`, whatever became of
 *   the caller
 * - `kill-before`, `kill-after`: nothing happens, or it does; this and every later call throws KilledError,
 *   as if the process were gone
 * - `kill-late`: the same, and it happens in `settle`
 */
export type StoreFate =
  | "ok"
  | "fail-before"
  | "lost-before"
  | "lost-after"
  | "late"
  | "kill-before"
  | "kill-after"
  | "kill-late";

const WRITES: readonly StoreMethod[] = ["createNew", "replaceIf", "finish", "remove"];

/** Only a write can lose its answer or take effect late. A read that dies changes nothing, before or after. */
export function suits(fate: StoreFate, method: StoreMethod): boolean {
  return WRITES.includes(method) || fate === "kill-before" || fate === "fail-before";
}

class KilledError extends Error {
  override readonly name = "KilledError";
}

export interface FaultyStore extends Store {
  /** All calls so far, including those after the kill, with their fates. */
  readonly operations: readonly (StoreOperation & { readonly fate: StoreFate | "dead" })[];
  readonly killed: boolean;
  /**
   * Lets the late writes land. It works after a kill too, because a request in flight survives its sender.
   */
  settle(): Promise<void>;
}

/**
 * `inner`, with the fate that `plan` gives to each call. After a kill, a new faulty store around the same
 * `inner` is the next process.
 */
export function faultyStore(
  inner: Store,
  plan: (operation: StoreOperation) => StoreFate | Promise<StoreFate>,
): FaultyStore {
  const operations: (StoreOperation & { fate: StoreFate | "dead" })[] = [];
  const counts = new Map<StoreMethod, number>();
  const late: (() => Promise<unknown>)[] = [];
  let killed = false;

  const settle = async (): Promise<void> => {
    for (const effect of late.splice(0)) {
      await effect().catch(() => undefined); // the caller no longer exists
    }
  };

  const decide = async (method: StoreMethod, key: string): Promise<StoreFate | "dead"> => {
    const nth = counts.get(method) ?? 0;
    counts.set(method, nth + 1);
    const operation = { index: operations.length, nth, method, key, fate: "dead" as StoreFate | "dead" };
    operations.push(operation);
    operation.fate = killed ? "dead" : await plan(operation);
    return operation.fate;
  };

  const call = async <T>(method: StoreMethod, key: string, effect: () => Promise<T>): Promise<T> => {
    const fate = await decide(method, key);
    const what = `${method} ${key}`;
    if (fate === "dead") {
      throw new KilledError(what);
    }
    await settle();
    if (fate === "ok") {
      return await effect();
    }
    if (fate === "fail-before") {
      throw new FillbookError("incomplete", `injected: ${what} failed`);
    }
    const isKill = fate.startsWith("kill-");
    killed ||= isKill;
    if (fate === "late" || fate === "kill-late") {
      late.push(effect);
    } else if (fate === "lost-after") {
      await effect();
    } else if (fate === "kill-after") {
      await effect().catch(() => undefined);
    }
    throw isKill ? new KilledError(what) : new StoreUnknownError(`injected: the answer to ${what} was lost`);
  };

  return {
    ...aroundStore(inner, call),
    operations,
    get killed() {
      return killed;
    },
    settle,
  };
}

/** `inner`, with a signal that aborts during the first call of which `when` is true; all calls have their effects. */
export function stoppingStore(inner: Store, when: (operation: StoreOperation) => boolean) {
  const stop = new AbortController();
  const store = faultyStore(inner, (operation) => {
    if (when(operation)) {
      stop.abort();
    }
    return "ok";
  });
  return { store, signal: stop.signal };
}

/** Runs a call of the store: `effect` does it. */
type Around = <T>(method: StoreMethod, key: string, effect: () => Promise<T>) => Promise<T>;

/** `inner`, with every call run by `around`. Bodies are copied, because the caller may reuse its buffer. */
export function aroundStore(inner: Store, around: Around): Store {
  const sink = (key: string, of: StoreSink): StoreSink => ({
    write: (chunk) => {
      const copy = Uint8Array.from(chunk);
      return around("write", key, () => of.write(copy));
    },
    finish: () => around("finish", key, () => of.finish()),
    abort: () => around("abort", key, () => of.abort()),
  });
  return {
    location: inner.location,
    get: (key) => around("get", key, () => inner.get(key)),
    createNew: (key, body) => {
      const copy = Uint8Array.from(body);
      return around("createNew", key, () => inner.createNew(key, copy));
    },
    createStream: (key) => around("createStream", key, async () => sink(key, await inner.createStream(key))),
    replaceIf: (key, body, tag) => {
      const copy = Uint8Array.from(body);
      return around("replaceIf", key, () => inner.replaceIf(key, copy, tag));
    },
    openStream: (key) => around("openStream", key, () => inner.openStream(key)),
    async *list(prefix) {
      yield* await around("list", prefix, () => Promise.resolve(inner.list(prefix)));
    },
    async *folders(prefix) {
      yield* await around("folders", prefix, () => Promise.resolve(inner.folders(prefix)));
    },
    remove: (key) => around("remove", key, () => inner.remove(key)),
  };
}
