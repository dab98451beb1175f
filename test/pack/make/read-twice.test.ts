import { expect, test } from "vitest";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { exportPack } from "../../../lambda/job/export-pack.ts";
import { readTwiceAt } from "../../../lambda/pack/make/read-twice.ts";
import manifest from "../../../package.json" with { type: "json" };
import { makeHistory } from "../../emulator/history.ts";
import { exportRequest } from "../../support/exports.ts";
import { makeBench } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { bytesOf, completenessOf, MARCH, packOf } from "../pack.ts";

const HISTORY = makeHistory({ seed: 1, fills: 20, from: MARCH.from, to: MARCH.to, ties: 0 });

test("the archive's evidence says when a period became read twice, whatever is read later", async () => {
  const store = memoryStore();
  const { job, clock } = makeBench({ history: HISTORY, job: { store } });
  expect(await readTwiceAt(store, "main", MARCH)).toBeNull();
  const began = clock.now();
  await exportPack(job, exportRequest(MARCH));
  const at = (await readTwiceAt(store, "main", MARCH)) ?? 0;
  expect(at).toBeGreaterThanOrEqual(began);
  expect(at).toBeLessThanOrEqual(clock.now());
  await clock.sleep(40 * DAY_MS, job.signal);
  await exportPack(job, exportRequest(parsePeriod("month-2025-04")));
  expect(await readTwiceAt(store, "main", MARCH)).toBe(at);
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
