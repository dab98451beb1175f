import type { Known, Manifest } from "../archive/manifest.ts";
import type { Period } from "../core/period.ts";
import { BEGINNING_MS, DAY_MS, type TimeRange } from "../core/time.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { coveredOnce, coveredTwice, type Plan, planReading } from "../walk/plan.ts";
import type { RunContext } from "./context.ts";

/** What a run would read, and what an export needs. Pure. */

const LEAST_MARGIN_MS = 7 * DAY_MS;

export interface RunPlan extends Plan {
  /** Times that wait for their second reading. */
  readonly waiting: readonly TimeRange[];
}

/** `again`: read everything in the range once more. */
export function runPlan(job: RunContext, { coverage, known }: Manifest, range: TimeRange, again = false): RunPlan {
  const { lookBackMs, alwaysLooksBack = false, clock } = job;
  const request = { range, lookBackMs, alwaysLooksBack, again, now: clock.now() };
  return { ...planReading(coverage, known, request), waiting: coveredOnce(coverage, range) };
}

/** What a pack needs, as far as the user's settings tell. */
export interface Needed {
  readonly period: Period;
  /** Where the history of its accounts begins, ms UTC. */
  readonly historyFrom: number;
  /** Later fills cannot be read yet, ms UTC. */
  readonly latest: number;
}

/** The opening positions that the user declared for all markets, or else the account's beginning, ms UTC. */
export function historyBegins({ openings }: Inputs): number {
  const declaresAll = openings.some(({ market }) => market === null);
  return declaresAll ? Math.min(...openings.map(({ asOf }) => asOf)) : BEGINNING_MS;
}

/**
 * The times, by `txCreated`, that an export reads. A fill belongs to the period by its trade time, so a
 * margin on both sides is read, at least as wide as the largest distance that was seen between the two.
 */
export function exportRange({ period, historyFrom, latest }: Needed, { skewMs }: Known): TimeRange {
  const weeks = Math.max(1, skewMs / LEAST_MARGIN_MS);
  const margin = LEAST_MARGIN_MS * 2 ** Math.ceil(Math.log2(weeks)); // doubled, so that it is not widened often
  return {
    // A start far in the past, such as the epoch, must not send the walk to times before any account existed.
    from: Math.min(period.from, historyFrom, Math.max(BEGINNING_MS, period.from - margin)),
    to: Math.max(period.to, Math.min(period.to + margin, latest)),
  };
}

/**
 * What an export needed when the archive was last read: it has to do if the service cannot be asked. A trade may be
 * filed as much later as any was seen to be.
 */
export function rangeAsRead(needed: Needed, { coverage, known }: Manifest): TimeRange {
  const end = coveredTwice(coverage).at(-1)?.to ?? Number.NEGATIVE_INFINITY;
  const range = exportRange({ ...needed, latest: Math.min(needed.latest, end) }, known);
  return { ...range, to: Math.max(range.to, Math.min(needed.period.to + known.skewMs, needed.latest)) };
}

/**
 * The job of an export. It looks back at the period's newest days, unless that was done when they were as old
 * as a look-back reaches.
 */
export function exportJob(
  job: RunContext,
  { lookedBackAt, lookedBackTo }: Known,
  { period }: Needed,
  { to }: TimeRange,
): RunContext {
  const { lookBackMs, alwaysLooksBack, clock } = job;
  const at = lookedBackAt === null || lookedBackAt > clock.now() ? 0 : lookedBackAt; // a clock was ahead
  const isSettled = alwaysLooksBack !== true && at >= to + lookBackMs && (lookedBackTo ?? 0) >= to;
  return { ...job, lookBackMs: isSettled || lookBackMs === 0 ? 0 : lookBackMs + to - period.to };
}
