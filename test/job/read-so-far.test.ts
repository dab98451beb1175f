import { describe, expect, test } from "vitest";
import { readArchive } from "../../lambda/archive/read.ts";
import type { Progress } from "../../lambda/job/context.ts";
import { readSoFar } from "../../lambda/job/read-so-far.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { makeHistory } from "../emulator/history.ts";
import { makeBench } from "../support/job.ts";

const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) };
const FILLS = 12_000;
const HISTORY = makeHistory({ seed: 4, fills: FILLS, ...YEAR, ties: 0 });
const PAGES_A_SLICE = 25;

/** Slices of one walk: after each, what is reached by the archive, and by the slice's own last report. */
async function slices(order: "ascending" | "descending") {
  const bench = makeBench({ history: HISTORY, switches: { order } });
  const seen: { readonly reached: number | null; readonly told: number | undefined; readonly fills: number }[] = [];
  for (let isComplete = false; !isComplete; ) {
    const stop = new AbortController();
    let told: number | undefined;
    const report = ({ pages, reached }: Progress) => {
      told = reached ?? told;
      if (pages >= PAGES_A_SLICE) {
        stop.abort();
      }
    };
    ({ complete: isComplete } = await syncArchive({ ...bench.job, signal: stop.signal, report }, YEAR));
    const { reached, fills } = await readSoFar(bench.job);
    seen.push({ reached: reached(YEAR), told, fills });
  }
  return { seen, job: bench.job };
}

function fillsBetween(from: number, to: number): number {
  const times = Array.from({ length: FILLS }, (_, at) => HISTORY.item(at).txCreated);
  return times.filter((time) => from <= time && time < to).length;
}

describe("the date that is reached, by the archive alone", () => {
  test.each(["descending", "ascending"] as const)(
    "goes on from slice to slice, and nothing behind it is missing: %s",
    async (order) => {
      const { seen } = await slices(order);
      expect(seen.length).toBeGreaterThan(3);
      expect(seen.at(-1)).toMatchObject({ reached: null, fills: FILLS });
      const running = seen.slice(0, -1).map(({ reached, ...rest }) => ({ ...rest, reached: reached ?? Number.NaN }));
      for (const [at, { reached, fills }] of running.entries()) {
        const before = running[at - 1]?.reached ?? reached;
        expect(order === "ascending" ? reached >= before : reached <= before).toBe(true);
        const behind = order === "ascending" ? fillsBetween(YEAR.from, reached) : fillsBetween(reached, YEAR.to);
        expect(fills).toBeGreaterThanOrEqual(behind);
      }
      expect(new Set(running.map(({ reached }) => reached)).size).toBeGreaterThan(1);
    },
  );

  test("is what the run itself has shown, once that is committed", async () => {
    const { seen } = await slices("descending");
    expect(seen.slice(0, -1).map(({ reached }) => reached)).toEqual(seen.slice(0, -1).map(({ told }) => told));
  });

  test("is not known before anything is read, nor of a range that is read", async () => {
    const { job } = makeBench({ history: HISTORY });
    expect((await readSoFar(job)).reached(YEAR)).toBeNull();
    const half = { from: Date.UTC(2025, 6, 1), to: YEAR.to };
    await syncArchive(job, half);
    const { reached } = await readSoFar(job);
    expect(reached(half)).toBeNull();
    expect(reached(YEAR)).toBe((await readArchive(job.store, job.account)).manifest.coverage[0]?.from);
  });
});
