import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Change } from "../../lambda/archive/commit-builder.ts";
import { readDataFile } from "../../lambda/archive/data-files.ts";
import { emptyManifest, type Manifest, type RangeDigest } from "../../lambda/archive/manifest.ts";
import { ArchiveSession } from "../../lambda/archive/session.ts";
import { formatSetHash, setHashOf } from "../../lambda/archive/set-hash.ts";
import type { PlainFill } from "../../lambda/core/plain-fill.ts";
import { ALL_TIME, covers } from "../../lambda/core/ranges.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type TimeRange } from "../../lambda/core/time.ts";
import { faultyStore } from "../support/faulty-store.ts";
import { makeBench, NOW } from "../support/job.ts";
import { makeFill } from "../support/make-fill.ts";
import { memoryStore } from "../support/memory-store.ts";

const LOOK_BACK_MS = 3 * DAY_MS;
const DAYS = 8;
const FILLS = 40;
const { checkpoint: CHECKPOINT } = emptyManifest("main");
const DONE = { endedAt: NOW, complete: true, problem: null };

/** Fills of the last eight days, some in the same millisecond; equal arguments give equal fills. */
function fillNo(index: number, fee: string): PlainFill {
  const txCreated = NOW - DAYS * DAY_MS + Math.floor(index / 3) * 13 * HOUR_MS + (index % 3 === 0 ? 0 : MINUTE_MS);
  return makeFill({ matchId: `m-${index}`, txCreated, filledAt: null, fee });
}

function hours(from: number, width: number): TimeRange {
  return { from: NOW - from * HOUR_MS, to: NOW - (from - width) * HOUR_MS };
}

function changeOf(incomingFills: readonly PlainFill[], windows: readonly TimeRange[], pagesHash: string): Change {
  const finished = windows.map((one) => ({
    ...one,
    ...{ pages: 1, duplicates: 0, ended: "no-last" as const, pagesHash, evidence: [] },
  }));
  return { incomingFills, evidence: [], finished, checkpoint: CHECKPOINT };
}

/** A run, or the next commit of the one before. */
const step = fc.record({
  /** Fills that the service shows from now on, or shows otherwise. */
  shown: fc.array(fc.tuple(fc.nat({ max: FILLS - 1 }), fc.constantFrom("1", "2", "3")), { maxLength: 4 }),
  windows: fc.array(
    fc
      .tuple(fc.integer({ min: 1, max: DAYS * 24 }), fc.integer({ min: 1, max: 72 }))
      .map(([from, width]) => hours(from, Math.min(from, width))),
    { maxLength: 3 },
  ),
  /** Shown beside what is in the windows: another version, or again. */
  strays: fc.array(fc.tuple(fc.nat({ max: FILLS - 1 }), fc.constantFrom("1", "2", "3")), { maxLength: 2 }),
  strayFirst: fc.boolean(),
  /** Which coverage is given up: all of it, or what ended by the order of rows. */
  distrust: fc.option(fc.constantFrom("all" as const, "order" as const), { freq: 8, nil: undefined }),
  when: fc.constantFrom("now" as const, "soon" as const),
  reopens: fc.boolean(),
});

/** The same commits by an archive of its own. */
class Run {
  readonly store = memoryStore();
  readonly job;
  session: ArchiveSession | null = null;

  constructor(lookBackMs: number) {
    this.job = makeBench({ history: [], job: { store: this.store, lookBackMs } }).job;
  }

  async commit(change: Change, { when, reopens }: { when: "now" | "soon"; reopens: boolean }): Promise<ArchiveSession> {
    if (reopens) {
      await this.session?.release(DONE);
      this.session = null;
    }
    this.session ??= await ArchiveSession.open(this.job, () => undefined);
    await this.session.commit(change, when);
    return this.session;
  }

  /** What the run has committed. */
  async end(): Promise<object> {
    await this.session?.release(DONE);
    const { manifest, manifestIndex, counts } = this.session?.committed ?? {};
    return { ...(manifest === undefined ? {} : contentOf(manifest)), calendar: manifestIndex?.root, counts };
  }
}

/** All but what sums up, and what counts the writes: a run that knows the fills need not take the archive for them. */
function contentOf({ recent: _, seq: __, epoch: ___, calendar: ____, ...content }: Manifest): object {
  return content;
}

async function fillsOf({ store }: Run, { manifestIndex }: ArchiveSession): Promise<readonly PlainFill[]> {
  const dataFiles = await manifestIndex.parts(ALL_TIME);
  return (await Promise.all(dataFiles.map((dataFile) => readDataFile(store, dataFile)))).flat();
}

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const DISTRUSTED: Readonly<Record<"all" | "order", NonNullable<Change["distrusts"]>>> = {
  all: () => true,
  order: ({ ended }) => ended === "order",
};

/** What a commit of this step is about; the service shows from now on what the step says. */
function shownBy(service: Map<number, PlainFill>, one: Step, name: string): Change {
  const { shown, windows, strays, strayFirst, distrust } = one;
  for (const [index, fee] of shown) {
    service.set(index, fillNo(index, fee));
  }
  const asked = [...service.values()].filter(({ txCreated }) => isIn(windows, txCreated));
  const others = strays.map(([index, fee]) => fillNo(index, fee));
  const incomingFills = strayFirst ? [...others, ...asked] : [...asked, ...others];
  return {
    ...changeOf(incomingFills, windows, name),
    ...(distrust === undefined ? {} : { distrusts: DISTRUSTED[distrust] }),
  };
}

function isIn(ranges: readonly TimeRange[], time: number): boolean {
  return ranges.some(({ from, to }) => from <= time && time < to);
}

/** How many stretches with fills a commit of these windows shows again. */
function knownIn(recent: readonly RangeDigest[], windows: readonly TimeRange[]): number {
  return recent.filter((one) => one.rows > 0 && windows.some((window) => covers([window], one))).length;
}

/** Every stretch is covered, in the order of time, and says what a plain count says. */
function expectTrue({ recent, coverage }: Manifest, fills: readonly PlainFill[]): void {
  for (const [index, stretch] of recent.entries()) {
    const { from, to, ...sums } = stretch;
    const inside = fills.filter(({ txCreated }) => isIn([stretch], txCreated));
    expect(sums).toEqual({ rows: inside.length, setHash: formatSetHash(setHashOf(inside)) });
    expect(covers(coverage, stretch)).toBe(true);
    expect(from).toBeGreaterThanOrEqual(recent[index - 1]?.to ?? Number.NEGATIVE_INFINITY);
    expect(to).toBeGreaterThan(from);
  }
}

describe("what the manifest sums up of the newest times", () => {
  test("is what the archive holds there, and spares reading: nothing else is other than without it", async () => {
    let stretches = 0;
    let known = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const service = new Map<number, PlainFill>();
        for (let index = 0; index < FILLS; index += 2) {
          service.set(index, fillNo(index, "1"));
        }
        const [summing, plain] = [new Run(LOOK_BACK_MS), new Run(0)];
        for (const [at, one] of steps.entries()) {
          const change = shownBy(service, one, `${at}`);
          known += knownIn(summing.session?.manifest.recent ?? [], one.windows);
          const [ours, theirs] = [await summing.commit(change, one), await plain.commit(change, one)];
          expect(ours.manifestIndex.root).toEqual(theirs.manifestIndex.root);
          expect(contentOf(ours.manifest)).toEqual(contentOf(theirs.manifest));
          expect(theirs.manifest.recent).toEqual([]);
          expectTrue(ours.manifest, await fillsOf(summing, ours));
          stretches += ours.manifest.recent.length;
        }
        expect(await summing.end()).toEqual(await plain.end());
      }),
      { numRuns: 150 },
    );
    expect(stretches).toBeGreaterThan(150);
    expect(known).toBeGreaterThan(25);
  });

  test("the same fills again: no part is read, and nothing is written but the head", async () => {
    const run = new Run(LOOK_BACK_MS);
    const window = hours(96, 96);
    const fills = Array.from({ length: FILLS }, (_, index) => fillNo(index, "1")).filter(
      ({ txCreated }) => txCreated >= window.from && txCreated < window.to,
    );
    expect(fills.length).toBeGreaterThan(5);
    await run.commit(changeOf(fills, [window], "a"), { when: "now", reopens: false });
    await run.session?.release(DONE);
    const watched = faultyStore(run.store, () => "ok");
    const again = await ArchiveSession.open({ ...run.job, store: watched }, () => undefined);
    const before = await again.manifestIndex.windows(ALL_TIME);
    // In another order, and one of them twice: as walks do.
    await again.commit(changeOf([...fills.toReversed(), ...fills.slice(0, 1)], [window], "b"));
    expect(watched.operations.map(({ method, key }) => `${method} ${key}`)).toEqual([
      "get main/head.json",
      "list main/manifests/",
      "replaceIf main/head.json",
    ]);
    expect(await again.manifestIndex.windows(ALL_TIME)).toEqual(before);
    await again.release(DONE);
    expect(again.committed.counts).toEqual({ added: 0, restated: 0 });
  });

  test("stays short, be it by nights or by quarters of an hour", async () => {
    for (const [every, most] of [
      // Two a day, of a look-back of two and the margin of two.
      [DAY_MS, 10],
      [15 * MINUTE_MS, 2 * 2 * 6],
    ] as const) {
      const run = new Run(LOOK_BACK_MS);
      for (let to = NOW; to < NOW + 8 * DAY_MS; to += every) {
        const change = changeOf([], [{ from: to - every, to }], `${to}`);
        const { manifest } = await run.commit(change, { when: "soon", reopens: false });
        expect(manifest.recent.length).toBeLessThanOrEqual(most);
      }
    }
  });
});
