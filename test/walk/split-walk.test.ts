import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WindowRecord } from "../../lambda/archive/manifest-entries.ts";
import { covers, union } from "../../lambda/core/ranges.ts";
import { DAY_MS, type TimeRange } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import type { ServiceReader } from "../../lambda/service/service.ts";
import { historyOf, makeHistory } from "../emulator/history.ts";
import type { Switches } from "../emulator/switches.ts";
import { audit, SOUND } from "../support/auditor.ts";
import { type Bench, makeBench } from "../support/job.ts";
import { type Published, readCurrent, readPublished } from "../support/published.ts";

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2025, 4, 1);
const RANGE = { from: FROM, to: TO };
const HISTORY = makeHistory({ seed: 17, fills: 4000, from: FROM, to: TO, density: "zipf-days" });
const ORDERS: readonly Switches["order"][] = ["descending", "ascending", "unordered", "shuffled-pages", "newest-last"];

async function archiveOf({ store }: Pick<RunContext, "store">): Promise<Published> {
  return await readCurrent(store, "main");
}

/** Reads a manifest while it is being written. Its nodes are stored before it. */
async function written({ store }: Pick<RunContext, "store">, key: string, body: Uint8Array): Promise<Published> {
  const text = async (one: string) => new TextDecoder().decode(one === key ? body : (await store.get(one))?.body);
  return await readPublished(text, key);
}

function byOrder({ windows }: { readonly windows: readonly WindowRecord[] }): TimeRange[] {
  return windows.filter(({ ended }) => ended === "order").map(({ from, to }) => ({ from, to }));
}

async function expectHonest({ job, emulator }: Bench): Promise<void> {
  expect(await audit(job.store, "main", emulator.truth())).toMatchObject(SOUND);
}

/** Releases the service's answers in the order that the scheduler chooses. */
function inAnyOrder(reader: ServiceReader, scheduler: fc.Scheduler): ServiceReader {
  return {
    ...reader,
    async completedOrders(request, signal) {
      const answer = await reader.completedOrders(request, signal);
      return await scheduler.schedule(Promise.resolve(answer), `${request.startDate} ${request.endDate}`);
    },
  };
}

test("answers in any order: every interleaving of splits and ends terminates, with every fill once", async () => {
  const small = makeHistory({ seed: 23, fills: 300, from: FROM, to: TO, ties: 20 });
  let splits = 0;
  const drawn = fc.record({
    order: fc.constantFrom(...ORDERS),
    concurrency: fc.integer({ min: 2, max: 6 }),
    pageLimit: fc.constantFrom(4, 7),
    lifetime: fc.constantFrom(null, null, 3, 9),
  });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), drawn, async (scheduler, { order, concurrency, pageLimit, lifetime }) => {
      const switches = { order, pageLimit, cursorLifetimePages: lifetime };
      const bench = makeBench({ history: small, switches, job: { concurrency } });
      const run = syncArchive({ ...bench.job, reader: inAnyOrder(bench.job.reader, scheduler) }, RANGE);
      const result = await scheduler.waitFor(run);
      await expectHonest(bench);
      if (lifetime === null) {
        expect(result.problem).toBeNull();
      }
      expect(result.complete).toBe(result.problem === null);
      expect(result.fills).toBeLessThanOrEqual(300);
      expect(result.complete ? result.fills : 300).toBe(300);
      splits += byOrder(await archiveOf(bench.job)).length;
    }),
    { numRuns: Number(process.env["FILLBOOK_RUNS"] ?? 60) },
  );
  expect(splits).toBeGreaterThan(20);
});

describe("an order that proves false", () => {
  const ordered = { latency: { ms: 300, jitterMs: 0 }, pageLimit: 20 } as const;

  test("ranges rechecked on the strength of it are scheduled again in the same commit that takes it back", async () => {
    const before = makeBench({ history: HISTORY, switches: ordered, job: { lookBackMs: 400 * DAY_MS } });
    await syncArchive(before.job, { from: FROM });
    // Some fills have changed, so the repeated walk has something to commit.
    const items = Array.from({ length: HISTORY.count }, (_, index) => HISTORY.item(index));
    const changed = items.map((item, index) => (index % 50 === 0 ? { ...item, fees: "123.5" } : item));
    const { store: held, lookBackMs } = before.job;
    const bench = makeBench({ history: historyOf(changed), switches: ordered, job: { store: held, lookBackMs } });
    const { job, emulator } = bench;
    await bench.clock.sleep(DAY_MS);
    const earlier = new Set((await archiveOf(job)).windows.map(({ pagesHash }) => pagesHash));
    const refuted: Published[] = [];
    let rechecked: TimeRange[] = []; // ended by order, in the second run
    const store: RunContext["store"] = {
      ...job.store,
      createNew: async (key, body) => {
        if (key.startsWith("main/manifests/")) {
          const manifest = await written(job, key, body);
          const walked = byOrder({ windows: manifest.windows.filter((one) => !earlier.has(one.pagesHash)) });
          rechecked = walked.length > rechecked.length ? walked : rechecked;
          emulator.setSwitches(rechecked.length > 0 ? { order: "newest-last" } : {});
          refuted.push(...(manifest.checkpoint.order.refuted ? [manifest] : []));
        }
        return await job.store.createNew(key, body);
      },
    };
    const second = await syncArchive({ ...job, store }, { from: FROM });
    expect(second).toMatchObject({ complete: true, added: 0, restated: 80 });
    expect(rechecked.length).toBeGreaterThan(0);
    const left = refuted[0]?.checkpoint.rechecks ?? [];
    expect(rechecked.every((one) => covers(union(left), one))).toBe(true);
    const manifest = await archiveOf(job);
    expect([manifest.checkpoint.rechecks, byOrder(manifest)]).toEqual([[], []]);
    await expectHonest(bench);
  });
});
