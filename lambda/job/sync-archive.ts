import { type Collected, collectWhenDue } from "../archive/collect.ts";
import { FencedError, readHead } from "../archive/head.ts";
import { ArchiveSession } from "../archive/session.ts";
import { asFillbookError, type ErrorKind, FillbookError } from "../core/errors.ts";
import { type Fill, identityOf } from "../core/fill.ts";
import { covers, intersection, subtract, union, wider, width } from "../core/ranges.ts";
import { BEGINNING_MS, isoTime, type TimeRange } from "../core/time.ts";
import { MARGINS } from "../walk/judge.ts";
import { coveredTwice } from "../walk/plan.ts";
import { walk } from "../walk/walk.ts";
import { WalkState } from "../walk/walk-state.ts";
import type { RunContext, SyncRequest, SyncResult } from "./context.ts";

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

/**
 * Is this the archive's trader? One of its fills must come by its own time, before anything is kept; from a
 * service that ignores dates, with the first page. One request, unless it does not come.
 */
async function checkTrader(state: WalkState): Promise<void> {
  const { session } = state;
  const held = await session.held();
  const isChecked = session.trader.isSame || session.trader.isRebound;
  const fills = isChecked ? [] : [...(await held.newest(NEWEST_ORDERS)), ...[(await held.ends())?.first ?? []].flat()];
  for (const fill of fills) {
    if (await comes(state, fill)) {
      return;
    }
  }
  if (fills.length > 0) {
    const until = isoTime(Math.max(...fills.map(({ txCreated }) => txCreated)));
    const what = `the service does not show the archive's newest fills (${fills.length} up to ${until}) at their own times: nothing was filed`;
    const hint =
      "check whose token this is: another trader's fills need another --account or --store; if it is yours, and the service has lost or replaced these fills: fillbook sync --rebind";
    throw new FillbookError("untrusted", what, { hint });
  }
}

/** Of so many of the newest orders a fill is asked for. */
const NEWEST_ORDERS = 3;

async function comes(state: WalkState, fill: Fill): Promise<boolean> {
  const moment = { from: fill.txCreated, to: fill.txCreated };
  for (const margin of MARGINS.slice(1)) {
    const asked = wider(moment, margin);
    const answer = await state.read(moment, { asked, mostPages: () => 1, isProbe: true });
    if (answer.fills.has(identityOf(fill))) {
      return true;
    }
  }
  return false;
}

/** Shows how far the walk has come: the share of the range's two readings. */
function reportTo(state: WalkState, range: TimeRange): void {
  const { job, session } = state;
  let share = 0;
  state.onReport = (shown) => {
    const once = width(intersection(range, union(session.coverage)));
    const twice = width(intersection(range, coveredTwice(session.coverage)));
    share = Math.max(share, Math.min(1, (once + twice) / (2 * width([range]) || 1)));
    const { requests, refused } = job.reader.counts;
    job.report({
      stage: "walking",
      windowsDone: state.windowsDone,
      windowsOpen: subtract(range, union(session.coverage)).length,
      pages: state.pages,
      requests,
      refused,
      fillsSeen: state.fillsSeen,
      covered: covers(coveredTwice(session.coverage), range) ? 1 : Math.min(share, 0.99),
      ...shown,
    });
  };
}
