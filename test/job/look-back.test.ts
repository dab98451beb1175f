import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import { archiveStatus } from "../../lambda/job/inspect.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { type History, historyOf, makeHistory } from "../emulator/history.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { audit, SOUND } from "../support/auditor.ts";
import { type Bench, KNOWN_TRADER, makeBench, NOW } from "../support/job.ts";

const LOOK_BACK_MS = 7 * DAY_MS;
const FROM = NOW - 60 * DAY_MS;
const JOB = { lookBackMs: LOOK_BACK_MS };

/** 50 fills a day, which continue through the nights of the test. */
const HISTORY = makeHistory({ seed: 41, fills: 5000, from: FROM, to: NOW + 40 * DAY_MS, ties: 20 });

/** The same account twice: with all fills, and (`early`) without the fills for which `isHeld` is true. */
function holdingBack(isHeld: (item: CompletedOrder) => boolean): { history: History; early: History } {
  const items = Array.from({ length: HISTORY.count }, (_, index) => HISTORY.item(index));
  return { history: historyOf(items), early: historyOf(items.filter((item) => !isHeld(item))) };
}

async function expectTruth({ job, emulator, clock }: Bench): Promise<void> {
  expect(await audit(job.store, "main", emulator.truth(clock.now()))).toMatchObject(SOUND);
}

/** An archive, and the same account a moment later, when more fills of the last week are visible. */
async function lateAfterTheFirst(range: { from: number; to?: number } = { from: FROM }) {
  const isHeld = ({ txCreated }: CompletedOrder) => txCreated > NOW - 6 * DAY_MS && txCreated < NOW - 5 * DAY_MS;
  const { history, early } = holdingBack(isHeld);
  const first = makeBench({ history: early, job: JOB });
  await syncArchive(first.job, range);
  const bench = makeBench({ history, job: { ...JOB, store: first.job.store } });
  return { first, bench };
}

describe("a run shortly after another", () => {
  test("does not look back again within 12 hours, and says since when, unless it is told to", async () => {
    const { first, bench } = await lateAfterTheFirst();
    await first.clock.sleep(HOUR_MS);
    await syncArchive(first.job, { from: FROM });
    await bench.clock.sleep(2 * HOUR_MS);
    expect(await syncArchive(bench.job, { from: FROM })).toMatchObject({
      restated: 0,
      leftAloneSince: NOW + HOUR_MS,
    });
    const told = await syncArchive({ ...bench.job, alwaysLooksBack: true }, { from: FROM });
    expect(told.restated).toBeGreaterThan(20);
    expect(told.leftAloneSince).toBeUndefined();
    await expectTruth(bench);
  });
});

describe("a run of one range", () => {
  const RANGE = { from: FROM, to: NOW - DAY_MS };

  test("walks its part of the look-back once in 12 hours, or when it is told to", async () => {
    const { bench } = await lateAfterTheFirst(RANGE);
    await bench.clock.sleep(HOUR_MS);
    expect((await syncArchive(bench.job, RANGE)).restated).toBeGreaterThan(20);
    const { requests } = bench.job.reader.counts;
    await bench.clock.sleep(HOUR_MS);
    const soon = await syncArchive(bench.job, RANGE);
    expect(bench.job.reader.counts.requests).toBe(requests);
    expect(soon).toMatchObject({ complete: true, leftAloneSince: NOW + HOUR_MS });
    await syncArchive({ ...bench.job, alwaysLooksBack: true }, RANGE);
    expect(bench.job.reader.counts.requests).toBeGreaterThan(requests);
    await expectTruth(bench);
  });

  test("long afterwards, walks the fills that were recent at the last request once more, then never again", async () => {
    const { bench } = await lateAfterTheFirst(RANGE);
    await bench.clock.sleep(30 * DAY_MS);
    expect((await syncArchive(bench.job, RANGE)).restated).toBeGreaterThan(20);
    const { requests } = bench.job.reader.counts;
    await bench.clock.sleep(30 * DAY_MS);
    const settled = await syncArchive(bench.job, RANGE);
    expect(settled.complete).toBe(true);
    expect(settled.leftAloneSince).toBeUndefined();
    expect(bench.job.reader.counts.requests).toBe(requests);
    await expectTruth(bench);
  });
});

test("status says when the service was last asked for the newest and for older days", async () => {
  const { first, bench } = await lateAfterTheFirst();
  expect((await archiveStatus(first.job)).lastAsked).toEqual({ newest: NOW, older: null });
  await bench.clock.sleep(HOUR_MS);
  await syncArchive(bench.job, { from: FROM });
  expect((await archiveStatus(first.job)).lastAsked).toEqual({ newest: NOW + HOUR_MS, older: NOW + HOUR_MS });
});

describe("the requests of a night with nothing new", () => {
  /**
   * The most requests of a night after the first run: of the nights with a piece of the rotation, and of the
   * others.
   */
  async function costs(fills: number): Promise<{ rotating: number; other: number }> {
    const history = makeHistory({ seed: 3, fills, from: NOW - 300 * DAY_MS, to: NOW - 8 * DAY_MS });
    const bench = makeBench({ history, job: { ...JOB, owner: KNOWN_TRADER } });
    await syncArchive(bench.job, { from: NOW - 310 * DAY_MS });
    const nights: number[] = [];
    for (let count = 0; count < 9; count += 1) {
      await bench.clock.sleep(DAY_MS);
      const before = bench.job.reader.counts.requests;
      expect(await syncArchive(bench.job, { from: NOW - 310 * DAY_MS })).toMatchObject({
        complete: true,
        added: 0,
        restated: 0,
      });
      nights.push(bench.job.reader.counts.requests - before);
    }
    const rotates = (night: number) => night % 7 === 0;
    return {
      rotating: Math.max(...nights.filter((_, night) => rotates(night))),
      other: Math.max(...nights.filter((_, night) => !rotates(night))),
    };
  }

  test.each([
    [
      "five requests for the silence of the new day, the look-back and the page without dates; once a week thirty pages for all 3,000 fills, some for the splits",
      3000,
      { rotating: 40, other: 5 },
    ],
    ["at most seventy pages a week for more fills", 20_000, { rotating: 85, other: 5 }],
    ["few requests for few fills, none of which has proven what the dates mean", 80, { rotating: 6, other: 5 }],
    [
      "without fills, and without proof of how wide a range is answered: the look-back and 52 weeks of the rotation, week by week",
      0,
      { rotating: 95, other: 13 },
    ],
  ])("%s", async (_, fills, most) => {
    const { rotating, other } = await costs(fills);
    expect(rotating).toBeLessThanOrEqual(most.rotating);
    expect(other).toBeLessThanOrEqual(most.other);
  });
});
