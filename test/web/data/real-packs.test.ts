import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { customPeriod } from "../../../lambda/core/period.ts";
import { DAY_MS, isoTime } from "../../../lambda/core/time.ts";
import type { ExportResult } from "../../../lambda/job/context.ts";
import { exportPack } from "../../../lambda/job/export-pack.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import type { Store } from "../../../lambda/storage/store.ts";
import { viewArchive } from "../../../lambda/web/data/archives.ts";
import { openPackFile } from "../../../lambda/web/data/pack-files.ts";
import { restatedSince } from "../../../lambda/web/data/restated.ts";
import type { AccountStores, PackDetails } from "../../../lambda/web/packs.ts";
import { makeHistory } from "../../emulator/history.ts";
import type { CompletedOrder } from "../../emulator/wire.ts";
import { exportRequest } from "../../support/exports.ts";
import { makeBench, NOW } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";
import { findPack, listAll } from "./hand-written.ts";

// Shows packs that the program itself has made. hosts/aws/recorded.system.test.ts does so on S3, browser/ in a folder.

const PERIOD = customPeriod("2026-01-02", "2026-02-01");
const REQUEST = exportRequest(PERIOD);
const LATER_MS = 46 * DAY_MS;
const FROM = NOW - 32 * DAY_MS;

const isIn = ({ filledAt, txCreated }: CompletedOrder) =>
  PERIOD.from <= (filledAt ?? txCreated) && (filledAt ?? txCreated) < PERIOD.to;

/** A pack, later changes by the service, and the pack made again; packs have a store of their own. */
async function twoPacks(store: Store, packs: Store) {
  const history = makeHistory({ seed: 31, fills: 400, from: FROM, to: NOW });
  const switches = {
    lateRows: { share: 0.1, maxDelayMs: 40 * DAY_MS },
    changingRows: { share: 0.3, what: "content", afterMs: 45 * DAY_MS },
  } as const;
  const { job, emulator, clock } = makeBench({ history, switches, job: { store, packStore: packs } });
  const stores = { account: "main", store, packs };
  await syncArchive(job, { from: FROM, to: NOW });
  const first = await exportPack(job, REQUEST);
  await clock.sleep(LATER_MS);
  await syncArchive({ ...job, lookBackMs: NOW + LATER_MS - FROM }, { from: FROM });
  const before = await detailsOf(stores, first);
  const second = await exportPack(job, REQUEST);
  const [was, is] = [emulator.truth(NOW), emulator.truth(NOW + LATER_MS)];
  const restated = [...is].filter(([key, now]) => {
    const then = was.get(key);
    return then === undefined ? isIn(now) : then.fees !== now.fees && (isIn(then) || isIn(now));
  });
  return { stores, first, second, before, restated: restated.length };
}

/** A pack, and the changes of its period that the archive has seen since. */
async function detailsOf(
  stores: AccountStores,
  { dir, period }: ExportResult,
): Promise<PackDetails & { restatementsSince: number | null }> {
  const details = await findPack(stores, period, dir?.split("/").at(-1) ?? "");
  if (details === null) {
    throw new Error(`no ${dir}`);
  }
  const restatementsSince = await restatedSince(stores, await viewArchive(stores), details.claim);
  return { ...details, restatementsSince };
}

test("a pack is listed and opened as it was written, with the changes since", async () => {
  const { stores, first, second, before, restated } = await twoPacks(memoryStore(), memoryStore());
  expect(restated).toBeGreaterThan(50);
  expect(before).toMatchObject({ latest: true, complete: true, restatementsSince: restated });
  const after = await detailsOf(stores, second);
  expect(after).toMatchObject({ latest: true, complete: true, restatementsSince: 0 });
  const listed = await listAll(stores);
  const sizeOf = ({ files }: ExportResult) => files.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(new Map(listed.map(({ version, latest, bytes }) => [version, [latest, bytes]]))).toEqual(
    new Map([
      [after.version, [true, sizeOf(second)]],
      [before.version, [false, sizeOf(first)]],
    ]),
  );
  expect(listed.every(({ period }) => period === PERIOD.name)).toBe(true);
  const sumsLast = first.files.map(({ path, bytes, sha256 }, at) => ({
    path,
    bytes,
    sha256: at === first.files.length - 1 ? null : sha256,
  }));
  expect(before.files).toEqual(sumsLast);
  const rowsOf = (pack: ExportResult, path: string) => pack.files.find((file) => file.path === path)?.rows;
  expect(before.claim).toMatchObject({
    from: isoTime(PERIOD.from),
    to: isoTime(PERIOD.to),
    ...{ zone: "UTC", method: "average", method_chosen: true, basis: "fill", gaps: [], of: ["main"] },
    totals: {
      fills: rowsOf(first, "fills.csv"),
      exceptions: rowsOf(first, "exceptions.csv"),
      restatements: { late: 0, changed: 0, enriched: 0 },
    },
    ...{ accounts: { inputs: [], report_currency: null }, verdict: { claim: first.verdict?.claim } },
  });
  for (const [at, file] of before.files.entries()) {
    const pieces = await Array.fromAsync(await openPackFile(stores, before, file));
    expect(hash("sha256", Buffer.concat(pieces), "hex")).toBe(first.files[at]?.sha256);
  }
});
