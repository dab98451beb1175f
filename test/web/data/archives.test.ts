import { describe, expect, test } from "vitest";
import { archiveStatus } from "../../../lambda/job/inspect.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import { accountsIn, viewArchive } from "../../../lambda/web/data/archives.ts";
import { makeHistory } from "../../emulator/history.ts";
import { makeBench } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { storesIn } from "./hand-written.ts";

const RANGE = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 20) };
const HISTORY = makeHistory({ seed: 3, fills: 50, ...RANGE });

function archiveIn(store: Store) {
  return viewArchive(storesIn(store));
}

describe("of a store", () => {
  test("accounts are the folders with a head, sorted", async () => {
    const store = memoryStore();
    for (const account of ["zoe", "main", "a-1"]) {
      await syncArchive(makeBench({ history: HISTORY, job: { store, account } }).job, RANGE);
    }
    for (const key of ["inputs-only/inputs/x.json", "UPPER/head.json", "head.json", "deep/er/head.json"]) {
      await store.createNew(key, Buffer.from("{}"));
    }
    expect(await accountsIn(store)).toEqual(["a-1", "main", "zoe"]);
  });

  test("an archive is shown as the status command tells it: of what was read twice", async () => {
    const store = memoryStore();
    const { job } = makeBench({ history: HISTORY, job: { store } });
    const nothing = { coverage: [], fills: 0, seq: 0, firstTrade: null, lastRun: null, restatements: null };
    expect(await archiveIn(store)).toMatchObject({ account: "main", ...nothing });
    await syncArchive(job, { ...RANGE, pace: "once" });
    expect(await archiveIn(store)).toMatchObject({ coverage: [], fills: 50 });
    await syncArchive(job, { ...RANGE, pace: "hurry" });
    const { fills, lastRun, manifest } = await archiveStatus(job);
    const assumed = { silenceDays: expect.any(Number), vanished: 0 };
    const known = { fills: 50, lastRun: expect.anything(), seq: manifest?.seq, assumed, restatements: [] };
    expect(await archiveIn(store)).toMatchObject({ coverage: [RANGE], ...known });
    expect(await archiveIn(store)).toMatchObject({ fills, lastRun });
  });
});
