import type { ErrorKind, FillbookError } from "../../lambda/core/errors.ts";
import { covers, union } from "../../lambda/core/ranges.ts";
import { DAY_MS, HOUR_MS } from "../../lambda/core/time.ts";
import type { RunContext, SyncRequest } from "../../lambda/job/context.ts";
import { syncArchive } from "../../lambda/job/sync-archive.ts";
import { createEmulator, type Emulator } from "../emulator/core.ts";
import { type History, historyOf, makeHistory } from "../emulator/history.ts";
import type { Switches } from "../emulator/switches.ts";
import type { CompletedOrder } from "../emulator/wire.ts";
import { audit, SOUND } from "../support/auditor.ts";
import { freshClient } from "../support/client-job.ts";
import { makeBench, NOW } from "../support/job.ts";
import { prng } from "../support/prng.ts";

/** A service's behaviour, and what reading it twice must give. */
export interface Behaviour {
  readonly switches?: Partial<Switches>;
  readonly history?: History;
  readonly range?: SyncRequest;
  /** The most requests that both readings together may take. */
  readonly most: number;
  /** The kind of problem with which the run must say that it is not complete. Absent: all is read. */
  readonly says?: ErrorKind;
}

/** What a sync claims, and how its archive differs from the service. */
export interface Outcome {
  readonly complete: boolean;
  readonly problem: FillbookError | null;
  readonly requests: number;
  /** Fills of times that count as read twice, and that the archive lacks. */
  readonly lost: number;
  readonly doubled: number;
  readonly invented: number;
  readonly wrong: number;
  /** Whether all that was asked for counts as read twice. */
  readonly isCovered: boolean;
  readonly rows: number;
  readonly emulator: Emulator;
  readonly job: RunContext;
}

/** Syncs once, with 16 at a time, and compares what is held with what the service has. */
export async function readTwice(
  { switches = {}, history = YEAR, range = AROUND }: Omit<Behaviour, "most">,
  more: Partial<RunContext> = {},
): Promise<Outcome> {
  const emulator = createEmulator({ history, switches });
  const bench = makeBench({ emulator, job: { concurrency: 16, ...more } });
  const reader = freshClient(emulator, { ...bench.job, clock: bench.clock });
  return await syncAndCompare({ ...bench.job, reader, ...more }, emulator, range);
}

/** One more sync, and its archive compared with the service. */
export async function syncAndCompare(job: RunContext, emulator: Emulator, range: SyncRequest): Promise<Outcome> {
  const before = job.reader.counts.requests;
  const { from, to, complete, problem } = await syncArchive(job, { pace: "hurry", ...range });
  const requests = job.reader.counts.requests - before;
  const isEmpty = (await job.store.get(`${job.account}/head.json`)) === null;
  const { lost, doubled, invented, wrong, coverage, rows } = isEmpty
    ? { ...SOUND, coverage: [], rows: 0 }
    : await audit(job.store, job.account, emulator.truth());
  return {
    ...{ complete, problem, requests, rows, emulator, job },
    ...{ lost: lost.length, doubled: doubled.length, invented: invented.length, wrong: wrong.length },
    isCovered: covers(union(coverage), { from, to }),
  };
}

/** A year of fills, 250 of them in one millisecond. */
export const YEAR = makeHistory({ seed: 1, fills: 1200, from: Date.UTC(2025, 0, 1), to: Date.UTC(2025, 11, 31) });
/** With silence before the first fill and behind the last. */
export const AROUND = { from: Date.UTC(2024, 11, 1), to: Date.UTC(2026, 0, 15) };

/** Fills at these times. `matches`: their matchIds, else each has its own. */
export function fillsAt(times: readonly number[], matches: readonly string[] = []): History {
  const sample = YEAR.item(0);
  return historyOf(
    times.map((time, place): CompletedOrder => {
      const ids = { matchId: matches[place] ?? `m-${place}`, orderId: `o-${place}` };
      return { ...sample, ...ids, txCreated: time, filledAt: time };
    }),
  );
}

/** Sessions of a few hours. */
export function sessions(count: number, fills: number, days: number, seed = 7): History {
  const draw = prng(seed).next;
  const begins = Array.from({ length: count }, () => NOW - days * DAY_MS + draw() * (days - 2) * DAY_MS);
  return fillsAt(begins.flatMap((at) => Array.from({ length: fills }, () => Math.floor(at + draw() * 4 * HOUR_MS))));
}

/** Sessions two weeks apart. */
export function fortnights(count: number, fills: number, seed = 7): History {
  const draw = prng(seed).next;
  const begins = Array.from({ length: count }, (_, place) => NOW - (5 + 14 * place) * DAY_MS);
  return fillsAt(begins.flatMap((at) => Array.from({ length: fills }, () => Math.floor(at + draw() * 4 * HOUR_MS))));
}
