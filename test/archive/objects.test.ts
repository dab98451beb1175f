import { expect, test } from "vitest";
import { sha256Of } from "../../lambda/archive/keys.ts";
import { createContent, readContent } from "../../lambda/archive/objects.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { memoryStore } from "../support/memory-store.ts";
import { bytes } from "../support/store-text.ts";

const BODY = bytes("content");
const KEY = `main/manifests/1-${sha256Of(BODY)}.json`;
const clock = fakeClock({ now: 0, auto: true });

test("a name taken by other bytes is refused, and not overwritten", async () => {
  const store = memoryStore();
  store.put(KEY, bytes("damaged"));
  await expect(createContent({ store, clock }, KEY, BODY)).rejects.toMatchObject({
    kind: "untrusted",
    message: expect.stringContaining(KEY),
  });
  expect((await store.get(KEY))?.body).toEqual(new Uint8Array(bytes("damaged")));
});

test("an object that the store reports but does not have is written again; after five attempts the run gives up", async () => {
  const store = memoryStore();
  let lies = 2;
  const lying = {
    ...store,
    createNew: (key: string, body: Uint8Array) => {
      lies -= 1;
      return lies < 0 ? store.createNew(key, body) : Promise.resolve("exists" as const);
    },
  };
  await createContent({ store: lying, clock }, KEY, BODY);
  expect(await readContent(store, KEY, sha256Of(BODY))).toEqual(new Uint8Array(BODY));
  lies = Number.POSITIVE_INFINITY;
  await expect(createContent({ store: lying, clock }, `${KEY}x`, BODY)).rejects.toMatchObject({ kind: "incomplete" });
});
