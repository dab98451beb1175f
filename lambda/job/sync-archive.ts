import { type Collected, collectWhenDue } from "../archive/collect.ts";
import { FencedError } from "../archive/fenced.ts";
import { readHead } from "../archive/head.ts";
import type { Manifest } from "../archive/manifest.ts";
import { ArchiveSession } from "../archive/session.ts";
import { BEGINNING_MS } from "../core/beginning.ts";
import { asFillbookError, type ErrorKind, FillbookError, StoppedError } from "../core/errors.ts";
import { covers, holds } from "../core/ranges.ts";
import { isoTime, type TimeRange } from "../core/time.ts";
import { walkRange } from "../walk/walk.ts";
import type { Recheck } from "../walk/walk-request.ts";
import { askBeforeBeginning, unsettledBeginning } from "./before-beginning.ts";
import type { RunContext, SyncRequest, SyncResult } from "./context.ts";
import { NOTHING_READ } from "./export-progress.ts";
import { type LookBack, leftAloneSince, planRecheck, wholeRecheck } from "./recheck.ts";

const HEARTBEAT_MS = 10_000;

/** The order in which a user should deal with problems. */
const URGENCY: readonly ErrorKind[] = ["fault", "token", "usage", "untrusted", "incomplete"];

/**
 * Walks the part of the range that is not covered yet and commits as it goes. The next run continues where
 * this one stopped. `problem` says what ended the run early. Rejects if the archive cannot be read, or if
 * another run holds it for too long.
 */
export async function syncArchive(job: RunContext, request: SyncRequest): Promise<SyncResult> {
  const { from = BEGINNING_MS, to = Number.POSITIVE_INFINITY } = request;
  if (to <= from) {
    throw new FillbookError("usage", `the range ${isoTime(from)} to ${isoTime(to)} is empty`, {
      hint: `without --from, a sync begins at ${isoTime(BEGINNING_MS).slice(0, 10)}: give an earlier --from or a later --to`,
    });
  }
  const owner = (await job.owner?.()) ?? null;
  if (owner === null && job.requireAccess !== undefined && (await readHead(job.store, job.account)) === null) {
    await job.requireAccess(); // a run that cannot fill an archive begins none
  }
  const session = await ArchiveSession.open(job, (holder) => reportWaiting(job, holder), {
    owner,
    isRebound: request.rebinds === true,
  });
  try {
    return await syncOnce(job, request, session);
  } catch (error) {
    const { message } = asFillbookError(error);
    // The original error is reported. If the archive cannot be released either, the next run waits for the
    // lease to end.
    await session.release({ endedAt: job.clock.now(), complete: false, problem: message }).catch(() => undefined);
    throw error;
  }
}

async function syncOnce(job: RunContext, request: SyncRequest, session: ArchiveSession): Promise<SyncResult> {
  const now = job.clock.now();
  const latest = now - job.settleLagMs;
  const asked: TimeRange = { from: request.from ?? BEGINNING_MS, to: request.to ?? latest };
  const before = { manifest: session.manifest, manifestIndex: session.manifestIndex };
  const range = { from: asked.from, to: Math.min(asked.to, latest) };
  const lookBack = lookBackOf(job, { now, latest }, request.to === undefined ? undefined : range);
  const { recheck, leftAlone } = await recheckOf(session, lookBack, { range, request });
  const running = new AbortController();
  const signal = AbortSignal.any([job.signal, running.signal]);
  const lost = keepAlive(job, session, running);
  const problems: FillbookError[] = [];
  let pages = 0;
  try {
    const outcome = await walkRange({ ...job, signal }, session, { range, recheck });
    problems.push(...outcome.problems);
    pages = outcome.pages;
    const note = (error: unknown) => problems.push(asFillbookError(error));
    if (problems.length === 0) {
      await session.settleNewlyHeld().catch(note);
    }
    if (request.from === undefined && problems.length === 0 && isToBeAsked(job, before.manifest, recheck, now)) {
      await askBeforeBeginning({ ...job, signal }, session).catch(note);
    }
  } finally {
    running.abort();
  }
  const fenced = await lost;
  if (fenced !== null) {
    problems.push(fenced);
  }
  problems.push(...unsettledBeginning(session.manifest, asked));
  const isCovered = covers(session.manifest.coverage, asked);
  if (problems.length === 0 && !isCovered) {
    problems.push(notYet(asked, latest));
  }
  const collects = problems.length === 0 && request.collects !== false;
  const { mark, ...orphans } = collects ? await collectWhenDue(job, session) : NOTHING_COLLECTED;
  if (!problems.some((one) => one instanceof FencedError)) {
    problems.push(...(await endSession(job, session, lastProblem(session, request, problems), mark)));
  }
  const problem = mostUrgent(problems);
  const { manifest, manifestIndex, counts } = session.committed;
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
    pages,
    exceptions: manifestIndex.sum.exceptions,
    lateness: manifest.lateness,
    ...(leftAlone === null ? {} : { leftAloneSince: leftAlone }),
    coverage: manifest.coverage,
    manifest: session.manifestRef,
    orphans,
    problem,
  };
}

/** What this run rechecks, and when the times that it leaves alone were last walked. */
async function recheckOf(
  session: ArchiveSession,
  lookBack: LookBack,
  { range, request }: { readonly range: TimeRange; readonly request: SyncRequest },
): Promise<{ readonly recheck: Recheck | null; readonly leftAlone: number | null }> {
  const planned = await planRecheck(session, lookBack);
  return request.rechecksAll === true
    ? { recheck: wholeRecheck(session.manifest, planned, range), leftAlone: null }
    : { recheck: planned, leftAlone: leftAloneSince(session.manifest, lookBack) };
}

/** The look-back of this job. `range`: the requested range, if it has an end of its own. */
export function lookBackOf(
  job: Pick<RunContext, "lookBackMs" | "alwaysLooksBack">,
  times: { readonly now: number; readonly latest: number },
  range?: TimeRange,
): LookBack {
  const { lookBackMs, alwaysLooksBack: always = false } = job;
  return { ...times, lookBackMs, always, ...(range === undefined ? {} : { range }) };
}

/**
 * True if this run asks for the time before the beginning: when it reaches the beginning first, then as often
 * as old times are rechecked, and while fills found there are not settled.
 */
function isToBeAsked(job: RunContext, before: Manifest, recheck: Recheck | null, now: number): boolean {
  const isUnsettled = unsettledBeginning(before, { from: BEGINNING_MS }).length > 0;
  return isUnsettled || job.lookBackMs === 0 || !holds(before.coverage, BEGINNING_MS) || recheck?.rotatedAt === now;
}

const NOTHING_COLLECTED: Collected = { deleted: 0, problem: null, mark: null };

/** The problem for the head's last run: also that fills are missing which only the caller needs. */
function lastProblem(
  { manifest }: ArchiveSession,
  { neededFrom }: SyncRequest,
  problems: readonly FillbookError[],
): FillbookError | null {
  const needed = neededFrom === undefined ? [] : unsettledBeginning(manifest, { from: neededFrom });
  return mostUrgent([...problems, ...needed]);
}

/**
 * An error that keeps the run from releasing the archive, such as a full disk, is reported in addition to the
 * others.
 */
async function endSession(
  job: RunContext,
  session: ArchiveSession,
  problem: FillbookError | null,
  mark: Collected["mark"],
): Promise<FillbookError[]> {
  const lastRun = { endedAt: job.clock.now(), complete: problem === null, problem: problem?.message ?? null };
  try {
    await session.release(lastRun, mark);
  } catch (error) {
    // If everything is committed, a run that has taken over meanwhile does no harm.
    return error instanceof FencedError && !session.isStaged ? [] : [asFillbookError(error)];
  }
  return [];
}

/**
 * Writes the head at intervals so that no other run takes this one for dead. Resolves when the walk is over:
 * to the error if the head could not be written, else to null.
 */
async function keepAlive(
  job: RunContext,
  session: ArchiveSession,
  running: AbortController,
): Promise<FillbookError | null> {
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

/** The error for a range that was walked as far as possible and is not covered. */
export function notYet(asked: TimeRange, latest: number): FillbookError {
  const hint =
    asked.to > latest
      ? `fills may appear late, so nothing after ${isoTime(latest)} was read: run again after ${isoTime(asked.to + 1)}`
      : "run again";
  return new FillbookError("incomplete", `not all of ${isoTime(asked.from)} to ${isoTime(asked.to)} is covered yet`, {
    hint,
  });
}

function reportWaiting(job: RunContext, holder: string): void {
  const { requests, refused } = job.reader.counts;
  const note = `the archive is held by another run (${holder})`;
  job.report({ ...NOTHING_READ, stage: "waiting", note, requests, refused });
}
