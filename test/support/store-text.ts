import type { Store } from "../../lambda/storage/store.ts";

export function bytes(of: string): Uint8Array {
  return Buffer.from(of);
}

export async function text(store: Store, key: string): Promise<string | null> {
  const found = await store.get(key);
  return found === null ? null : Buffer.from(found.body).toString();
}

/**
 * Adds 1 to the number in `key`, `times` times, while others may do the same. `told` is called for each
 * confirmed addition.
 */
export async function increment(
  store: Store,
  key: string,
  times: number,
  told: () => void = () => undefined,
): Promise<void> {
  for (let done = 0; done < times; ) {
    const current = await store.get(key);
    if (current === null) {
      throw new Error(`${key} is gone`);
    }
    const next = Number(Buffer.from(current.body).toString()) + 1;
    if ((await store.replaceIf(key, bytes(String(next)), current.tag)) !== null) {
      done += 1;
      told();
    }
  }
}
