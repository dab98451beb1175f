import { zstdDecompressSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { readHead } from "../../lambda/archive/head.ts";
import { readArchive } from "../../lambda/archive/read.ts";
import { ArchiveSession } from "../../lambda/archive/session.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { Learned } from "../../lambda/service/service.ts";
import { faultyStore } from "../support/faulty-store.ts";
import { NOW } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";
import { contentsOf, DONE, fileOnce, fillOn, jobOf, MARCH, opened, read } from "./filed.ts";

const writes = ({ operations }: ReturnType<typeof faultyStore>) =>
  operations
    .filter(({ method }) => method === "createNew" || method === "replaceIf")
    .map(({ key }) => key.split("/")[1]);

describe("a commit", () => {
  test("brings rows and coverage together; until a month is covered, each chain has a file of its own", async () => {
    const { store, session } = await opened();
    const half = { from: MARCH.from, to: MARCH.from + 10 * DAY_MS };
    session.file({ fills: [fillOn(1), fillOn(3)], covers: read(half) });
    session.file({ fills: [fillOn(3), fillOn(9)], covers: null });
    await session.flush();
    const { manifest, ref } = await readArchive(store, "main");
    expect(ref).toEqual(session.head?.manifest);
    expect(manifest).toMatchObject({ seq: 1, fills: 4, coverage: [read(half)], known: { skewMs: 5, readAt: NOW } });
    expect(manifest.dataFiles.map(({ kind, fills }) => [kind, fills])).toEqual([
      ["chain", 2],
      ["chain", 2],
    ]);
    expect((await contentsOf(store)).held).toEqual([fillOn(1), fillOn(3), fillOn(9)]);
    session.file({ fills: [], covers: read({ from: half.to, to: MARCH.to }) });
    await session.flush();
    expect((await contentsOf(store)).manifest.dataFiles).toMatchObject([{ ...MARCH, kind: "part", fills: 3 }]);
  });

  test("of the run's end cuts the months that are not covered, too", async () => {
    const { store, session } = await opened();
    session.file({ fills: [fillOn(1)], covers: read({ from: MARCH.from, to: MARCH.from + DAY_MS }) });
    await session.end(DONE);
    expect((await contentsOf(store)).manifest.dataFiles).toMatchObject([{ ...MARCH, kind: "part" }]);
    expect((await readHead(store, "main"))?.head).toMatchObject({ lastRun: DONE, table: 1 });
  });

  test("joins what was filed before it: the head is swapped once", async () => {
    const store = faultyStore(memoryStore(), () => "ok");
    const { session } = await opened(store);
    for (let day = 1; day <= 20; day += 1) {
      session.file({ fills: [fillOn(day)], covers: null });
    }
    await Promise.all([session.flush(), session.flush(), session.fillsIn(MARCH)]);
    const written = writes(store);
    expect([
      written.filter((name) => name === "head.json").length,
      written.filter((name) => name === "fills").length,
    ]).toEqual([1, 20]);
    expect(written.slice(-2)).toEqual(["manifests", "head.json"]);
  });

  test("is due after 2,500 fills, or five seconds", async () => {
    const { store, job, session } = await opened();
    session.file({ fills: [fillOn(1)], covers: null });
    await job.clock.sleep(4999);
    session.file({ fills: [fillOn(2)], covers: null });
    await job.clock.sleep(1);
    expect((await readArchive(store, "main")).ref).toBeNull();
    session.file({ fills: [fillOn(3)], covers: null });
    await job.clock.sleep(1);
    expect((await contentsOf(store)).manifest.fills).toBe(3);
    const many = Array.from({ length: 2500 }, (_, place) => makeFill({ matchId: `n-${place}`, txCreated: MARCH.from }));
    session.file({ fills: many, covers: null });
    await job.clock.sleep(1);
    expect((await contentsOf(store)).manifest.fills).toBe(2503);
  });

  test("leaves evidence: each reading's window, time, requests, rows and digest", async () => {
    const store = memoryStore();
    await fileOnce(store, [fillOn(1), fillOn(2)]);
    const keys = (await Array.fromAsync(store.list("main/readings/"))).map(({ key }) => key);
    const lines = keys.flatMap((key) =>
      zstdDecompressSync(store.snapshot().get(key) ?? "")
        .toString()
        .trim()
        .split("\n"),
    );
    const window = { from: "2025-03-01T00:00:00.000Z", to: "2025-04-01T00:00:00.000Z" };
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        ...window,
        readings: 1,
        at: "2026-02-01T00:00:00.000Z",
        requests: 1,
        rows: 2,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      { ...window, readings: 2, at: "2026-02-01T00:00:00.000Z", requests: 1, rows: 0, digest: expect.any(String) },
    ]);
  });
});

describe("a fill that comes after its time was read twice", () => {
  test("is late, or changes one: both versions are kept, the newer is current, and they are counted over all runs", async () => {
    const store = memoryStore();
    await fileOnce(store, [fillOn(1), fillOn(4)]);
    const [changed, late] = [fillOn(1, { fee: "9" }), [fillOn(2), fillOn(3)]];
    const { session } = await opened(store);
    session.file({ fills: [changed, ...late, fillOn(4)], covers: null });
    await session.end(DONE);
    const lates = late.map((after) => ({ kind: "late", before: null, after }));
    expect(await contentsOf(store)).toMatchObject({
      held: [changed, ...late, fillOn(4)],
      restated: [{ kind: "changed", before: fillOn(1), after: changed, seenAt: NOW }, ...lates],
      findings: [],
    });
    expect(session.counts).toEqual({ added: 2, restated: 3 });
  });

  test("is no news where it was read once", async () => {
    const store = memoryStore();
    await fileOnce(store, [fillOn(1)], MARCH, 1);
    await fileOnce(store, [fillOn(2)], MARCH, 1);
    expect((await contentsOf(store)).manifest).toMatchObject({ restatements: [], fills: 2 });
  });
});

test("a run writes nothing before its first commit, and the head with it", async () => {
  const store = faultyStore(memoryStore(), () => "ok");
  const { session } = await opened(store);
  await session.end(DONE);
  expect(writes(store)).toEqual([]);
  session.file({ fills: [], covers: read(MARCH) });
  await session.end(DONE);
  expect(writes(store)).toEqual(["readings", "manifests", "head.json", "head.json"]);
});

async function wide(): Promise<{ session: ArchiveSession; store: MemoryStore }> {
  const store = memoryStore();
  await fileOnce(store, [fillOn(2), fillOn(10), fillOn(40), fillOn(70)], {
    from: MARCH.from,
    to: Date.UTC(2025, 6, 1),
  });
  return { store, session: (await opened(store)).session };
}

test("what a run reads of the archive: the fills of a range, both ends included, with those that wait", async () => {
  const { session } = await wide();
  session.file({ fills: [fillOn(50)], covers: null });
  const [from, to] = [fillOn(10).txCreated, fillOn(50).txCreated];
  expect((await session.fillsIn({ from, to })).map(({ matchId }) => matchId)).toEqual(["m-10", "m-40", "m-50"]);
});

test("what is learned of the service's rate stands in the head alone, and is where the next run begins", async () => {
  const store = memoryStore();
  const begun: (Learned | null)[] = [];
  const opening = async (ratePerSecond: number) => {
    const job = jobOf(store);
    const learned = { ratePerSecond, pausedUntil: 9, notedAt: 7 };
    const begin = (known: Learned | null) => void begun.push(known);
    return await ArchiveSession.open({ ...job, reader: { ...job.reader, begin, learned: () => learned } });
  };
  const first = await opening(1);
  first.file({ fills: [], covers: read(MARCH) });
  await first.end(DONE);
  await opening(2);
  expect(begun).toEqual([null, { ratePerSecond: 1, pausedUntil: 9, notedAt: 7 }]);
  const { manifest } = await contentsOf(store);
  expect(JSON.stringify(manifest)).not.toContain("ratePerSecond");
});
