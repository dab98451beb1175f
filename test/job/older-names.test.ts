import { expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { type ExportRequest, exportPack } from "../../lambda/job/export-pack.ts";
import { verifyArchive } from "../../lambda/job/inspect.ts";
import { findPack } from "../../lambda/web/data/catalogue.ts";
import { packPeriods } from "../../lambda/web/data/versions.ts";
import { makeHistory } from "../emulator/history.ts";
import { makeBench } from "../support/job.ts";
import { memoryStore } from "../support/memory-store.ts";

const YEAR = parsePeriod("uk-2024-25");
/** The name of a pack from the time when uk-2024 meant the tax year that begins in 2024. */
const OLDER = { ...YEAR, name: "uk-2024" };

async function made(job: RunContext, period: ExportRequest["period"]) {
  const { dir, files } = await exportPack(job, {
    period,
    method: "fifo",
    isMethodChosen: true,
    basis: "fill",
    allowIncomplete: false,
  });
  const [version = "", folder = ""] = (dir ?? "").split("/").reverse();
  return { folder, version, fills: files.find(({ path }) => path === "fills.csv")?.sha256 };
}

test("an older pack whose name now means another year stays unchanged beside the packs of both years", async () => {
  const store = memoryStore();
  const history = makeHistory({ seed: 5, fills: 60, from: parsePeriod("uk-2023-24").from, to: YEAR.to });
  const { job } = makeBench({ history, job: { store } });
  const older = await made(job, OLDER);
  const kept = [...store.snapshot()].filter(([key]) => key.startsWith("main/packs/"));
  const typed = await made(job, parsePeriod("uk-2024"));
  const same = await made(job, parsePeriod("uk-2025"));

  expect([older.folder, typed.folder, same.folder]).toEqual(["uk-2024", "uk-2023-24", "uk-2024-25"]);
  expect(same.fills).toBe(older.fills);
  expect(typed.fills).not.toBe(older.fills);
  const now = store.snapshot();
  expect(kept.map(([key]) => [key, now.get(key)])).toEqual(kept);
  const stores = { account: "main", store, packStore: null };
  expect((await packPeriods(stores)).map(({ name }) => name)).toEqual(["uk-2023-24", "uk-2024", "uk-2024-25"]);
  const found = await findPack(stores, "uk-2024", older.version);
  expect(found?.claim.from).toBe("2024-04-05T23:00:00.000Z");
  expect(found?.versions).toHaveLength(1);
  expect(await verifyArchive(job, { rewalk: false })).toMatchObject({ ok: true, findings: [] });
});
