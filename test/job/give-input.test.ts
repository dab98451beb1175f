import { describe, expect, test } from "vitest";
import { giveInput } from "../../lambda/job/give-input.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { faultyStore, type StoreFate } from "../support/faulty-store.ts";
import { memoryStore } from "../support/memory-store.ts";

const NAME = "rates/ecb.csv";
const KEY = `main/inputs/${NAME}`;
const BYTES = new TextEncoder().encode("Date,USD,\n2025-01-02,1.0321,\n");

const give = (store: Store) => giveInput({ store, account: "main" }, NAME, BYTES);

describe("a file for the user's inputs in a store", () => {
  test("does not change a file of the same name with other content", async () => {
    const store = memoryStore();
    const mine = new TextEncoder().encode("mine");
    store.put(KEY, mine);
    await expect(give(store)).rejects.toMatchObject({
      kind: "usage",
      message: `memory/${KEY} exists already, with other content`,
    });
    expect([...store.snapshot()]).toEqual([[KEY, mine]]);
  });

  test("is read back if the answer to the write was lost", async () => {
    const store = memoryStore();
    const losing = (fate: StoreFate) => faultyStore(store, ({ method }) => (method === "createNew" ? fate : "ok"));
    await expect(give(losing("lost-before"))).rejects.toMatchObject({ kind: "incomplete", hint: "run again" });
    expect(await give(losing("lost-after"))).toMatchObject({ isNew: true });
    expect([...store.snapshot()]).toEqual([[KEY, BYTES]]);
  });
});
