import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OpenWindow } from "../../lambda/archive/manifest.ts";
import { freshWindow } from "../../lambda/walk/window.ts";
import { WorkerPool } from "../../lambda/walk/worker-pool.ts";

/**
 * What happens to a window while it is walked: how many pages it has, and how it ends. It calls `pool.fill()`
 * at each page.
 */
interface Fate {
  readonly pages: number;
  /** How many windows take its place when it ends. */
  readonly leaves: number;
  readonly fails: boolean;
  readonly stops: boolean;
  readonly aborts: boolean;
}

interface World {
  readonly fates: readonly Fate[];
  readonly windows: number;
  readonly workers: number;
  readonly splits: number;
  readonly room: readonly boolean[];
}

const rarely = fc.integer({ min: 0, max: 19 }).map((drawn) => drawn === 7);
const fate: fc.Arbitrary<Fate> = fc.record({
  pages: fc.nat({ max: 3 }),
  leaves: fc.constantFrom(0, 0, 0, 1, 2),
  fails: rarely,
  stops: rarely,
  aborts: rarely,
});
const world: fc.Arbitrary<World> = fc.record({
  fates: fc.array(fate, { minLength: 1, maxLength: 12 }),
  windows: fc.nat({ max: 6 }),
  workers: fc.integer({ min: 1, max: 5 }),
  splits: fc.nat({ max: 6 }),
  room: fc.array(fc.boolean(), { minLength: 1, maxLength: 9 }),
});

/** Runs a pool whose windows come and go in the order that the scheduler chooses, and counts. */
async function runWorkerPool(scheduler: fc.Scheduler, { fates, windows, workers, splits, room }: World) {
  const names = new Map<OpenWindow, number>();
  const make = (): OpenWindow => {
    const window = freshWindow({ from: names.size, to: names.size + 1 });
    names.set(window, names.size);
    return window;
  };
  const abort = new AbortController();
  const walked: number[] = [];
  const ended: number[] = [];
  let walking = 0;
  let most = 0;
  let failed = 0;
  let left = splits;
  let leaves = 12;
  let asked = 0;
  let isStopped = false;
  let isOver = false;
  const late: string[] = [];
  const pool: WorkerPool = new WorkerPool(
    {
      workers,
      signal: abort.signal,
      hasRoom: () => room[asked++ % room.length] ?? true,
      failed: () => {
        failed += 1;
        isStopped = true;
      },
      split: () => {
        left -= 1;
        return walking > 0 && left >= 0 ? make() : null;
      },
      walk: async (window) => {
        const name = names.get(window) ?? -1;
        const { pages, leaves: many, fails, stops, aborts } = fates[name % fates.length] as Fate;
        if (isOver || isStopped || abort.signal.aborted) {
          late.push(`window ${name} began after the end`);
        }
        walked.push(name);
        walking += 1;
        most = Math.max(most, walking);
        for (let page = 0; page < pages; page += 1) {
          await scheduler.schedule(Promise.resolve(), `page of ${name}`);
          pool.fill();
        }
        await scheduler.schedule(Promise.resolve(), `end of ${name}`);
        if (stops) {
          pool.stop();
          isStopped = true;
        }
        if (aborts) {
          abort.abort();
        }
        const next = Math.min(many, leaves);
        leaves -= next;
        pool.add(Array.from({ length: next }, make));
        ended.push(name);
        walking -= 1;
        if (fails) {
          throw new Error(`window ${name}`);
        }
      },
    },
    Array.from({ length: windows }, make),
  );
  let times = 0;
  const run = pool.run().then((errors) => {
    isOver = true;
    times += 1;
    return { errors, atEnd: walking, endedThen: ended.length };
  });
  await scheduler.waitIdle();
  expect(times).toBe(1); // it terminates exactly once
  const { errors, atEnd, endedThen } = await run;
  pool.fill(); // a late call must change nothing
  await scheduler.waitIdle();
  return {
    names: [...names.values()],
    walked,
    ended,
    endedThen,
    atEnd,
    errors,
    failed,
    most,
    late,
    isCut: isStopped || abort.signal.aborted,
  };
}

describe("a pool, in every interleaving of ends, splits, failures and stops", () => {
  test("ends once, when no window is left; no window is walked twice or forgotten", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), world, async (scheduler, drawn) => {
        const { names, walked, ended, endedThen, atEnd, errors, failed, most, late, isCut } = await runWorkerPool(
          scheduler,
          drawn,
        );
        expect({ atEnd, late }).toEqual({ atEnd: 0, late: [] });
        expect(endedThen).toBe(ended.length);
        expect(new Set(walked).size).toBe(walked.length);
        expect(walked.toSorted()).toEqual(ended.toSorted());
        expect(most).toBeLessThanOrEqual(drawn.workers);
        expect(errors.length).toBe(failed);
        if (!isCut) {
          expect(walked.toSorted()).toEqual(names.toSorted());
        }
      }),
      { numRuns: 2000 },
    );
  });
});
