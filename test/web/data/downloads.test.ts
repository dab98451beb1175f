import { describe, expect, test } from "vitest";
import { collectable } from "../../../lambda/archive/keys.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { type DownloadRecord, recentDownloads, recordDownload } from "../../../lambda/web/data/downloads.ts";
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

describe("the history of downloads", () => {
  test("gives one account's records, newest first, across months, and treats hostile names as text", async () => {
    const [store, newId] = [memoryStore(), countedIds()];
    const hostile = ['"}\n{"at":0', "<script>alert(1)</script>", "../../main/head.json", "\u202E\0\uD800", "__proto__"];
    const records = [0, 40, 20, 20, 3, 400].map((day, at) => {
      const path = hostile[at] ?? "x";
      return { ...RECORD, at: AT + day * DAY_MS + at, user: path, period: path, version: path, path };
    });
    for (const record of [...records, { ...RECORD, account: "other" }]) {
      await recordDownload(storesIn(store), record, newId());
    }
    const newestFirst = records.toSorted((a, b) => b.at - a.at);
    for (const limit of [0, 1, 2, 5, 6, 100]) {
      expect(await recentDownloads(storesIn(store), limit)).toEqual(newestFirst.slice(0, limit));
    }
    expect(await recentDownloads(storesIn(store, "nobody"), 10)).toEqual([]);
  });

  test("is in the archive's store and never with the packs; nothing collects or overwrites a record", async () => {
    const [store, packs] = [memoryStore(), memoryStore()];
    const stores = { account: "main", store, packs };
    await recordDownload(stores, RECORD, "id-1");
    expect([...store.snapshot().keys()]).toEqual(["main/downloads/2025-03/20250301T120000.000Z-id-1.json"]);
    expect(packs.snapshot().size).toBe(0);
    expect([...store.snapshot().keys()].filter((key) => collectable("main", key) !== null)).toEqual([]);
    const again = recordDownload(stores, { ...RECORD, user: "bob" }, "id-1");
    await expect(again).rejects.toEqual(expect.objectContaining({ kind: "fault" }));
    expect(await recentDownloads(stores, 9)).toEqual([RECORD]);
  });

  test("names a changed record", async () => {
    const store = memoryStore();
    const good = { format: "fillbook-download/1", ...RECORD };
    const key = "main/downloads/2025-03/20250302T120000.000Z-b.json";
    for (const record of [null, [], { ...good, format: "" }, { ...good, account: "other" }]) {
      store.put(key, Buffer.from(JSON.stringify(record)));
      await expect(recentDownloads(storesIn(store), 9)).rejects.toEqual(
        expect.objectContaining({ kind: "untrusted", message: expect.stringContaining(key) }),
      );
    }
  });
});
