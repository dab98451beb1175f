import type { Manifest } from "../archive/manifest.ts";
import { readArchive, readNewestArchive } from "../archive/read.ts";
import { asFillbookError, type ErrorKind, FillbookError } from "../core/errors.ts";
import { covers } from "../core/ranges.ts";
import { BEGINNING_MS, isoTime } from "../core/time.ts";
import { coveredTwice } from "../walk/plan.ts";
import type { ExportResult, RunContext } from "./context.ts";
import type { WholeProgress } from "./export-progress.ts";
import { exportJob, exportRange, type Needed, type RunPlan, rangeAsRead, runPlan } from "./reading-plan.ts";
import { noArchive } from "./store-place.ts";
import { syncArchive } from "./sync-archive.ts";

/** Kinds of errors that keep a run from asking the service without casting doubt on what is covered. */
const AWAY: readonly ErrorKind[] = ["usage", "token", "incomplete"];

/** What an export knows of its fills. `problem` null: the period and its history were read twice. */
type Read = Pick<ExportResult, "problem" | "notes">;

/**
 * Reads the period, with a margin, and the history twice. Where the two times of a fill turn out to lie
 * further apart than the margin, it reads on. Asks nothing if nothing is due.
 */
export async function readNeeded(
  job: RunContext,
  needed: Needed,
  progress: WholeProgress,
  allowIncomplete: boolean,
): Promise<Read> {
  const { held, manifest } = await readNewestArchive(job.store, job.account);
  const away = allowIncomplete ? await job.requireAccess?.().catch(asFillbookError) : undefined;
  if (away?.kind === "usage") {
    // the pack is made from the archive alone, and begins none
    return held === null ? Promise.reject(await noArchive(job)) : unasked(needed, manifest, away, true);
  }
  return await readOn(job, needed, { manifest, progress, allowIncomplete });
}

interface Reading {
  readonly manifest: Manifest;
  readonly progress: WholeProgress;
  readonly allowIncomplete: boolean;
}

async function readOn(job: RunContext, needed: Needed, { progress, allowIncomplete, ...of }: Reading): Promise<Read> {
  let { manifest } = of;
  let range = exportRange(needed, manifest.known);
  let own = exportJob(job, manifest.known, needed, range);
  if (covers(coveredTwice(manifest.coverage), range) && isNothing(runPlan(own, manifest, range))) {
    return { problem: null, notes: [] };
  }
  while (true) {
    const { from, to } = range;
    const begins = from === BEGINNING_MS ? {} : { from };
    const report = progress.ofWalk();
    const { problem, pages } = await syncArchive({ ...own, report }, { ...begins, to, collects: false });
    if (problem !== null) {
      const isAway = AWAY.includes(problem.kind) && pages === 0 && !job.signal.aborted;
      return isAway ? unasked(needed, manifest, problem, allowIncomplete) : { problem, notes: [] };
    }
    ({ manifest } = await readArchive(job.store, job.account));
    const wider = exportRange(needed, manifest.known);
    if (covers([range], wider)) {
      return { problem: null, notes: [] };
    }
    range = wider;
    own = { ...job, lookBackMs: 0, alwaysLooksBack: false };
  }
}

/** The service cannot be asked. What is covered is as good as before; the rest may be lacking if that is allowed. */
function unasked(needed: Needed, manifest: Manifest, away: FillbookError, allowIncomplete: boolean): Read {
  const { from, to } = rangeAsRead(needed, manifest);
  const twice = coveredTwice(manifest.coverage);
  const at = manifest.known.lookedBackAt;
  const since = at === null ? "it was last asked" : isoTime(at);
  const asOf = `the service was not asked (${away.message}): the pack lacks fills that were added or changed since ${since}. Export again when the service can be asked`;
  if (covers(twice, { from, to })) {
    return { problem: null, notes: [asOf] };
  }
  if (!allowIncomplete || away.kind !== "usage") {
    return { problem: away, notes: [] };
  }
  const start = needed.period.from;
  const blank = `the archive does not cover the time before ${isoTime(start)}: realised PnL that depends on it is left blank`;
  const message = `the archive does not cover all of ${isoTime(from)} to ${isoTime(to)}, and the service was not asked`;
  const problem = new FillbookError("incomplete", message, { hint: away.hint ?? "run again" });
  return { problem, notes: [asOf, ...(covers(twice, { from, to: start }) ? [] : [blank])] };
}

function isNothing({ first, waiting, again, rotation }: RunPlan): boolean {
  return first.length + waiting.length + again.length === 0 && rotation === null;
}
