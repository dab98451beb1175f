import { type Collected, collectWhenDue } from "../archive/collect.ts";
import { FencedError, OvertakenError } from "../archive/fenced.ts";
import type { Manifest } from "../archive/manifest.ts";
import { publishPartLists } from "../archive/part-lists.ts";
import { ArchiveSession } from "../archive/session.ts";
import { asFillbookError, type ErrorKind, FillbookError, StoppedError } from "../errors.ts";
import { boundingNewSpace } from "../heap.ts";
import type { Job, SyncRequest, SyncResult } from "../job.ts";
import { BEGINNING_MS } from "../model/beginning.ts";
import { covers, holds } from "../model/ranges.ts";
import { isoTime, type TimeRange } from "../model/time.ts";
import { type Again, planAgain } from "../walk/again.ts";
import { walkRange } from "../walk/walk.ts";

const HEARTBEAT_MS = 10_000;
/** Of fills before the beginning: enough to say where they begin, and to go past pages that are empty. */
const MAX_OLDER_PAGES = 50;

/** Of several problems, the one that a person must deal with first. */
const URGENCY: readonly ErrorKind[] = ["fault", "token", "usage", "untrusted", "incomplete"];

/**
 * Walks what of the asked range is not covered yet and commits as it goes; run again, it goes on where it stopped. What ended the run early is
 * in `problem`; rejects only when there is no archive to speak of.
 */
export async function syncArchive(job: Job, request: SyncRequest): Promise<SyncResult> {
  return await boundingNewSpace(() => syncUntilAlone(job, request));
}

async function syncUntilAlone(job: Job, request: SyncRequest): Promise<SyncResult> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      const session = await openArchive(job);
      if (!isFirst) {
        // Another run has written before this one did: from now on they take turns.
        await session.take();
      }
      return await syncOnce(job, request, session);
    } catch (error) {
      if (!(error instanceof OvertakenError)) {
        throw error;
      }
    }
  }
}

async function openArchive(job: Job): Promise<ArchiveSession> {
  return await ArchiveSession.open(job, (holder) => reportWaiting(job, holder));
}

async function syncOnce(job: Job, request: SyncRequest, session: ArchiveSession): Promise<SyncResult> {
  const now = job.clock.now();
  const latest = now - job.settleLagMs;
  const asked: TimeRange = { from: request.from ?? BEGINNING_MS, to: request.to ?? latest };
  const before = { manifest: session.manifest, calendar: session.calendar };
  const range = { from: asked.from, to: Math.min(asked.to, latest) };
  const again = request.to === undefined ? await planAgain(session, { now, latest, lookBackMs: job.lookBackMs }) : null;
  const running = new AbortController();
  const signal = AbortSignal.any([job.signal, running.signal]);
  const lost = keepAlive(job, session, running);
  const outcome = await walkRange({ ...job, signal }, session, {
    range,
    again,
    horizon: { from: BEGINNING_MS, to: latest },
  });
  running.abort();
  const problems = [...outcome.problems];
  const fenced = await lost;
  if (fenced !== null) {
    problems.push(fenced);
  }
  if (request.from === undefined && problems.length === 0 && isToBeAsked(job, before.manifest, again, now)) {
    problems.push(...(await olderThanBeginning(job).catch((error: unknown) => [asFillbookError(error)])));
  }
  const isCovered = covers(session.manifest.coverage, asked);
  if (problems.length === 0 && !isCovered) {
    problems.push(notYet(asked, latest));
  }
  const overtaken = problems.find((one) => one instanceof OvertakenError);
  if (overtaken !== undefined) {
    throw overtaken;
  }
  const listProblem = await publishPartLists(job, session, before);
  // A list that names what is deleted would make its readers fail.
  const collects = problems.length === 0 && listProblem === null && request.collects !== false;
  const { mark, ...orphans } = collects ? await collectWhenDue(job, session) : NOTHING_COLLECTED;
  if (!problems.some((one) => one instanceof FencedError)) {
    problems.push(...(await endSession(job, session, mostUrgent(problems), mark)));
  }
  const problem = mostUrgent(problems);
  const { manifest, calendar, counts } = session.committed;
  return {
    account: job.account,
    from: asked.from,
    to: asked.to,
    complete: problem === null && covers(manifest.coverage, asked),
    fills: manifest.fills,
    added: counts.added,
    restated: counts.restated,
    requests: job.reader.counts.requests,
    refused: job.reader.counts.refused,
    pages: outcome.pages,
    exceptions: calendar.sum.exceptions,
    lateness: manifest.lateness,
    coverage: manifest.coverage,
    manifest: session.manifestRef,
    orphans,
    listProblem,
    problem,
  };
}

/** Before the beginning is asked for when a run gets there first, and then as often as old times are walked again. */
function isToBeAsked(job: Job, before: Manifest, again: Again | null, now: number): boolean {
  return job.lookBackMs === 0 || !holds(before.coverage, BEGINNING_MS) || again?.rotatedAt === now;
}

const NOTHING_COLLECTED: Collected = { deleted: 0, problem: null, mark: null };

/** What keeps the run from giving the archive back, a full disk for one, is a problem of its own beside those that are known already. */
async function endSession(
  job: Job,
  session: ArchiveSession,
  problem: FillbookError | null,
  mark: Collected["mark"],
): Promise<FillbookError[]> {
  const lastRun = { endedAt: job.clock.now(), complete: problem === null, problem: problem?.message ?? null };
  try {
    await session.release(lastRun, mark);
  } catch (error) {
    if (error instanceof OvertakenError) {
      throw error;
    }
    // Where everything is committed by now, a run that took over meanwhile takes nothing away.
    return error instanceof FencedError && !session.isStaged ? [] : [asFillbookError(error)];
  }
  return [];
}

/** Writes the head now and then, so that no other run takes this one for dead. Resolves when the run is over, to what took the archive from it. */
async function keepAlive(job: Job, session: ArchiveSession, running: AbortController): Promise<FillbookError | null> {
  while (!running.signal.aborted) {
    try {
      await job.clock.sleep(HEARTBEAT_MS, running.signal);
      if (session.idleMs >= HEARTBEAT_MS) {
        await session.heartbeat();
      }
    } catch (error) {
      if (error instanceof StoppedError) {
        break;
      }
      running.abort();
      return asFillbookError(error);
    }
  }
  return null;
}

export function mostUrgent(problems: readonly FillbookError[]): FillbookError | null {
  return problems.toSorted((a, b) => URGENCY.indexOf(a.kind) - URGENCY.indexOf(b.kind))[0] ?? null;
}

/** The range was walked as far as it may be, and is not covered. */
export function notYet(asked: TimeRange, latest: number): FillbookError {
  const hint =
    asked.to > latest
      ? `fills may appear late, so nothing after ${isoTime(latest)} was read: run again after ${isoTime(asked.to + 1)}`
      : "run again";
  return new FillbookError("incomplete", `not all of ${isoTime(asked.from)} to ${isoTime(asked.to)} is covered yet`, {
    hint,
  });
}

/** A question without a lower bound: a fill before the beginning would mean that the archive is not whole. */
async function olderThanBeginning(job: Job): Promise<FillbookError[]> {
  const older: number[] = [];
  const request = { endDate: BEGINNING_MS - 1 };
  let start: { start?: string } = {};
  for (let page = 0; page < MAX_OLDER_PAGES; page += 1) {
    const answer = await job.reader.completedOrders({ ...request, ...start }, job.signal);
    const times =
      answer.kind === "page" ? answer.rows.flatMap((row) => ("fill" in row ? [row.fill.txCreated] : [])) : [];
    older.push(...times.filter((time) => time < BEGINNING_MS));
    const isElsewhere = times.length > 0 && older.length === 0;
    if (answer.kind !== "page" || answer.last === undefined || isElsewhere) {
      break;
    }
    start = { start: answer.last };
  }
  if (older.length === 0) {
    return [];
  }
  const from = isoTime(Math.min(...older)).slice(0, 10);
  return [
    new FillbookError("incomplete", `the account has fills before ${isoTime(BEGINNING_MS)}`, {
      hint: `say where it begins: --from ${from}`,
    }),
  ];
}

function reportWaiting(job: Job, holder: string): void {
  const { requests, refused } = job.reader.counts;
  const note = `another run (${holder}) holds the archive`;
  const nothing = { windowsDone: 0, windowsOpen: 0, pages: 0, fillsSeen: 0, covered: 0 };
  job.report({ stage: "waiting", note, ...nothing, requests, refused });
}
