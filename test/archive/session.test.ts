import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Change } from "../../lambda/archive/commit-builder.ts";
import { nextHead, readHead, swapHead } from "../../lambda/archive/head.ts";
import { emptyManifest } from "../../lambda/archive/manifest.ts";
import { readArchive } from "../../lambda/archive/read.ts";
import { readRestatements, storeRestatements } from "../../lambda/archive/restatements.ts";
import { ArchiveSession } from "../../lambda/archive/session.ts";
import { formatSetHash, setHashOf } from "../../lambda/archive/set-hash.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import type { FillFields, PlainFill } from "../../lambda/core/plain-fill.ts";
import { DAY_MS } from "../../lambda/core/time.ts";
import type { Learned } from "../../lambda/service/service.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { arbitraryFill } from "../support/arbitrary-fill.ts";
import { makeBench, NOW } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";
import { memoryStore } from "../support/memory-store.ts";
import { readCurrent } from "../support/published.ts";

const FROM = Date.UTC(2025, 2, 1);
const WINDOW = { from: FROM, to: FROM + 10 * DAY_MS };
const NONE = () => undefined;

function fillAt(day: number, fields: Partial<FillFields> = {}): PlainFill {
  const txCreated = FROM + day * DAY_MS;
  return makeFill({ matchId: `m-${day}`, txCreated, filledAt: txCreated + 5, ...fields });
}

function changeOf(fills: readonly Fill[], finished: readonly { from: number; to: number }[] = []): Change {
  return {
    incomingFills: fills,
    rawResponses: [],
    finished: finished.map((one) => ({
      ...one,
      pages: 2,
      duplicates: 1,
      ended: "no-last",
      pagesHash: "ab",
      rawResponses: ["main/pages/0"],
    })),
    checkpoint: { ...emptyManifest("main").checkpoint, datesProven: true },
  };
}

async function opened(store = memoryStore()) {
  const { job } = makeBench({ history: [], job: { store } });
  return { store, job, session: await ArchiveSession.open(job, NONE) };
}

describe("a commit", () => {
  test("brings rows, coverage and checkpoint together, and records what the archive holds in each window", async () => {
    const { store, session } = await opened();
    const inside = [fillAt(1), fillAt(3)];
    await session.commit(changeOf([...inside, fillAt(20)], [WINDOW]));
    const { manifest, ref } = await readArchive(store, "main");
    expect(ref).toEqual(session.manifestRef);
    expect(manifest).toMatchObject({
      seq: 1,
      fills: 3,
      coverage: [WINDOW],
      maxSkewMs: 5,
      checkpoint: { datesProven: true },
    });
    expect((await readCurrent(store, "main")).windows).toEqual([
      expect.objectContaining({
        ...WINDOW,
        rows: 2,
        first: FROM + DAY_MS,
        last: FROM + 3 * DAY_MS,
        setHash: formatSetHash(setHashOf(inside)),
      }),
    ]);
    expect(session.committed.counts).toEqual({ added: 3, restated: 0 });
  });

  test("of an empty window covers it, with the hash of an empty set", async () => {
    const { store, session } = await opened();
    await session.commit(changeOf([], [WINDOW]));
    await session.heartbeat();
    expect(await readCurrent(store, "main")).toMatchObject({
      fills: 0,
      dataFiles: [],
      coverage: [WINDOW],
      windows: [{ rows: 0, first: null, last: null, setHash: "0".repeat(64) }],
    });
  });

  test("keeps both versions, whatever they contain", async () => {
    const arbitrary = fc.tuple(arbitraryFill, arbitraryFill);
    await fc.assert(
      fc.asyncProperty(arbitrary, async ([before, after]) => {
        const { job } = makeBench({ history: [] });
        const filed = { seq: 1, seenAt: 7 };
        const file = await storeRestatements({ ...job, epoch: 1 }, [{ kind: "changed", before, after }], filed);
        expect(await readRestatements(job.store, file)).toEqual([{ kind: "changed", before, after, seenAt: 7 }]);
      }),
      { numRuns: 50 },
    );
  });

  test("measures how late fills come, over all runs, only for fills that covered times lacked", async () => {
    const { job, session } = await opened();
    await session.commit(changeOf([fillAt(1)], [WINDOW]));
    expect(session.manifest.lateness).toBeNull();
    await session.commit(changeOf([fillAt(2), fillAt(3), fillAt(10), fillAt(1, { fee: "9" })]));
    expect(session.manifest.lateness).toEqual({ maxMs: NOW - FROM - 2 * DAY_MS, count: 2, lastSeenAt: NOW });
    await session.release({ endedAt: 7, complete: true, problem: null });
    await job.clock.sleep(DAY_MS);
    const next = await ArchiveSession.open(job, NONE);
    await next.commit(changeOf([fillAt(9)]));
    expect(next.manifest.lateness).toEqual({ maxMs: NOW - FROM - 2 * DAY_MS, count: 3, lastSeenAt: NOW + DAY_MS });
  });

  test("that gives up the coverage keeps the rows", async () => {
    const { store, session } = await opened();
    await session.commit(changeOf([fillAt(1)], [WINDOW]));
    await session.commit({ ...changeOf([fillAt(2)]), distrusts: () => true });
    const published = await readCurrent(store, "main");
    expect(published).toMatchObject({ fills: 2, coverage: [], windows: [] });
    // The service was misread. It did not answer late.
    expect(published).toMatchObject({ restatements: [], lateness: null });
  });

  test("and heartbeats at the same time do not fence each other; each raises the head's number", async () => {
    const { store, session } = await opened();
    await Promise.all([
      session.commit(changeOf([fillAt(1)])),
      session.heartbeat(),
      session.commit(changeOf([fillAt(2)])),
      session.heartbeat(),
    ]);
    expect((await readHead(store, "main"))?.head).toMatchObject({ seq: 5, epoch: 1, manifest: { seq: 2 } });
    expect(session.manifest.fills).toBe(2);
  });
});

describe("the learned rate of the service", () => {
  const learned = (ratePerSecond: number) => ({ ratePerSecond, pausedUntil: null, notedAt: 7 });

  /** A run whose client has learned `rates`; each reading takes the next one. */
  async function opening(store = memoryStore(), rates: readonly number[] = []) {
    const begun: (Learned | null)[] = [];
    const left = rates.slice();
    const { job } = makeBench({ history: [], job: { store } });
    const reader = {
      ...job.reader,
      begin: (known: Learned | null) => void begun.push(known),
      learned: () => learned(left.shift() ?? 0),
    };
    return { store, begun, session: await ArchiveSession.open({ ...job, reader }, NONE) };
  }
  const kept = async (store: Store) => (await readHead(store, "main"))?.head.learned;

  test("is written with every write of the head, survives a killed run, and is where the next run begins", async () => {
    const { store, begun, session } = await opening(memoryStore(), [1, 2]);
    expect(begun).toEqual([null]);
    await session.commit(changeOf([fillAt(1)]));
    expect(await kept(store)).toEqual(learned(1));
    await session.heartbeat();
    expect(await kept(store)).toEqual(learned(2));
    const next = await opening(store);
    expect(next.begun).toEqual([learned(2)]);
    expect(await kept(store)).toEqual(learned(2));
    await next.session.release({ endedAt: 1, complete: true, problem: null });
    expect(await kept(store)).toEqual(learned(0));
  });

  test("is not in the manifest: the same fills give the same manifest", async () => {
    const [slow, fast] = [await opening(memoryStore(), [1, 1]), await opening(memoryStore(), [2, 2])];
    await slow.session.commit(changeOf([fillAt(1)]));
    await fast.session.commit(changeOf([fillAt(1)]));
    expect(await kept(slow.store)).not.toEqual(await kept(fast.store));
    expect(slow.session.manifestRef).toEqual(fast.session.manifestRef);
  });
});

describe("opening and releasing", () => {
  test("an archive that cannot be used is not taken: the next run need not wait", async () => {
    const store = memoryStore();
    const random = { next: () => 0.5, id: () => "id" };
    const { job } = makeBench({ history: [], job: { store } });
    const head = nextHead(null, { manifest: { seq: 3, sha256: "0".repeat(64) } }, random);
    await swapHead(job, "main", head, null);
    await expect(ArchiveSession.open(job, NONE)).rejects.toMatchObject({ kind: "untrusted" });
    expect((await readHead(store, "main"))?.head).toEqual(head);
  });

  test("idle time counts from the last write of the head, by the run's own clock", async () => {
    const { job, session } = await opened();
    await job.clock.sleep(1234);
    expect(session.idleMs).toBe(1234);
    await session.heartbeat();
    expect(session.idleMs).toBe(0);
  });
});
