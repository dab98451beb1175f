import { type Collected, collectWhenDue } from "../archive/collect.ts";
import { FencedError, readHead } from "../archive/head.ts";
import { ArchiveSession } from "../archive/session.ts";
import { asFillbookError, type ErrorKind, FillbookError } from "../core/errors.ts";
import { covers, union } from "../core/ranges.ts";
import { BEGINNING_MS, isoTime, type TimeRange } from "../core/time.ts";
import { coveredTwice } from "../walk/plan.ts";
import { walk } from "../walk/walk.ts";
import { WalkState } from "../walk/walk-state.ts";
import type { RunContext, SyncRequest, SyncResult } from "./context.ts";
import { checkTrader } from "./same-trader.ts";
import { reportTo } from "./walk-progress.ts";

/** The order in which a user should deal with problems. */
const URGENCY: readonly ErrorKind[] = ["fault", "token", "usage", "untrusted", "incomplete"];

/**
 * Reads the part of the range that is not covered yet, and reads it a second time; commits as it goes. The
 * next run continues where this one stopped. `problem` says what ended the run early. Rejects if the archive
 * cannot be read.
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
  const session = await ArchiveSession.open(job, { owner, isRebound: request.rebinds === true });
  return await syncOnce(job, request, session);
}

async function syncOnce(job: RunContext, request: SyncRequest, session: ArchiveSession): Promise<SyncResult> {
  const latest = job.clock.now() - job.settleLagMs;
  const asked: TimeRange = { from: request.from ?? BEGINNING_MS, to: request.to ?? latest };
  const range = { from: asked.from, to: Math.min(asked.to, latest) };
  const pace = request.pace ?? (job.hurries === true ? "hurry" : "usual");
  const state = new WalkState(job, session);
  reportTo(state, range);
  await checkTrader(state)
    .then(() => walk(state, { range, pace, again: request.rechecksAll === true }))
    .catch((error: unknown) => void state.problems.push(asFillbookError(error)));
  const { problems, pages } = state;
  const isCovered = () => covers(pace === "once" ? union(session.coverage) : coveredTwice(session.coverage), asked);
  if (problems.length === 0 && !isCovered()) {
    problems.push(notYet(asked, latest));
  }
  const before = mostUrgent(problems);
  const lastRun = { endedAt: job.clock.now(), complete: before === null, problem: before?.message ?? null };
  await session.end(lastRun).catch((error: unknown) => problems.push(asFillbookError(error)));
  const collects = problems.length === 0 && request.collects !== false;
  const orphans: Collected = collects ? await collectWhenDue(job, session) : { deleted: 0, problem: null };
  const problem = mostUrgent(problems);
  const { manifest, counts } = session;
  return {
    account: job.account,
    from: asked.from,
    to: asked.to,
    complete: problem === null && isCovered(),
    fills: manifest.fills,
    added: counts.added,
    restated: counts.restated,
    requests: job.reader.counts.requests,
    refused: job.reader.counts.refused,
    pages,
    exceptions: manifest.dataFiles.reduce((sum, { exceptions }) => sum + exceptions, 0),
    coverage: manifest.coverage,
    manifest: session.head?.manifest ?? null,
    orphans,
    problem,
  };
}

/** Another run's archive is not this one's problem to explain twice. */
export function mostUrgent(problems: readonly FillbookError[]): FillbookError | null {
  const isFenced = (one: FillbookError) => Number(one instanceof FencedError);
  return (
    problems.toSorted((a, b) => isFenced(b) - isFenced(a) || URGENCY.indexOf(a.kind) - URGENCY.indexOf(b.kind))[0] ??
    null
  );
}

/** The error for a range that was read as far as possible and is not covered. */
export function notYet(asked: TimeRange, latest: number): FillbookError {
  const hint =
    asked.to > latest
      ? `fills may appear late, so nothing after ${isoTime(latest)} was read: run again after ${isoTime(asked.to + 1)}`
      : "run again";
  return new FillbookError("incomplete", `not all of ${isoTime(asked.from)} to ${isoTime(asked.to)} is covered yet`, {
    hint,
  });
}
