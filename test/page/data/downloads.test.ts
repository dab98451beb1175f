import { describe, expect, test } from "vitest";
import { isCollectable } from "../../../lambda/archive/keys.ts";
import { DAY_MS } from "../../../lambda/model/time.ts";
import { pageData } from "../../../lambda/page/data/data.ts";
import { openDownloads } from "../../../lambda/page/data/downloads.ts";
import type { DownloadRecord } from "../../../lambda/page/ports.ts";
import { StoreUnknownError } from "../../../lambda/store/store.ts";
import { faultyStore } from "../../support/faulty-store.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { PLACES } from "./places.ts";

const AT = Date.UTC(2025, 2, 1, 12);
const RECORD: DownloadRecord = {
  at: AT,
  user: "ann@example.org",
  account: "main",
  period: "us-2025",
  version: "0123456789abcdef",
  path: "fills.csv",
};

function counter(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `id-${count}`;
  };
}

describe("the history of downloads", () => {
  test.each(PLACES)("gives what was recorded, newest first, over months, of one account: %s", async (_, open) => {
    const downloads = openDownloads(await open(), counter());
    const records = [0, 40, 20, 20, 3, 400].map((day, at) => ({
      ...RECORD,
      at: AT + day * DAY_MS + at,
      path: `${at}`,
    }));
    for (const record of records) {
      await downloads.record(record);
    }
    await downloads.record({ ...RECORD, account: "other" });
    const newestFirst = records.toSorted((a, b) => b.at - a.at);
    for (const limit of [0, 1, 2, 3, 4, 5, 6, 100]) {
      expect(await downloads.recent("main", limit)).toEqual(newestFirst.slice(0, limit));
    }
    expect(await downloads.recent("nobody", 10)).toEqual([]);
  });

  test("takes hostile names as text, and only as text", async () => {
    const store = memoryStore();
    const downloads = openDownloads(store, counter());
    const hostile = ['"}\n{"at":0', "<script>alert(1)</script>", "../../main/head.json", "\u202E\0\uD800", "__proto__"];
    const records = hostile.map((user, at) => ({
      ...RECORD,
      at: AT - at,
      user,
      period: user,
      version: user,
      path: user,
    }));
    for (const record of records) {
      await downloads.record(record);
    }
    expect(await downloads.recent("main", 10)).toEqual(records);
    const keys = [...store.snapshot().keys()];
    expect(keys.filter((key) => !/^main\/downloads\/2025-03\/[\w.-]+$/.test(key))).toEqual([]);
  });

  test("is in the archive's store, each download an object that nothing collects, and never with the packs", async () => {
    const [store, packStore] = [memoryStore(), memoryStore()];
    const { downloads } = pageData({ storesOf: () => ({ store, packStore }), now: () => AT, newId: counter() });
    await downloads.record(RECORD);
    expect([...store.snapshot().keys()]).toEqual(["main/downloads/2025-03/20250301T120000.000Z-id-1.json"]);
    expect(packStore.snapshot().size).toBe(0);
    expect([...store.snapshot().keys()].filter((key) => isCollectable("main", key))).toEqual([]);
  });

  test("is written before it is said to be: what the store did not take is refused", async () => {
    const fails = openDownloads(
      faultyStore(memoryStore(), () => "fail-before"),
      counter(),
    );
    await expect(fails.record(RECORD)).rejects.toEqual(expect.objectContaining({ kind: "incomplete" }));
    const lost = openDownloads(
      faultyStore(memoryStore(), () => "lost-before"),
      counter(),
    );
    await expect(lost.record(RECORD)).rejects.toThrow(StoreUnknownError);
    const taken = openDownloads(memoryStore(), () => "same");
    await taken.record(RECORD);
    await expect(taken.record({ ...RECORD, user: "bob" })).rejects.toEqual(expect.objectContaining({ kind: "fault" }));
    expect(await taken.recent("main", 9)).toEqual([RECORD]);
  });

  test("leaves out what lies about in its folder, and says which record was changed", async () => {
    const store = memoryStore();
    const downloads = openDownloads(store, counter());
    await downloads.record(RECORD);
    const folder = "main/downloads";
    for (const key of ["notes.txt", "2025-03/notes.txt", "2025-3/20250301T120000.000Z-a.json", "2025-03/x/y.json"]) {
      store.put(`${folder}/${key}`, Buffer.from("x"));
    }
    expect(await downloads.recent("main", 9)).toEqual([RECORD]);
    const good = { format: "fillbook-download/1", ...RECORD };
    const key = `${folder}/2025-03/20250302T120000.000Z-b.json`;
    for (const record of [
      null,
      1,
      [],
      { ...good, format: "" },
      { ...good, at: "1" },
      { ...good, user: 1 },
      { ...good, account: "other" },
    ]) {
      store.put(key, Buffer.from(JSON.stringify(record)));
      await expect(downloads.recent("main", 9)).rejects.toEqual(
        expect.objectContaining({ kind: "untrusted", message: expect.stringContaining(key) }),
      );
    }
    store.put(key, Buffer.from("{"));
    await expect(downloads.recent("main", 9)).rejects.toEqual(expect.objectContaining({ kind: "untrusted" }));
  });

  test("of ten years is read only as far as is asked", async () => {
    const inner = memoryStore();
    const downloads = openDownloads(inner, counter());
    const times = Array.from({ length: 730 }, (_, at) => AT + at * 5 * DAY_MS);
    for (const at of times) {
      await downloads.record({ ...RECORD, at });
    }
    const months = new Set(times.slice(-10).map((at) => new Date(at).toISOString().slice(0, 7)));
    const store = faultyStore(inner, () => "ok");
    expect(await openDownloads(store, counter()).recent("main", 10)).toHaveLength(10);
    const counts = Map.groupBy(store.operations, ({ method }) => method);
    expect([...counts].map(([method, { length }]) => [method, length])).toEqual([
      ["folders", 1],
      ["list", months.size],
      ["get", 10],
    ]);
  });
});
