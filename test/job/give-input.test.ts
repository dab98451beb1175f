import { describe, expect, test } from "vitest";
import { giveInput } from "../../lambda/job/give-input.ts";
import { type Store, StoreUnknownError } from "../../lambda/storage/store.ts";
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
    const losesAnswers = (lands: boolean): Store => ({
      ...store,
      createNew: async (key, body) => {
        if (lands) {
          await store.createNew(key, body);
        }
        throw new StoreUnknownError("no answer");
      },
    });
    await expect(give(losesAnswers(false))).rejects.toMatchObject({ kind: "incomplete", hint: "run again" });
    expect(await give(losesAnswers(true))).toMatchObject({ isNew: true });
    expect([...store.snapshot()]).toEqual([[KEY, BYTES]]);
  });
});
