import { describe, expect, test } from "vitest";
import { collectable } from "../../../lambda/archive/keys.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import { type DownloadRecord, recentDownloads, recordDownload } from "../../../lambda/web/data/downloads.ts";
import { faultyStore } from "../../support/faulty-store.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { countedIds } from "../../support/prng.ts";
import { storesIn } from "./hand-written.ts";

const AT = Date.UTC(2025, 2, 1, 12);
const RECORD: DownloadRecord = {
  at: AT,
  user: "ann@example.org",
  account: "main",
  period: "us-2025",
  version: "0123456789abcdef",
  path: "fills.csv",
};

function openDownloads(store: Store, newId: () => string) {
  return {
    record: (record: DownloadRecord) => recordDownload(storesIn(store), record, newId()),
    recent: (account: string, limit: number) => recentDownloads(storesIn(store, account), limit),
  };
}

describe("the history of downloads", () => {
  test("gives one account's records, newest first, across months, and treats hostile names as text", async () => {
    const downloads = openDownloads(memoryStore(), countedIds());
    const hostile = ['"}\n{"at":0', "<script>alert(1)</script>", "../../main/head.json", "\u202E\0\uD800", "__proto__"];
    const records = [0, 40, 20, 20, 3, 400].map((day, at) => {
      const path = hostile[at] ?? "x";
      return { ...RECORD, at: AT + day * DAY_MS + at, user: path, period: path, version: path, path };
    });
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

  test("is in the archive's store and never with the packs; each download is an object that nothing collects", async () => {
    const [store, packs] = [memoryStore(), memoryStore()];
    await recordDownload({ account: "main", store, packs }, RECORD, "id-1");
    expect([...store.snapshot().keys()]).toEqual(["main/downloads/2025-03/20250301T120000.000Z-id-1.json"]);
    expect(packs.snapshot().size).toBe(0);
    expect([...store.snapshot().keys()].filter((key) => collectable("main", key) !== null)).toEqual([]);
  });

  test("is written before it is confirmed: a failed write is an error", async () => {
    for (const fault of ["fail-before", "lost-before"] as const) {
      const failing = faultyStore(memoryStore(), () => fault);
      await expect(openDownloads(failing, countedIds()).record(RECORD)).rejects.toThrow();
    }
    const taken = openDownloads(memoryStore(), () => "same");
    await taken.record(RECORD);
    await expect(taken.record({ ...RECORD, user: "bob" })).rejects.toEqual(expect.objectContaining({ kind: "fault" }));
    expect(await taken.recent("main", 9)).toEqual([RECORD]);
  });

  test("names a changed record", async () => {
    const store = memoryStore();
    const downloads = openDownloads(store, countedIds());
    await downloads.record(RECORD);
    const good = { format: "fillbook-download/1", ...RECORD };
    const key = "main/downloads/2025-03/20250302T120000.000Z-b.json";
    for (const record of [null, [], { ...good, format: "" }, { ...good, account: "other" }]) {
      store.put(key, Buffer.from(JSON.stringify(record)));
      await expect(downloads.recent("main", 9)).rejects.toEqual(
        expect.objectContaining({ kind: "untrusted", message: expect.stringContaining(key) }),
      );
    }
  });
});
