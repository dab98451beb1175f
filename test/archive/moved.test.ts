import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Change } from "../../lambda/archive/commit-builder.ts";
import { readDataFile } from "../../lambda/archive/data-files.ts";
import { emptyManifest } from "../../lambda/archive/manifest.ts";
import { MAX_DATA_FILE_ROWS } from "../../lambda/archive/partitioning.ts";
import { readArchive } from "../../lambda/archive/read.ts";
import { readRestatements, type SeenRestatement } from "../../lambda/archive/restatements.ts";
import { ArchiveSession } from "../../lambda/archive/session.ts";
import { verifyArchiveObjects } from "../../lambda/archive/verify.ts";
import { byTxCreated, contentOf, type Fill, identityOf } from "../../lambda/core/fill.ts";
import type { FillFields, PlainFill } from "../../lambda/core/plain-fill.ts";
import { ALL_TIME, isWithin } from "../../lambda/core/ranges.ts";
import { DAY_MS, type TimeRange } from "../../lambda/core/time.ts";
import { withNote } from "../../lambda/core/versions.ts";
import { faultyStore } from "../support/faulty-store.ts";
import { makeBench, NOW } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";
import { memoryStore } from "../support/memory-store.ts";

const { checkpoint: CHECKPOINT } = emptyManifest("main");
const DONE = { endedAt: NOW, complete: true, problem: null };
const BEGINNING = NOW - 120 * DAY_MS;
const ALL: TimeRange = { from: BEGINNING, to: NOW };
/** Each lies in a month of its own. */
const [MAY, JUNE, JULY] = [110, 70, 30].map((days) => NOW - days * DAY_MS) as [number, number, number];

function fillAt(txCreated: number, fields: Partial<FillFields> = {}): PlainFill {
  return makeFill({ matchId: "moved", txCreated, filledAt: null, ...fields });
}

const others = [MAY, JUNE, JULY].map((time) =>
  makeFill({ matchId: `other-${time}`, txCreated: time + 1, filledAt: null }),
);

let pages = 0;

/** The commit of a walk of these windows that brings these fills. */
function shown(fills: readonly Fill[], windows: readonly TimeRange[]): Change {
  pages += 1;
  const rawResponses = [{ key: `main/pages/${pages}-1-${"0".repeat(64)}.jsonl.zst`, body: new Uint8Array([pages]) }];
  const finished = windows.map((one) => ({
    ...{ ...one, pages: 1, duplicates: 0, ended: "no-last" as const, pagesHash: `${pages}` },
    rawResponses: rawResponses.map(({ key }) => key),
  }));
  return { incomingFills: fills, rawResponses, finished, checkpoint: CHECKPOINT };
}

class Archive {
  readonly store = memoryStore();
  readonly job;

  constructor(lookBackMs = 40 * DAY_MS) {
    this.job = makeBench({ history: [], job: { store: this.store, lookBackMs } }).job;
  }

  /** One run that makes these commits. */
  async run(...changes: readonly Change[]) {
    // All of its fills count as news here. What a look-back must not bring: test/job/owner.system.test.ts.
    const session = await ArchiveSession.open(this.job, () => undefined, { owner: null, isRebound: true });
    for (const change of changes) {
      await session.commit(change);
    }
    await session.release(DONE);
    return session.committed.counts;
  }

  async fills(): Promise<readonly Fill[]> {
    const { manifestIndex } = await readArchive(this.store, "main");
    const dataFiles = await manifestIndex.dataFiles(ALL_TIME);
    return (await Promise.all(dataFiles.map((dataFile) => readDataFile(this.store, dataFile)))).flat();
  }

  async restatements(): Promise<readonly SeenRestatement[]> {
    const { manifestIndex } = await readArchive(this.store, "main");
    const files = (await manifestIndex.restatements(ALL_TIME)).toSorted((a, b) => a.seq - b.seq);
    return (await Promise.all(files.map((file) => readRestatements(this.store, file)))).flat();
  }

  /** The rules that hold for any archive, except for the raw responses, which these tests do not write. */
  async expectSound(): Promise<void> {
    const archive = await readArchive(this.store, "main");
    const { findings } = await verifyArchiveObjects(this.store, archive, null);
    expect(findings.filter((one) => !one.includes("/pages/"))).toEqual([]);
    const fills = await this.fills();
    expect(archive.manifest.fills).toBe(fills.length);
    expect(new Set(fills.map(identityOf)).size).toBe(fills.length);
    for (const window of await archive.manifestIndex.windows(ALL_TIME)) {
      const inside = fills.filter(({ txCreated }) => isWithin(window, txCreated));
      expect(inside.length).toBeGreaterThanOrEqual(window.rows);
    }
  }

  async expectHeld(fills: readonly Fill[]): Promise<void> {
    await this.expectSound();
    const held = (await this.fills()).map(contentOf);
    expect(held).toEqual([...others, ...fills].toSorted(byTxCreated).map(contentOf));
  }
}

describe("a fill whose txCreated is corrected into another data file", () => {
  const [old, corrected] = [fillAt(MAY), fillAt(JULY)];

  test("late, in covered times: the new version is current, the old one is removed, with one restatement", async () => {
    const archive = new Archive();
    await archive.run(shown([...others, old], [ALL]));
    const counts = await archive.run(shown([others[2] as Fill, corrected], [{ from: JULY, to: JULY + DAY_MS }]));
    expect(counts).toEqual({ added: 0, restated: 1 });
    await archive.expectHeld([corrected]);
    expect(await archive.restatements()).toMatchObject([{ kind: "changed", before: old, after: corrected }]);
  });

  test("and corrected back; fields that only the older version had are kept", async () => {
    const archive = new Archive();
    await archive.run(shown([...others, { ...old, filledAt: MAY - 5 }], [ALL]));
    await archive.run(shown([corrected, ...others], [ALL]));
    await archive.expectHeld([{ ...corrected, filledAt: MAY - 5 }]);
    await archive.run(shown([old, ...others], [ALL]));
    await archive.expectHeld([{ ...old, filledAt: MAY - 5 }]);
    expect(await archive.restatements()).toHaveLength(2);
  });

  test.each([
    ["the later", [old, corrected], corrected],
    ["even if its time is earlier, the later", [corrected, old], old],
  ])("both in one commit: %s version wins, with one restatement", async (_, incomingFills, current) => {
    const archive = new Archive();
    expect(await archive.run(shown([...others, ...incomingFills], [ALL]))).toEqual({ added: 4, restated: 1 });
    await archive.expectHeld([current]);
    expect(await archive.restatements()).toMatchObject([{ kind: "changed", before: incomingFills[0], after: current }]);
  });

  test("both on one page: the held version stays, in any order", async () => {
    const archive = new Archive();
    const both = [withNote(old, [corrected]), withNote(corrected, [old])] as const;
    await archive.run(shown([...others, old], [ALL]));
    expect(await archive.run(shown([...others, ...both], [ALL]))).toEqual({ added: 0, restated: 1 });
    for (const order of [both, both.toReversed(), both]) {
      expect(await archive.run(shown([...others, ...order], [ALL]))).toEqual({ added: 0, restated: 0 });
    }
    await archive.expectHeld([both[0]]);
  });

  test("a fill that the service no longer shows, and that is held only once, stays", async () => {
    const archive = new Archive();
    await archive.run(shown([old, ...others], [ALL]));
    expect(await archive.run(shown(others, [ALL]))).toEqual({ added: 0, restated: 0 });
    await archive.expectHeld([old]);
  });

  test("a window whose pages are not all in the commit proves nothing about missing fills", async () => {
    const archive = new Archive();
    await archive.run(
      shown([...others.slice(0, 1), old], [{ ...ALL, to: JUNE }]),
      shown([corrected], [{ from: JUNE, to: NOW }]),
    );
    const change = shown([], [{ from: MAY, to: MAY + DAY_MS }]);
    await archive.run({ ...change, rawResponses: [] });
    expect(await archive.fills()).toHaveLength(3);
  });

  test("removing a fill from a full partition gives the data files as without that fill", async () => {
    const archive = new Archive();
    const full = Array.from({ length: MAX_DATA_FILE_ROWS }, (_, at) => fillAt(JUNE + at, { matchId: `m-${at}` }));
    const late = fillAt(JUNE + 20 * DAY_MS);
    const range = { from: JUNE - DAY_MS, to: NOW };
    await archive.run(shown([...full, late], [range]));
    await archive.run(shown([corrected], [{ from: JULY, to: NOW }]));
    const plain = new Archive();
    await plain.run(shown([...full, corrected], [range]));
    const [ours, theirs] = [await readArchive(archive.store, "main"), await readArchive(plain.store, "main")];
    expect(await ours.manifestIndex.dataFiles(ALL_TIME)).toEqual(await theirs.manifestIndex.dataFiles(ALL_TIME));
    await archive.expectSound();
  });
});

test("nothing more is read if no fill came late and all were shown", async () => {
  const archive = new Archive(0);
  const own = others.slice(2);
  await archive.run(shown(others, [{ ...ALL, to: NOW - DAY_MS }]));
  const watched = faultyStore(archive.store, () => "ok");
  const session = await ArchiveSession.open({ ...archive.job, store: watched }, () => undefined);
  await session.commit(shown([...own, fillAt(NOW - 1)], [{ from: JULY, to: NOW }]));
  await session.release(DONE);
  const read = watched.operations.filter(({ method, key }) => method === "get" && key.includes("/fills/"));
  expect(read).toHaveLength(1);
});

/** A service with few identities. They change and move from time to time, and are walked in windows. */
const TIMES = [MAY, MAY + 1, MAY + DAY_MS, JUNE, JULY, JULY + 1, JULY + DAY_MS];
const drawnVersion = fc.record({ txCreated: fc.constantFrom(...TIMES), fee: fc.constantFrom("1", "2") });
const drawnStep = fc.record({
  changes: fc.array(fc.tuple(fc.nat(4), drawnVersion), { maxLength: 3 }),
  /** Windows from one of these borders to a later one. None means everything. */
  windows: fc.array(fc.tuple(fc.nat(5), fc.nat(5)), { maxLength: 3 }),
  together: fc.boolean(),
});
const BORDERS = [BEGINNING, MAY + 1, MAY + 10 * DAY_MS, JUNE + 1, JULY + 1, NOW];

test("after any answers and a walk of everything: identities are unique, and every fill is as the service last showed it", async () => {
  let restated = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(drawnStep, { minLength: 1, maxLength: 6 }), async (steps) => {
      const archive = new Archive();
      const service = new Map<number, Fill>();
      for (const { changes, windows, together } of steps) {
        for (const [id, version] of changes) {
          service.set(id, fillAt(version.txCreated, { matchId: `m${id}`, fee: version.fee }));
        }
        const ranges = windows
          .map(([a, b]) => ({ from: BORDERS[Math.min(a, b)] ?? 0, to: BORDERS[Math.max(a, b)] ?? 0 }))
          .filter(({ from, to }) => from < to);
        const walked = ranges.map((range) => {
          const fills = [...service.values()].filter(({ txCreated }) => isWithin(range, txCreated));
          return [fills, range] as const;
        });
        const single = [
          shown(
            walked.flatMap(([fills]) => fills),
            ranges,
          ),
        ];
        await archive.run(...(together ? single : walked.map(([fills, range]) => shown(fills, [range]))));
      }
      await archive.run(shown([...service.values()], [ALL]));
      await archive.expectSound();
      const held = await archive.fills();
      expect(held.map(contentOf)).toEqual([...service.values()].toSorted(byTxCreated).map(contentOf));
      restated += (await archive.restatements()).length;
      expect(await archive.run(shown([...service.values()].toReversed(), [ALL]))).toEqual({ added: 0, restated: 0 });
    }),
    { numRuns: 25 }, // fewer restate too little
  );
  expect(restated).toBeGreaterThan(20);
});
