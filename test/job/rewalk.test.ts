import { describe, expect, test } from "vitest";
import { dataFileKey } from "../../lambda/archive/keys.ts";
import { readArchive } from "../../lambda/archive/read.ts";
import { FillbookError } from "../../lambda/core/errors.ts";
import { overlaps } from "../../lambda/core/ranges.ts";
import { DAY_MS, isoTime } from "../../lambda/core/time.ts";
import { rewalk } from "../../lambda/job/rewalk.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { verifyArchive } from "../../lambda/job/verify.ts";
import { lastChecks } from "../../lambda/pack/make/checks.ts";
import { historyItems, historyOf, makeHistory } from "../emulator/history.ts";
import type { Switches } from "../emulator/switches.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { away, makeBench } from "../support/job.ts";
import { memoryStore } from "../support/memory-store.ts";

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2025, 2, 1);
const HISTORY = makeHistory({ seed: 31, fills: 300, from: FROM, to: TO });
const ITEMS = [...historyItems(HISTORY)];
const AT = ITEMS[150] as CompletedOrder;

/** An archive of the account, and a service that now has other items. */
async function archived(items: readonly CompletedOrder[], switches: Partial<Switches> = {}, first = switches) {
  const store = memoryStore();
  const before = makeBench({ history: historyOf(ITEMS), switches: first, job: { store } });
  expect(await syncArchive(before.job, { from: FROM, to: TO })).toMatchObject({ complete: true });
  const { job, emulator } = makeBench({ history: historyOf(items), switches, job: { store } });
  return { job, archive: await readArchive(store, "main"), store, emulator };
}

function namesWindowOf(finding: string, time: number): boolean {
  const [, from = "", to = ""] = /^window \[(.*?), (.*?)\)/.exec(finding) ?? [];
  return Date.parse(from) <= time && time < Date.parse(to);
}

describe("reading the service again", () => {
  const others = ITEMS.filter((item) => item !== AT);
  const { fees: _, ...less } = AT;
  test.each<[string, Partial<Switches>, (readonly CompletedOrder[])?]>([
    ["plain", {}],
    ["with a row that only omits a field", {}, [...others, less as CompletedOrder]],
    ["in another order", { order: "ascending" }],
    ["clamped", { clamp: { widthMs: 7 * DAY_MS, anchor: "start", alsoSingleBound: true } }],
    ["whose dates go by filledAt", { filterBy: "filledAt" }],
    ["with short pages and repeats", { shortPages: true, repeatRows: 5 }],
  ])("finds nothing in the same service, %s", async (_, switches, items = ITEMS) => {
    const { job, archive } = await archived(items, switches);
    const { findings, rewalked } = await rewalk(job, archive.manifest, null);
    expect(findings).toEqual([]);
    expect(rewalked).toBeGreaterThan(0);
  });

  const another = { ...AT, matchId: "another" };
  test.each<[string, readonly CompletedOrder[], number, object | null]>([
    ["changed", [...others, { ...AT, fees: "123" }], 0, { missing: 0, changed: 1 }],
    ["gone", others, -1, null],
    ["more", [...ITEMS, another], 1, { missing: 1, changed: 0 }],
    ["swapped for another", [...others, another], 0, { missing: 1, changed: 0 }],
  ])(
    "one row %s: names its window and no other, and what the archive lacks until it is synced again",
    async (_, items, more, lacks) => {
      const { job, archive, store } = await archived(items);
      const { findings, lacking } = await rewalk(job, archive.manifest, null);
      expect(findings).toHaveLength(1);
      const [finding = ""] = findings;
      expect(namesWindowOf(finding, AT.txCreated)).toBe(true);
      const [, answered, held] = /the service returns (\d+) fills, the archive holds (\d+)/.exec(finding) ?? [];
      expect(Number(answered) - Number(held)).toBe(more);
      expect(lacking.map(({ missing, changed }) => ({ missing, changed }))).toEqual(lacks === null ? [] : [lacks]);
      for (const { from, to } of lacking) {
        expect(from <= AT.txCreated && AT.txCreated < to).toBe(true);
        expect(await syncArchive(job, { from, to, rechecksAll: true })).toMatchObject({ complete: true });
      }
      expect((await rewalk(job, (await readArchive(store, "main")).manifest, null)).lacking).toEqual([]);
    },
  );

  test("requests nothing outside its range if it is limited to one", async () => {
    const { job, archive, emulator } = await archived(others);
    const range = { from: AT.txCreated + 1, to: TO };
    expect((await rewalk(job, archive.manifest, range)).findings).toEqual([]);
    const asked = emulator.log.completedOrders;
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every((one) => overlaps({ from: Number(one.startDate), to: Number(one.endDate) }, range))).toBe(true);
  });

  test("reports a window that cannot be read again, with its reason", async () => {
    const { job, archive } = await archived(ITEMS, { pageLimit: 3, cursorLoop: { length: 2, afterPages: 1 } }, {});
    const { findings } = await rewalk(job, archive.manifest, null);
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.at(-1)).toMatch(/could not be read: the service's cursors go round in a circle/);
  });

  test("still reports damage that was found before the service refused", async () => {
    const { job, store, archive } = await archived(ITEMS);
    const [file] = archive.manifest.dataFiles;
    store.put(dataFileKey("main", file ?? expect.fail("no file")), Buffer.from("damaged"));
    const refused = new FillbookError("token", "the service refused the token");
    await expect(verifyArchive(away(job, refused), { rewalk: true })).rejects.toThrow();
    expect(await lastChecks(store, "main", { seq: Number.MAX_SAFE_INTEGER })).toMatchObject({
      files: { ok: false },
      rewalk: null,
    });
  });

  test("is reported by verify --rewalk, which changes only the note of the check", async () => {
    const { job, store } = await archived(others);
    const before = store.snapshot();
    const checks: unknown[] = [];
    const report: typeof job.report = ({ checked }) => checks.push(checked);
    const result = await verifyArchive({ ...job, report }, { rewalk: true });
    expect(checks.at(-1)).toMatchObject({ step: "rewalk", done: ITEMS.length, of: ITEMS.length });
    expect(result).toMatchObject({ ok: false, rewalked: expect.any(Number) });
    expect(result.findings).toEqual([expect.stringContaining(isoTime(AT.txCreated).slice(0, 4))]);
    const isNote = ([key]: readonly [string, unknown]) => key.startsWith("main/checks/");
    const after = [...store.snapshot()];
    expect(new Map(after.filter((one) => !isNote(one)))).toEqual(before);
    expect(after.filter(isNote).map(([key]) => key)).toEqual(["main/checks/newest.json"]);
    expect(await lastChecks(store, "main", { seq: Number.MAX_SAFE_INTEGER })).toMatchObject({
      files: { ok: true, findings: 0 },
      rewalk: { ok: false, findings: 1, checked: result.rewalked },
    });
    expect(await verifyArchive(job, { rewalk: false })).toMatchObject({ ok: true, findings: [] });
  });
});
