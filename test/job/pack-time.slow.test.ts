import { describe, expect, test } from "vitest";
import { TooLongError } from "../../lambda/core/errors.ts";
import { parsePeriod } from "../../lambda/core/period.ts";
import { MINUTE_MS } from "../../lambda/core/time.ts";
import type { RunContext } from "../../lambda/job/context.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { makeHistory } from "../emulator/history.ts";
import { exportRequest } from "../support/exports.ts";
import { type FaultyStore, faultyStore, stoppingStore } from "../support/faulty-store.ts";
import { makeBench } from "../support/job.ts";
import { type MemoryStore, memoryStore } from "../support/memory-store.ts";
import { sliceOf } from "./lambda/slices.ts";

const PERIOD = parsePeriod("month-2025-03");
const REQUEST = exportRequest(PERIOD);
const HISTORY = 120;
const EVENT = { action: "export", period: PERIOD.name, method: "average" };

/** An archive without a pack. It covers the period and everything before it, with several data files. */
async function archived() {
  const store = memoryStore();
  const range = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 4, 1) };
  const bench = makeBench({ history: makeHistory({ seed: 5, fills: HISTORY, ...range }), job: { store } });
  await exportPack(bench.job, REQUEST);
  return { ...bench, store, packs: takeOut(store) };
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
  test("is complete or absent, at whichever data file it is stopped", async () => {
    const { job, store, packs } = await archived();
    const watched = faultyStore(store, () => "ok");
    await exportPack({ ...job, store: watched }, REQUEST);
    expect(takeOut(store)).toEqual(packs);
    const all = watched.operations;
    const lastRead = all.findLast(isOfDataFile)?.index ?? 0;
    expect(all.filter(isOfDataFile).length).toBeGreaterThan(2);
    // The signal is checked when a data file is read, and at no other operation.
    for (const { index } of [...all.filter(isOfDataFile), ...all.slice(-1)]) {
      const stopping = stoppingStore(store, (operation) => operation.index === index);
      const ended = await exportPack({ ...job, ...stopping }, REQUEST).catch((error: unknown) => ({ problem: error }));
      const left = takeOut(store);
      expect(openSinks(stopping.store)).toBe(0);
      if (left.size > 0) {
        expect(index).toBeGreaterThanOrEqual(lastRead);
        expect(left).toEqual(packs);
      } else {
        expect(ended.problem).toMatchObject({ kind: "incomplete" });
      }
    }
  });

  test("says that nothing was written; if it had a slice, it names the command that makes it elsewhere", async () => {
    const { job } = await archived();
    const packStore = memoryStore();
    const run = async (more: Partial<RunContext>) => {
      const { store, signal } = stoppingStore(packStore, ({ method }) => method === "createStream");
      return await exportPack({ ...job, packStore: store, signal, ...more }, REQUEST).catch((error: unknown) => error);
    };
    const message = "the pack of month-2025-03 was not finished when the run had to end; none of it was written";
    const byHand = await run({});
    expect(byHand).toMatchObject({ kind: "incomplete", message });
    expect(byHand).not.toBeInstanceOf(TooLongError);
    const error = await run({ timeLeftMs: () => MINUTE_MS, sliceMs: MINUTE_MS });
    expect(error).toBeInstanceOf(TooLongError);
    expect(error).toMatchObject({
      message,
      hint: "make it on another computer, with the same period and options: fillbook export --account main --store memory",
    });
    expect(packsOf(packStore).size).toBe(0);
  });
});

/** Number of files that were begun, but neither finished nor aborted. */
function openSinks({ operations }: FaultyStore): number {
  const count = (name: string) => operations.filter(({ method }) => method === name).length;
  return count("createStream") - count("finish") - count("abort");
}

async function slice(usedMs: number) {
  const { job, store } = await archived();
  const sliceMs = 14 * MINUTE_MS;
  const answer = await sliceOf(EVENT, { ...job, timeLeftMs: () => sliceMs - usedMs, sliceMs });
  return { answer, packs: packsOf(store) };
}

test("in a slice, a pack is begun in its first two minutes, and later than that by the next slice, which begins at once", async () => {
  const early = await slice(2 * MINUTE_MS);
  expect(early.answer).toMatchObject({ complete: true });
  expect(early.packs.size).toBeGreaterThan(20);
  const { answer, packs } = await slice(2 * MINUTE_MS + 1);
  expect(answer).toMatchObject({ complete: false, stalled: false, retryAfterSeconds: 1 });
  expect(answer.error?.message).toBe("the pack of month-2025-03 needs more time than this run has left");
  expect(packs.size).toBe(0);
});
