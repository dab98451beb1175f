import { describe, expect, test } from "vitest";
import { isoTime } from "../../../lambda/core/time.ts";
import { archiveStatus } from "../../../lambda/job/inspect.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import { accountsIn, viewArchive } from "../../../lambda/web/data/archives.ts";
import { makeHistory } from "../../emulator/history.ts";
import { makeBench, NOW } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { storesIn } from "./hand-written.ts";
import { PLACES } from "./places.ts";

const RANGE = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 20) };
const HISTORY = makeHistory({ seed: 3, fills: 50, ...RANGE });

function archiveIn(store: Store, now = NOW) {
  return viewArchive(storesIn(store), () => now);
}

describe.each(PLACES)("of a %s store", (_, open) => {
  test("accounts are the folders with a head, sorted", async () => {
    const store = await open();
    for (const account of ["zoe", "main", "a-1"]) {
      await syncArchive(makeBench({ history: HISTORY, job: { store, account } }).job, RANGE);
    }
    for (const key of [
      "inputs-only/inputs/accounts.json",
      "UPPER/head.json",
      "head.json",
      `${"x".repeat(33)}/head.json`,
      "deep/er/head.json",
    ]) {
      await store.createNew(key, Buffer.from("{}"));
    }
    expect(await accountsIn(store)).toEqual(["a-1", "main", "zoe"]);
  });

  test("an archive is shown as the status command tells it", async () => {
    const store = await open();
    const { job } = makeBench({ history: HISTORY, job: { store } });
    expect(await archiveIn(store)).toEqual({
      account: "main",
      coverage: [],
      fills: 0,
      seq: 0,
      firstTrade: null,
      lastRun: null,
      busy: false,
      assumptions: { assumed: 0, isUndated: false },
      missingBefore: null,
      maxSkewMs: 0,
      restatements: null,
    });
    await syncArchive(job, RANGE);
    const { coverage, fills, lastRun, manifest } = await archiveStatus(job);
    expect(fills).toBe(50);
    expect(lastRun).not.toBeNull();
    expect(await archiveIn(store)).toEqual({
      account: "main",
      coverage,
      fills,
      seq: manifest?.seq,
      firstTrade: expect.any(Number),
      lastRun,
      busy: false,
      assumptions: { assumed: expect.any(Number), isUndated: false },
      missingBefore: null,
      maxSkewMs: expect.any(Number),
      restatements: expect.any(Function),
    });
  });
});

test("an archive is busy while a run holds it and writes; after a killed run, until the lease has passed", async () => {
  let written = NOW;
  const store = memoryStore("memory", () => written);
  await syncArchive(makeBench({ history: HISTORY, job: { store } }).job, RANGE);
  const head = JSON.parse(Buffer.from(store.snapshot().get("main/head.json") ?? []).toString());
  const hold = (lease: unknown) => store.put("main/head.json", Buffer.from(JSON.stringify({ ...head, lease })));
  const busyAt = async (now: number) => (await archiveIn(store, now)).busy;
  hold({ holder: "test:1:a", ttlMs: 30_000 });
  expect([await busyAt(NOW), await busyAt(NOW + 29_999), await busyAt(NOW + 30_000)]).toEqual([true, true, false]);
  written = NOW + 20_000;
  hold({ holder: "test:1:a", ttlMs: 30_000 });
  expect(await busyAt(NOW + 30_000)).toBe(true);
  hold(null);
  expect(await busyAt(NOW + 20_000)).toBe(false);
});

test("an unreadable head is not treated as an empty archive", async () => {
  const store = memoryStore();
  store.put("main/head.json", Buffer.from("{}"));
  await expect(archiveIn(store)).rejects.toEqual(expect.objectContaining({ kind: "untrusted" }));
});

test("fills that the service showed before the account's beginning are missing until their time is covered", async () => {
  const older = makeHistory({ seed: 4, fills: 20, from: Date.UTC(2013, 4, 3), to: Date.UTC(2013, 5, 1) });
  const store = memoryStore();
  const { job } = makeBench({ history: older, job: { store } });
  await syncArchive(job, {}).catch(() => undefined);
  expect(isoTime((await archiveIn(store)).missingBefore ?? 0)).toMatch(/^2013-05/);
  await syncArchive(job, { from: Date.UTC(2013, 0, 1) });
  expect((await archiveIn(store)).missingBefore).toBeNull();
});
