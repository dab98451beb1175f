import { expect, test } from "vitest";
import { readNewestArchive } from "../../../lambda/archive/read.ts";
import { readTwiceAt } from "../../../lambda/archive/read-twice.ts";
import { ArchiveSession } from "../../../lambda/archive/session.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { exportPack } from "../../../lambda/job/export-pack.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import manifest from "../../../package.json" with { type: "json" };
import { makeHistory } from "../../emulator/history.ts";
import { exportRequest } from "../../support/exports.ts";
import { makeBench } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { bytesOf, completenessOf, MARCH, packOf } from "../pack.ts";

const HISTORY = makeHistory({ seed: 1, fills: 20, from: MARCH.from, to: MARCH.to, ties: 0 });

async function readTwice(store: Store): Promise<number | null> {
  return await readTwiceAt(store, (await readNewestArchive(store, "main")).manifest, MARCH);
}

test("the archive's evidence says when a period became read twice, whatever is read later", async () => {
  const store = memoryStore();
  const { job, clock } = makeBench({ history: HISTORY, job: { store } });
  expect(await readTwice(store)).toBeNull();
  const began = clock.now();
  await exportPack(job, exportRequest(MARCH));
  const at = (await readTwice(store)) ?? 0;
  expect(at).toBeGreaterThanOrEqual(began);
  expect(at).toBeLessThanOrEqual(clock.now());
  await clock.sleep(40 * DAY_MS, job.signal);
  await exportPack(job, exportRequest(parsePeriod("month-2025-04")));
  expect(await readTwice(store)).toBe(at);
});

test("what was doubted after it had been read twice counts from when it was read again", async () => {
  const { job, clock } = makeBench({ history: HISTORY });
  await exportPack(job, exportRequest(MARCH));
  const session = await ArchiveSession.open(job);
  session.file({ fills: [], covers: null, doubts: [MARCH] });
  await session.end({ endedAt: clock.now(), complete: false, problem: "it contradicts itself" });
  expect(await readTwice(job.store)).toBeNull();
  await clock.sleep(DAY_MS, job.signal);
  const again = clock.now();
  await exportPack(job, exportRequest(MARCH));
  expect(await readTwice(job.store)).toBeGreaterThanOrEqual(again);
});

test("the evidence of a run that did not commit says nothing", async () => {
  const store = memoryStore();
  await exportPack(makeBench({ history: HISTORY, job: { store } }).job, exportRequest(MARCH));
  const evidence = [...store.snapshot()].filter(([key]) => key.startsWith("main/readings/"));
  const known = memoryStore();
  for (const [key, body] of evidence) {
    await known.createNew(key, body);
  }
  const { seq } = (await readNewestArchive(store, "main")).manifest;
  const readUpTo = async (last: number) => await readTwiceAt(known, { account: "main", seq: last }, MARCH);
  expect(await readUpTo(seq)).not.toBeNull();
  expect(await readUpTo(0)).toBeNull();
  for (const [key, body] of evidence) {
    await known.createNew(key.replace(/[0-9a-f]{12}(?=\.ndjson)/, "0123456789ab"), body);
  }
  expect(await readUpTo(seq)).toBeNull();
});

test("a pack names the fillbook that made it and when its period became read twice", async () => {
  const [store, later] = [memoryStore(), memoryStore()];
  const pack = await packOf(store, [], { readAt: Date.UTC(2025, 4, 2, 3) });
  const made = `fillbook ${manifest.version}`;
  expect(completenessOf(store, pack)).toMatchObject({ made_by: made, read_twice_at: "2025-05-02T03:00:00.000Z" });
  const report = bytesOf(store, pack, "report.html").toString();
  expect(report).toContain(`Made by ${made}.`);
  expect(report).toContain("2025-05-02 03:00:00");
  expect((await packOf(later, [], { readAt: Date.UTC(2025, 4, 3) })).version).not.toBe(pack.version);
});
