import { describe, expect, test } from "vitest";
import { nextHead, swapHead } from "../../lambda/archive/head.ts";
import { manifestKey, sha256Of } from "../../lambda/archive/keys.ts";
import type { DataFile } from "../../lambda/archive/manifest-entries.ts";
import { readArchive } from "../../lambda/archive/read.ts";
import { storeRestatements } from "../../lambda/archive/restatements.ts";
import { ArchiveSession } from "../../lambda/archive/session.ts";
import { formatSetHash, setHashOf } from "../../lambda/archive/set-hash.ts";
import { verifyArchiveObjects } from "../../lambda/archive/verify.ts";
import type { FillFields, PlainFill } from "../../lambda/core/plain-fill.ts";
import { ALL_TIME } from "../../lambda/core/ranges.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import { fileAll, filingPorts, partsOf } from "../support/filing.ts";
import { makeBench } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";
import { memoryStore } from "../support/memory-store.ts";
import { readCurrent } from "../support/published.ts";
import { bytes } from "../support/store-text.ts";

/** The months of the archive, each with a part, and each in windows of a day. */
const FROM = Date.UTC(2023, 0, 1);
const DONE = { endedAt: 7, complete: true, problem: null };

/** As the first format has it, by hand: fillbook 0.x, manifest.ts. */
const CHECKPOINT = {
  open: [],
  proven: { keepingEnd: 5 * DAY_MS, keepingBeginning: 4 * DAY_MS },
  order: { direction: "descending", evidence: -9.5, refuted: false },
  again: [],
  lookedBackAt: 11,
  rotatedTo: 12,
  barrenAbove: null,
  datesProven: true,
  cursorsProven: false,
  datesTrusted: true,
};

function fillOn(day: number, fields: Partial<FillFields> = {}): PlainFill {
  const txCreated = FROM + day * DAY_MS + 1000;
  return makeFill({ matchId: `m-${day}`, txCreated, filledAt: txCreated, ...fields });
}

function asInFirstFormat({ first: _, last: __, ...part }: DataFile): object {
  return { ...part, pages: ["main/pages/first.jsonl.zst"] };
}

/** An archive of so many days, a fill each, as the version before wrote it: no manifest in the head, no index. */
async function firstFormat(days: number) {
  const store = memoryStore();
  const fills = Array.from({ length: days }, (_, day) => fillOn(day));
  const written = await partsOf(await fileAll(filingPorts({ store }), [fills]));
  const parts = written.map(asInFirstFormat);
  const windows = fills.map((fill, day) => ({
    ...{ from: FROM + day * DAY_MS, to: FROM + (day + 1) * DAY_MS },
    ...{ pages: 1, rows: 1, duplicates: 0, first: fill.txCreated, last: fill.txCreated, ended: "no-last" },
    ...{ setHash: formatSetHash(setHashOf([fill])), pagesHash: "ab", evidence: [] },
  }));
  const { job } = makeBench({ history: [], job: { store } });
  const restatements: object[] = [];
  // Not in the order of their times: it is that of their filing.
  for (const day of [3, 1, 2]) {
    const { seq: _, ...file } = await storeRestatements(
      { ...job, epoch: 1 },
      [{ kind: "changed", before: fillOn(day, { fee: "9" }), after: fillOn(day) }],
      { seq: 1, seenAt: day },
    );
    restatements.push(file);
  }
  const coverage = [{ from: FROM, to: FROM + days * DAY_MS }];
  const manifest = {
    ...{ format: "fillbook-manifest/1", account: "main", seq: 4, epoch: 2, fills: days },
    ...{ parts, coverage, windows, restatements, maxSkewMs: 3, lateness: { maxMs: 8, count: 1, lastSeenAt: 9 } },
    checkpoint: CHECKPOINT,
  };
  const body = bytes(`${JSON.stringify(manifest)}\n`);
  const ref = { seq: 4, sha256: sha256Of(body) };
  store.put(manifestKey("main", ref.seq, ref.sha256), body);
  const { current: _, ...head } = nextHead(null, { manifest: ref, epoch: 2 }, job.random);
  await swapHead(job, "main", head as Parameters<typeof swapHead>[2], null);
  const dataFiles = written.map((dataFile) => ({ ...dataFile, first: dataFile.from, last: dataFile.to - 1 }));
  return { store, job, manifest, dataFiles, windows, restatements };
}

describe.each([
  ["a small archive", 5],
  ["one whose index has nodes of its own", 700],
])("%s of the first format", (_, days) => {
  test("is read as it is, with nothing written, and verifies", async () => {
    const { store, manifest, dataFiles, windows, restatements } = await firstFormat(days);
    const before = [...store.snapshot().keys()];
    const archive = await readArchive(store, "main");
    const { coverage, maxSkewMs, lateness } = manifest;
    expect(archive.manifest).toMatchObject({ seq: 4, epoch: 2, fills: days, coverage, maxSkewMs, lateness });
    expect(archive.manifest.checkpoint).toEqual({ ...CHECKPOINT, rotatedAt: null, failed: [] });
    expect(await archive.manifestIndex.dataFiles(ALL_TIME)).toEqual(dataFiles);
    expect(await archive.manifestIndex.windows(ALL_TIME)).toEqual(windows);
    const files = (await archive.manifestIndex.restatements(ALL_TIME)).toSorted((a, b) => a.seq - b.seq);
    expect(files.map(({ seq, ...file }) => file)).toEqual(restatements);
    expect(new Set(files.map(({ seq }) => seq)).size).toBe(3);
    expect((await verifyArchiveObjects(store, archive, null)).findings).toEqual([]);
    expect([...store.snapshot().keys()]).toEqual(before);
  });

  test("is written in the second by the next commit, with the same parts, coverage, windows and restatements", async () => {
    const { store, job, manifest, dataFiles, windows, restatements } = await firstFormat(days);
    const session = await ArchiveSession.open(job, () => undefined);
    const { checkpoint } = session.manifest;
    const next = FROM + days * DAY_MS;
    const ended = { pages: 1, duplicates: 0, ended: "no-last" as const, pagesHash: "cd", evidence: [] };
    // A fill of the year 2030: all parts stay as they are.
    const late = makeFill({ matchId: "new", txCreated: Date.UTC(2030, 0, 1), filledAt: null });
    const finished = [{ from: next, to: next + DAY_MS, ...ended }];
    await session.commit({ incomingFills: [late], evidence: [], finished, checkpoint });
    await session.release(DONE);
    const published = await readCurrent(store, "main");
    expect(published).toMatchObject({
      ...{ format: "fillbook-manifest/2", seq: 5, epoch: 3, fills: days + 1 },
      coverage: [{ from: FROM, to: next + DAY_MS }],
      ...{ maxSkewMs: manifest.maxSkewMs, lateness: manifest.lateness },
    });
    expect(published.parts.slice(0, -1)).toEqual(dataFiles);
    expect(published.windows.slice(0, -1)).toEqual(windows);
    expect(published.windows.at(-1)).toMatchObject({ from: next, to: next + DAY_MS, rows: 0 });
    const files = published.restatements.toSorted((a, b) => a.seq - b.seq);
    expect(files.map(({ seq, ...file }) => file)).toEqual(restatements);
    expect((await verifyArchiveObjects(store, await readArchive(store, "main"), null)).findings).toEqual([]);
  });

  test("counts what is restated next after all that was", async () => {
    const { store, job } = await firstFormat(days);
    const session = await ArchiveSession.open(job, () => undefined);
    const { checkpoint } = session.manifest;
    const seen = new Set((await session.manifestIndex.restatements(ALL_TIME)).map(({ seq }) => seq));
    await session.commit({ incomingFills: [fillOn(4, { fee: "8" })], evidence: [], finished: [], checkpoint });
    const published = await readCurrent(store, "main");
    const newest = published.restatements.filter(({ seq }) => !seen.has(seq));
    expect(newest).toHaveLength(1);
    expect(newest[0]?.seq).toBeGreaterThan(Math.max(...seen));
    // A walk over parts that were not written anew says when their first and last fills were, and not where their partitions end.
    const walked = { from: FROM - 10 * DAY_MS, to: FROM + 2000 * DAY_MS };
    const ended = { pages: 1, duplicates: 0, ended: "no-last" as const, pagesHash: "ef", evidence: [] };
    await session.commit({
      ...{ incomingFills: [fillOn(4, { fee: "7" })], evidence: [], checkpoint },
      finished: [{ ...walked, ...ended }],
    });
    const record = (await readCurrent(store, "main")).windows.find(({ pagesHash }) => pagesHash === "ef");
    const [first, last] = [fillOn(0).txCreated, fillOn(days - 1).txCreated];
    expect(record).toMatchObject({ ...walked, rows: days, first, last });
    // The part that was written anew has the times of its fills; the others their partitions'.
    expect(published.parts[0]).toMatchObject({ first: fillOn(0).txCreated });
    expect((await verifyArchiveObjects(store, await readArchive(store, "main"), null)).findings).toEqual([]);
  });
});
