import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { customPeriod } from "../../../lambda/core/period.ts";
import { DAY_MS, isoTime } from "../../../lambda/core/time.ts";
import { exportPack } from "../../../lambda/job/export-pack.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import { viewArchive } from "../../../lambda/web/data/archives.ts";
import { openPackFile } from "../../../lambda/web/data/pack-files.ts";
import { restatedSince } from "../../../lambda/web/data/restated.ts";
import { makeHistory } from "../../emulator/history.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import { exportRequest } from "../../support/exports.ts";
import { makeBench, NOW } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { findPack, listAll } from "./hand-written.ts";

// Shows a pack that the program itself has made. hosts/aws/recorded.system.test.ts does so on S3, browser/ in a folder.

const PERIOD = customPeriod("2026-01-02", "2026-02-01");
const LATER_MS = 46 * DAY_MS;
const FROM = NOW - 32 * DAY_MS;

const isIn = ({ filledAt, txCreated }: CompletedOrder) =>
  PERIOD.from <= (filledAt ?? txCreated) && (filledAt ?? txCreated) < PERIOD.to;

test("a pack is listed and opened as it was written, with the changes since", async () => {
  const history = makeHistory({ seed: 31, fills: 400, from: FROM, to: NOW });
  const switches = {
    lateRows: { share: 0.1, maxDelayMs: 40 * DAY_MS },
    changingRows: { share: 0.3, what: "content", afterMs: 45 * DAY_MS },
  } as const;
  const stores = { account: "main", store: memoryStore(), packs: memoryStore() };
  const { job, emulator, clock } = makeBench({ history, switches, job: { ...stores, packStore: stores.packs } });
  await syncArchive(job, { from: FROM, to: NOW });
  const made = await exportPack(job, exportRequest(PERIOD));
  const version = made.dir?.split("/").at(-1) ?? "";
  const bytes = made.files.reduce((sum, file) => sum + file.bytes, 0);
  expect(await listAll(stores)).toMatchObject([{ period: PERIOD.name, version, latest: true, complete: true, bytes }]);
  const pack = (await findPack(stores, PERIOD.name, version)) ?? expect.fail("no pack");
  expect(pack.files.map((file) => file.path)).toEqual(made.files.map(({ path }) => path));
  for (const [at, file] of pack.files.entries()) {
    const pieces = await Array.fromAsync(await openPackFile(stores, pack, file));
    expect(hash("sha256", Buffer.concat(pieces), "hex")).toBe(made.files[at]?.sha256);
  }
  const rowsOf = (path: string) => made.files.find((file) => file.path === path)?.rows;
  const restatements = { late: 0, changed: 0, enriched: 0 };
  expect(pack.claim).toMatchObject({
    ...{ from: isoTime(PERIOD.from), to: isoTime(PERIOD.to), zone: "UTC", gaps: [], of: ["main"] },
    ...{ accounts: { inputs: [], report_currency: null }, verdict: { claim: made.verdict?.claim } },
    totals: { fills: rowsOf("fills.csv"), exceptions: rowsOf("exceptions.csv"), restatements },
  });

  await clock.sleep(LATER_MS);
  await syncArchive({ ...job, lookBackMs: NOW + LATER_MS - FROM }, { from: FROM });
  const [was, is] = [emulator.truth(NOW), emulator.truth(NOW + LATER_MS)];
  const restated = [...is].filter(([key, now]) => {
    const then = was.get(key);
    return then === undefined ? isIn(now) : then.fees !== now.fees && (isIn(then) || isIn(now));
  });
  expect(restated.length).toBeGreaterThan(50);
  expect(await restatedSince(stores, await viewArchive(stores), pack.claim)).toBe(restated.length);
});
