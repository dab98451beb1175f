import { expect, test } from "vitest";
import { NIGHT, WALK } from "../../infra/deploy/cost.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../../lambda/core/time.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import type { Store } from "../../lambda/storage/store.ts";
import { createEmulator } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import { makeBench } from "../support/job.ts";
import { memoryStore } from "../support/memory-store.ts";

// The cost model's figures for a night and a first walk must not be below what whole runs need in virtual
// time.

/** A store that counts the operations S3 charges for. A LIST costs as much as a PUT. */
function charged() {
  const inner = memoryStore();
  const counts = { writes: 0, reads: 0 };
  const counting =
    <A extends readonly unknown[], R>(kind: keyof typeof counts, call: (...args: A) => R) =>
    (...args: A): R => {
      counts[kind] += 1;
      return call(...args);
    };
  const store: Store = {
    ...inner,
    location: "s3://bucket/prefix", // lists of parts are written to S3 only
    get: counting("reads", inner.get),
    list: counting("writes", inner.list),
    createNew: counting("writes", inner.createNew),
    replaceIf: counting("writes", inner.replaceIf),
  };
  return { store, counts };
}

test("a night of an account with 20,000 fills a year", async () => {
  const { store, counts } = charged();
  const history = makeHistory({ seed: 1, fills: 20_000, from: Date.UTC(2025, 1, 1), to: Date.UTC(2026, 2, 1) });
  const { job } = makeBench({ history, job: { store, lookBackMs: 7 * DAY_MS, settleLagMs: HOUR_MS } });
  await syncArchive(job, {});
  // Seven nights. In one of them, a piece of the older times is walked again.
  const nights: { writes: number; reads: number; requests: number }[] = [];
  for (let night = 0; night < 7; night += 1) {
    await job.clock.sleep(DAY_MS, job.signal);
    const before = { ...counts, requests: job.reader.counts.requests };
    expect(await syncArchive(job, {})).toMatchObject({ complete: true });
    nights.push({
      writes: counts.writes - before.writes,
      reads: counts.reads - before.reads,
      requests: job.reader.counts.requests - before.requests,
    });
  }
  const mean = (of: (night: (typeof nights)[number]) => number) =>
    nights.reduce((sum, night) => sum + of(night), 0) / nights.length;
  expect(mean(({ writes }) => writes)).toBeLessThanOrEqual(NIGHT.writes + 0.5);
  expect(mean(({ reads }) => reads)).toBeLessThanOrEqual(NIGHT.reads);
  expect(mean(({ requests }) => requests)).toBeLessThanOrEqual(22);
});

test("a first walk of 100,000 fills at 5 requests a second", async () => {
  const [workers, rate] = [4, 5];
  const { store, counts } = charged();
  const range = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };
  const emulator = createEmulator({ history: makeHistory({ seed: 1, fills: 100_000, ...range }) });
  const { job } = makeBench({ emulator, job: { store, concurrency: workers } });
  const slow: typeof job.reader.completedOrders = async (request, signal) => {
    await job.clock.sleep((SECOND_MS * workers) / rate, signal);
    return await job.reader.completedOrders(request, signal);
  };
  const result = await syncArchive({ ...job, reader: { ...job.reader, completedOrders: slow } }, range);
  expect(result).toMatchObject({ complete: true, fills: 100_000 });
  expect(job.reader.counts.requests / result.fills).toBeLessThanOrEqual(WALK.requestsAFill.toNumber());
  expect(counts.writes / result.fills).toBeLessThanOrEqual(WALK.writesAFill.toNumber());
});
