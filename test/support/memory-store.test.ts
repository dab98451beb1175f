import { describe, expect, test } from "vitest";
import { storeConformance } from "../conformance/store.ts";
import { memoryStore } from "./memory-store.ts";
import { bytes, text } from "./store-text.ts";

storeConformance("memory store", () => {
  let writes = 0;
  const store = memoryStore("memory", () => {
    writes += 1;
    return writes;
  });
  return Promise.resolve({ store, reopen: () => store, cleanup: () => Promise.resolve() });
});

describe("the memory store's back door", () => {
  test("shows, damages and removes objects", async () => {
    const store = memoryStore();
    await store.createNew("b", bytes("1"));
    store.put("a", bytes("2"));
    const before = store.snapshot();
    store.put("b", bytes("damaged"));
    expect([...before].map(([key, body]) => `${key}=${Buffer.from(body)}`)).toEqual(["a=2", "b=1"]);
    expect(await text(store, "b")).toBe("damaged");
    store.delete("b");
    expect([...store.snapshot().keys()]).toEqual(["a"]);
    expect(await store.get("b")).toBeNull();
  });
});
