import type { Store } from "../../lambda/storage/store.ts";

/** A folder of `inner` as a store of its own. */
export function storeWithin(inner: Store, folder: string): Store {
  const within = (key: string) => `${folder}/${key}`;
  return {
    location: `${inner.location}/${folder}`,
    get: (key) => inner.get(within(key)),
    createNew: (key, body) => inner.createNew(within(key), body),
    createStream: (key) => inner.createStream(within(key)),
    replaceIf: (key, body, tag) => inner.replaceIf(within(key), body, tag),
    openStream: (key) => inner.openStream(within(key)),
    async *list(prefix) {
      for await (const { key, ...rest } of inner.list(within(prefix))) {
        yield { key: key.slice(folder.length + 1), ...rest };
      }
    },
    folders: (prefix) => inner.folders(within(prefix)),
    remove: (key) => inner.remove(within(key)),
  };
}
