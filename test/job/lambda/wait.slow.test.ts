import { expect, test } from "vitest";
import type { RunContext } from "../../../lambda/job/context.ts";
import { watchDeadline } from "../../../lambda/job/lambda/deadline.ts";
import type { Answer } from "../../../lambda/job/lambda/slice.ts";
import { syncArchive } from "../../../lambda/job/sync-archive.ts";
import type { Emulator } from "../../emulator/core.ts";
import { makeHistory } from "../../emulator/history.ts";
import { audit } from "../../support/auditor.ts";
import { freshClient } from "../../support/client-job.ts";
import { type Bench, makeBench } from "../../support/job.ts";
import { sliceOf } from "./slices.ts";

// Whole runs against a service that asks the client to wait, in virtual time.

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2025, 0, 11);
const FILLS = 600;
const LATENCY_MS = 50;
const SLICE_MS = 40_000;

/**
 * A service that allows `limit` requests per window. A refusal says when the window ends. A millisecond with
 * more pages than that could not be read a second time.
 */
function quota(windowMs: number, limit: number, retryAfter: "seconds" | "http-date"): Bench {
  return makeBench({
    history: makeHistory({ seed: 3, fills: FILLS, from: FROM, to: TO, ties: 40 }),
    switches: {
      pageLimit: 10,
      latency: { ms: LATENCY_MS, jitterMs: 0 },
      limits: [{ kind: "fixed-window", limit, windowMs, retryAfter }],
    },
  });
}

/**
 * Requests that were sent while a pause was known: for each, the ms since the refusal that asked for the
 * pause.
 */
function underWaited({ log }: Emulator, windowMs: number): number[] {
  const refusals = log.completedOrders.filter(({ outcome }) => outcome === "429").map(({ nowMs }) => nowMs);
  return log.completedOrders.flatMap(({ nowMs }) =>
    refusals
      .filter((at) => nowMs > at + LATENCY_MS && nowMs < (Math.floor(at / windowMs) + 1) * windowMs)
      .map((at) => nowMs - at),
  );
}

/** Runs the slices of one execution as the state machine does, each in a new process. */
async function execute({ job, emulator, clock }: Bench): Promise<{ answers: Answer[]; slicesMs: number[] }> {
  const event = { action: "sync", from: new Date(FROM).toISOString(), to: new Date(TO).toISOString() };
  const answers: Answer[] = [];
  const slicesMs: number[] = [];
  while (answers.at(-1)?.complete !== true && answers.length < 100) {
    const begunAt = clock.now();
    const { signal, leftMs: timeLeftMs, cancel } = watchDeadline(clock, () => begunAt + SLICE_MS - clock.now());
    const own: RunContext = { ...job, reader: freshClient(emulator, { ...job, clock }), signal, timeLeftMs };
    const answer = await sliceOf(event, own);
    cancel();
    slicesMs.push(clock.now() - begunAt);
    answers.push(answer);
    await clock.sleep(1000 * answer.retryAfterSeconds);
  }
  return { answers, slicesMs };
}

// test/service/reader.test.ts has every way in which a wait is asked for.
test.each([
  [120_000, 15, "seconds"],
  [301_000, 15, "http-date"],
  [3_661_000, 30, "seconds"],
] as const)(
  "Retry-After of up to %d ms, longer than a slice, ends the slice with a commit, and the next slice starts after the wait",
  async (windowMs, limit, form) => {
    const bench = quota(windowMs, limit, form);
    const { answers, slicesMs } = await execute(bench);
    const { log } = bench.emulator;
    expect(answers.at(-1)).toMatchObject({ complete: true, fills: FILLS });
    expect(underWaited(bench.emulator, windowMs)).toEqual([]);
    const refused = log.byOutcome["429"] ?? 0;
    expect(refused).toBeGreaterThanOrEqual(2);
    // One slice for each wait that is too long for it. Each slice ends with its last answer.
    const waited = answers.filter(({ retryAfterSeconds }) => retryAfterSeconds > 32);
    expect(waited.length).toBeGreaterThanOrEqual(2);
    expect(answers.length).toBeLessThanOrEqual(refused + 1);
    expect(answers.filter(({ stalled }) => stalled)).toEqual([]);
    expect(Math.max(...slicesMs.slice(0, -1))).toBeLessThan(33_000);
    expect(waited[0]).toMatchObject({
      complete: false,
      error: {
        kind: "incomplete",
        message: expect.stringMatching(/^the service asks for a wait of \d+ s, longer than the/),
      },
    });
    expect(await audit(bench.job.store, "main", bench.emulator.truth())).toMatchObject({ lost: [], doubled: [] });
  },
);

test("a service that says how many requests are left gets no more requests than that", async () => {
  const refusals = async (tells: boolean): Promise<number> => {
    const { job, emulator, clock } = quota(60_000, 20, "seconds");
    emulator.setSwitches({ limits: [{ kind: "fixed-window", limit: 20, windowMs: 60_000, tells }] });
    const reader = freshClient(emulator, { ...job, clock });
    const whole = { complete: true, fills: FILLS };
    expect(await syncArchive({ ...job, reader }, { from: FROM, to: TO })).toMatchObject(whole);
    return emulator.log.byOutcome["429"] ?? 0;
  };
  expect(await refusals(true)).toBe(0);
  expect(await refusals(false)).toBeGreaterThan(5);
});
