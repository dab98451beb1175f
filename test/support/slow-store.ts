import type { Clock } from "../../lambda/core/clock.ts";
import { FillbookError } from "../../lambda/core/errors.ts";
import { compareText } from "../../lambda/core/text.ts";
import { checkFolder, checkKey, checkPrefix } from "../../lambda/storage/keys.ts";
import type { Store } from "../../lambda/storage/store.ts";

/** The keys that S3 returns in one page. */
const PAGE = 1000;
const PIECE_BYTES = 64 * 1024;

export interface SlowStore {
  readonly store: Store;
  /** Requests so far. */
  readonly requests: () => number;
  /** The most requests in flight at once. */
  readonly mostAtOnce: () => number;
}

/**
 * A read-only store that takes `requestMs` for each request and lists in pages, like S3. It costs little CPU
 * time, whatever it holds. `modifiedMs`: the time of a key.
 */
export function slowStore(
  objects: ReadonlyMap<string, Uint8Array>,
  { clock, requestMs, modifiedMs = () => 0 }: { clock: Clock; requestMs: number; modifiedMs?: (key: string) => number },
): SlowStore {
  const keys = [...objects.keys()].sort(compareText);
  let [requests, underWay, most] = [0, 0, 0];
  const request = async (): Promise<void> => {
    requests += 1;
    underWay += 1;
    most = Math.max(most, underWay);
    await clock.sleep(requestMs);
    underWay -= 1;
  };
  const readOnly = (): Promise<never> => Promise.reject(new FillbookError("fault", "a slow store is to read from"));
  const store: Store = {
    location: "slow",
    async get(key) {
      checkKey(key);
      await request();
      const body = objects.get(key);
      return body === undefined ? null : { body: Uint8Array.from(body), tag: key };
    },
    async openStream(key) {
      checkKey(key);
      await request();
      const body = objects.get(key);
      return body === undefined ? null : piecesOf(body);
    },
    async *list(prefix) {
      checkPrefix(prefix);
      for (let at = firstFrom(keys, prefix), given = 0; ; at += 1, given += 1) {
        if (given % PAGE === 0) {
          await request();
        }
        const key = keys[at];
        if (key === undefined || !key.startsWith(prefix)) {
          return;
        }
        yield { key, bytes: objects.get(key)?.length ?? 0, modifiedMs: modifiedMs(key) };
      }
    },
    async *folders(prefix) {
      checkFolder(prefix);
      await request();
      let given = 0;
      for (let at = firstFrom(keys, prefix); keys[at]?.startsWith(prefix) === true; ) {
        const rest = keys[at]?.slice(prefix.length) ?? "";
        const name = rest.slice(0, rest.indexOf("/") + 1);
        if (name === "") {
          at += 1;
          continue;
        }
        if (given > 0 && given % PAGE === 0) {
          await request();
        }
        given += 1;
        yield name.slice(0, -1);
        // "0" is the character after the slash: it sorts after everything in the folder.
        at = firstFrom(keys, `${prefix}${name.slice(0, -1)}0`);
      }
    },
    createNew: readOnly,
    createStream: readOnly,
    replaceIf: readOnly,
    remove: readOnly,
  };
  return { store, requests: () => requests, mostAtOnce: () => most };
}

/** Index of the first key that is not before this text. */
function firstFrom(keys: readonly string[], text: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? "") < text) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

async function* piecesOf(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < body.length; start += PIECE_BYTES) {
    yield await Promise.resolve(body.slice(start, start + PIECE_BYTES));
  }
}
