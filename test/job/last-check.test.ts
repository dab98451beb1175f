import { expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { archiveStatus } from "../../lambda/job/inspect.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { verifyArchive } from "../../lambda/job/verify.ts";
import { makeHistory } from "../emulator/history.ts";
import { exportRequest } from "../support/exports.ts";
import { makeBench } from "../support/job.ts";
import { memoryStore } from "../support/memory-store.ts";

const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };

function benchOfYear(job: Parameters<typeof makeBench>[0] = {}) {
  return makeBench({ history: makeHistory({ seed: 6, fills: 60, ...YEAR }), ...job });
}

test("status shows a failed check of packs elsewhere until they are checked again", async () => {
  const packs = memoryStore("packs");
  const { job, clock } = benchOfYear();
  const apart = { ...job, packStore: packs };
  await exportPack(apart, exportRequest(parsePeriod("month-2025-03")));
  const [key = "", kept] = [...packs.snapshot()].find(([one]) => one.endsWith("/fills.csv")) ?? [];
  packs.put(key, Buffer.from("damaged"));
  const check = async (of: typeof job) => {
    await verifyArchive(of, { rewalk: false });
    await clock.sleep(1000);
    return (await archiveStatus(of)).checks.files;
  };
  expect(await check(apart)).toMatchObject({ ok: false, findings: 1, packStore: packs.location });
  expect(await check(job)).toMatchObject({ ok: false, findings: 1, packStore: packs.location });
  packs.put(key, kept ?? expect.fail("no file"));
  expect(await check(apart)).toMatchObject({ ok: true, packStore: packs.location });
});

test("status does not show the check of a later state that was undone by restoring an older one", async () => {
  const store = memoryStore();
  const { job } = benchOfYear({ job: { store } });
  await syncArchive(job, { from: YEAR.from, to: Date.UTC(2025, 5, 1) });
  await verifyArchive(job, { rewalk: false });
  const older = store.snapshot();
  const { checks } = await archiveStatus(job);
  expect(checks.files).toMatchObject({ ok: true });
  await syncArchive(job, YEAR);
  await verifyArchive(job, { rewalk: false });
  const restored = memoryStore();
  for (const [key, body] of [...older, ...[...store.snapshot()].filter(([one]) => one.startsWith("main/checks/"))]) {
    restored.put(key, body);
  }
  expect((await archiveStatus({ ...job, store: restored })).checks).toEqual({ files: null, rewalk: null });
});
