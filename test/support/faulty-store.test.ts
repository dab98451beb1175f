import { expect, test } from "vitest";
import { StoreUnknownError } from "../../lambda/storage/store.ts";
import { faultyStore, KilledError, type StoreFate } from "./faulty-store.ts";
import { memoryStore } from "./memory-store.ts";
import { bytes, collect, text } from "./store-text.ts";

test.each<[StoreFate, unknown, string | null]>([
  ["ok", "created", "x"],
  ["fail-before", expect.objectContaining({ kind: "incomplete" }), null],
  ["lost-before", expect.any(StoreUnknownError), null],
  ["lost-after", expect.any(StoreUnknownError), "x"],
  ["late", expect.any(StoreUnknownError), null],
  ["kill-before", expect.any(KilledError), null],
  ["kill-after", expect.any(KilledError), "x"],
])("%s", async (fate, answer, there) => {
  const inner = memoryStore();
  const store = faultyStore(inner, () => fate);
  expect(await store.createNew("key", bytes("x")).catch((error: unknown) => error)).toEqual(answer);
  expect(await text(inner, "key")).toBe(there);
});

test("a late write lands before the next call, with the body that it was given", async () => {
  const store = faultyStore(memoryStore(), ({ index }) => (index === 0 ? "late" : "ok"));
  const body = bytes("x");
  await expect(store.createNew("key", body)).rejects.toThrow(StoreUnknownError);
  body.set(bytes("y"));
  expect(await text(store, "key")).toBe("x");
});

test("a late compare-and-swap is judged when it lands", async () => {
  const inner = memoryStore();
  const tag = await inner.replaceIf("head", bytes("1"), null);
  const store = faultyStore(inner, () => "late");
  await expect(store.replaceIf("head", bytes("late"), tag)).rejects.toThrow(StoreUnknownError);
  await inner.replaceIf("head", bytes("rival"), tag);
  await store.settle();
  expect(await text(inner, "head")).toBe("rival");
});

test("after a kill every call fails and does nothing, but what is on its way may land", async () => {
  const inner = memoryStore();
  const store = faultyStore(inner, ({ nth }) => (["late", "kill-before"] as const)[nth] ?? "ok");
  await expect(store.createNew("late", bytes("x"))).rejects.toThrow(StoreUnknownError);
  await expect(store.createNew("key", bytes("x"))).rejects.toThrow(KilledError);
  await expect(store.createNew("key", bytes("x"))).rejects.toThrow(KilledError);
  await expect(collect(store.list(""))).rejects.toThrow(KilledError);
  expect(store.killed).toBe(true);
  expect(store.operations.map(({ index, nth, method, key, fate }) => [index, nth, method, key, fate])).toEqual([
    [0, 0, "createNew", "late", "late"],
    [1, 1, "createNew", "key", "kill-before"],
    [2, 2, "createNew", "key", "dead"],
    [3, 0, "list", "", "dead"],
  ]);
  await store.settle();
  expect([...inner.snapshot().keys()]).toEqual(["late"]);
});

test("a stream's calls are calls too", async () => {
  const inner = memoryStore();
  const store = faultyStore(inner, ({ method }) => (method === "finish" ? "lost-after" : "ok"));
  const sink = await store.createStream("key");
  await sink.write(bytes("x"));
  await expect(sink.finish()).rejects.toThrow(StoreUnknownError);
  expect(store.operations.map(({ method }) => method)).toEqual(["createStream", "write", "finish"]);
  expect(await text(inner, "key")).toBe("x");
});
