import { describe, expect, test } from "vitest";
import { readArchive } from "../../lambda/archive/read.ts";
import type { CommandContext } from "../../lambda/cli/commands/command.ts";
import { BEGINNING_MS } from "../../lambda/core/beginning.ts";
import { TooLongError, WaitError } from "../../lambda/core/errors.ts";
import { parsePeriod } from "../../lambda/core/period.ts";
import { SECOND_MS } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { watchDeadline } from "../../lambda/job/lambda/deadline.ts";
import { readEvent } from "../../lambda/job/lambda/event.ts";
import { planSlice, runSlice } from "../../lambda/job/lambda/slice.ts";
import { fillsIn, PACK_MICROSECONDS, requirePackTime } from "../../lambda/job/pack-time.ts";
import { countFillsRead } from "../../lambda/pack/build/fills-read.ts";
import { makeHistory } from "../emulator/history.ts";
import { exportRequest } from "../support/export-request.ts";
import { type FaultyStore, faultyStore } from "../support/faulty-store.ts";
import { makeBench } from "../support/job.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";

const PERIOD = parsePeriod("month-2025-03");
const REQUEST = exportRequest(PERIOD);
const HISTORY = 120;
const EVENT = { action: "export", period: PERIOD.name, method: "average" };

/** An archive without a pack. It covers the period and everything before it, with several data files. */
async function archived() {
  const store = memoryStore();
  const range = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 4, 1) };
  const bench = makeBench({ history: makeHistory({ seed: 5, fills: HISTORY, ...range }), job: { store } });
  const { files } = await exportPack(bench.job, REQUEST);
  const rows = files.find(({ path }) => path === "fills.csv")?.rows ?? 0;
  return { ...bench, store, packs: takeOut(store), rows };
}

function packsOf(store: MemoryStore): ReadonlyMap<string, Uint8Array> {
  return new Map([...store.snapshot()].filter(([key]) => key.includes("/packs/")));
}

/** Removes all packs from the store and returns them. */
function takeOut(store: MemoryStore): ReadonlyMap<string, Uint8Array> {
  const packs = packsOf(store);
  for (const key of packs.keys()) {
    store.delete(key);
  }
  return packs;
}

function isOfDataFile({ key }: { readonly key: string }): boolean {
  return key.includes("/fills/");
}

describe("a pack whose run must end", () => {
  test("is complete or absent, at whichever operation of the store it is stopped", async () => {
    const { job, store, packs } = await archived();
    const watched = faultyStore(store, () => "ok");
    await exportPack({ ...job, store: watched }, REQUEST);
    expect(takeOut(store)).toEqual(packs);
    const all = watched.operations;
    const lastRead = all.findLast(isOfDataFile)?.index ?? 0;
    expect(all.filter(isOfDataFile).length).toBeGreaterThan(2);
    // Writes need no test of their own: between two writes of one file, nothing is read and the signal is not
    // checked.
    for (const { index } of all.filter(({ method }) => method !== "write")) {
      const stop = new AbortController();
      const stopping = faultyStore(store, (operation) => {
        if (operation.index === index) {
          stop.abort();
        }
        return "ok";
      });
      const ended = await exportPack({ ...job, store: stopping, signal: stop.signal }, REQUEST).catch(
        (error: unknown) => ({ problem: error }),
      );
      const left = takeOut(store);
      expect(openSinks(stopping)).toBe(0);
      if (left.size > 0) {
        expect(index).toBeGreaterThanOrEqual(lastRead);
        expect(left).toEqual(packs);
      } else {
        expect(ended.problem).toMatchObject({ kind: "incomplete" });
      }
    }
  });

  test("says that nothing was written, and if its run had a whole slice, that no slice is long enough", async () => {
    const { job, store } = await archived();
    const stop = new AbortController();
    const stopping = faultyStore(store, (operation) => {
      if (operation.method === "createStream") {
        stop.abort();
      }
      return "ok";
    });
    const run = (more: Partial<RunContext>) =>
      exportPack({ ...job, packStore: stopping, signal: stop.signal, ...more }, REQUEST).catch(
        (error: unknown) => error,
      );
    const message = "the pack of month-2025-03 was not finished when the run had to end; none of it was written";
    const byHand = await run({});
    expect(byHand).toMatchObject({ kind: "incomplete", message });
    expect(byHand).not.toBeInstanceOf(TooLongError);
    const timed = { timeLeftMs: () => 60 * SECOND_MS, sliceMs: 60 * SECOND_MS };
    expect(await exportPack({ ...job, ...timed }, REQUEST)).toMatchObject({ complete: true });
    takeOut(store);
    const again = new AbortController();
    const stopped = faultyStore(store, (operation) => {
      if (operation.method === "createStream") {
        again.abort();
      }
      return "ok";
    });
    const late = exportPack({ ...job, packStore: stopped, signal: again.signal, ...timed }, REQUEST);
    const error = await late.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TooLongError);
    expect(error).toMatchObject({ message });
  });
});

/** Number of files that were begun, but neither finished nor aborted. */
function openSinks({ operations }: FaultyStore): number {
  const count = (name: string) => operations.filter(({ method }) => method === name).length;
  return count("createStream") - count("finish") - count("abort");
}

describe("before a pack is begun", () => {
  const planOf = async ({ job }: { readonly job: RunContext }) => {
    const { manifest, manifestIndex } = await readArchive(job.store, job.account);
    return { manifest, manifestIndex, period: PERIOD, basis: "fill", beginning: BEGINNING_MS } as const;
  };

  test("the index alone gives the number of its fills and of those before it", async () => {
    const { job, store, rows } = await archived();
    const plan = await planOf({ job });
    const watched = faultyStore(store, () => "ok");
    const read = await countFillsRead(plan);
    expect(watched.operations.filter(isOfDataFile)).toEqual([]);
    const { files } = await exportPack(job, { ...REQUEST, period: { ...PERIOD, from: Date.UTC(2025, 0, 1) } });
    const upToEnd = files.find(({ path }) => path === "fills.csv")?.rows ?? 0;
    expect(read.period).toBeGreaterThanOrEqual(rows);
    expect(read.history).toBeGreaterThanOrEqual(upToEnd - rows);
    expect(read.period + read.history).toBeLessThanOrEqual(HISTORY * 2); // a data file that crosses an end counts whole
  });

  test("a run without a deadline has time for any pack", async () => {
    const { job } = await archived();
    await expect(requirePackTime(job, await planOf({ job }))).resolves.toBeUndefined();
  });

  test.each([
    ["just enough for it", 1, 1, null],
    ["a little too short, and has hardly begun", 0.99, 1, TooLongError],
    ["long enough, but more than a tenth of it is over", 0.89, 1, WaitError],
    ["too short from its beginning", 0.5, 0.99, TooLongError],
  ])("a run is %s", async (_, left, slice, refusal) => {
    const { job } = await archived();
    const plan = await planOf({ job });
    const { period, history } = await countFillsRead(plan);
    const takesMs = (period * PACK_MICROSECONDS.period + history * PACK_MICROSECONDS.history) / 1000;
    const run = requirePackTime({ timeLeftMs: () => takesMs * left, sliceMs: takesMs * slice }, plan);
    await (refusal === null ? expect(run).resolves.toBeUndefined() : expect(run).rejects.toBeInstanceOf(refusal));
  });
});

describe("a slice that is too short for a pack", () => {
  async function slice(sliceMs: number) {
    const { job, store, clock } = await archived();
    const { signal, leftMs: timeLeftMs, cancel } = watchDeadline(clock, () => sliceMs / 0.8);
    const watched = faultyStore(store, () => "ok");
    const live = {
      clock,
      signal,
      settings: { account: "main" },
      store: () => Promise.resolve(store),
      packStore: () => Promise.resolve(null),
      say: () => undefined,
      job: () => Promise.resolve({ ...job, store: watched, signal, timeLeftMs, sliceMs: timeLeftMs() }),
    } as unknown as CommandContext;
    const answer = await runSlice(planSlice(readEvent(EVENT)), live, () => undefined);
    cancel();
    return { answer, store, operations: watched.operations };
  }

  test("says so at once, with the number of fills: it reads no data file and writes nothing", async () => {
    const { answer, store, operations } = await slice(2);
    expect(answer).toMatchObject({
      complete: false,
      stalled: false,
      needsTask: true,
      fillsToRead: expect.any(Number),
      retryAfterSeconds: 1,
      error: { kind: "incomplete", message: expect.stringMatching(/^the pack of month-2025-03 reads [\d,]+ fills, /) },
    });
    expect(answer.fillsToRead).toBeGreaterThan(fillsIn(2));
    expect(packsOf(store).size).toBe(0);
    expect(operations.filter(({ method }) => method === "createStream")).toEqual([]);
  });

  test("does not say so if it has enough time", async () => {
    const { answer, store } = await slice(60 * SECOND_MS);
    expect(answer).toMatchObject({ complete: true, needsTask: false });
    expect(packsOf(store).size).toBeGreaterThan(30);
  });
});
