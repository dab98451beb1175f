import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import { archiveStatus } from "../../lambda/job/inspect.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { type History, historyOf, makeHistory } from "../emulator/history.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { audit, SOUND } from "../support/auditor.ts";
import { type Bench, makeBench, NOW } from "../support/job.ts";

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

describe.each([
  ["of all up to now", { from: FROM }],
  ["of one range", { from: FROM, to: NOW - DAY_MS }],
])("a run %s", (_, range) => {
  test("looks back again after 12 hours, or when it is told to", async () => {
    const { bench } = await lateAfterTheFirst(range);
    await bench.clock.sleep(2 * HOUR_MS);
    expect(await syncArchive(bench.job, range)).toMatchObject({ complete: true, restated: 0 });
    await bench.clock.sleep(11 * HOUR_MS);
    expect((await syncArchive(bench.job, range)).restated).toBeGreaterThan(20);
    const { requests } = bench.job.reader.counts;
    await syncArchive({ ...bench.job, alwaysLooksBack: true }, range);
    expect(bench.job.reader.counts.requests).toBeGreaterThan(requests);
    await expectTruth(bench);
  });
});

test("status says when the service was last asked for the newest and for older days", async () => {
  const { first, bench } = await lateAfterTheFirst();
  expect((await archiveStatus(first.job)).lastAsked).toEqual({ newest: NOW, older: null });
  for (const rotates of [false, true]) {
    await bench.clock.sleep(4 * DAY_MS);
    const newest = bench.clock.now();
    await syncArchive(bench.job, { from: FROM });
    expect((await archiveStatus(first.job)).lastAsked).toEqual({ newest, older: rotates ? newest : null });
  }
});
