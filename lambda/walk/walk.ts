import type { ArchiveSession } from "../archive/session.ts";
import { identityOf } from "../core/fill.ts";
import { isWithin, union } from "../core/ranges.ts";
import { MINUTE_MS, type TimeRange } from "../core/time.ts";
import { readFirst } from "./first.ts";
import { coveredOnce, type Plan, type PlanRequest, planReading } from "./plan.ts";
import { SecondReading } from "./second.ts";
import { readUndated } from "./undated.ts";
import { DatesIgnored, type WalkState } from "./walk-state.ts";

/** The second reading begins so long after the first one has ended, ms. */
const PAUSE_MS = MINUTE_MS;
/** What the second reading finds outside its questions makes it ask again, so often. */
const MOST_ROUNDS = 5;

export interface WalkRequest extends Omit<PlanRequest, "now" | "lookBackMs" | "alwaysLooksBack"> {
  /** `once`: the second reading is left to the next run. `hurry`: it begins at once. */
  readonly pace: "once" | "hurry" | "usual";
}

/**
 * Reads what the range lacks, twice, and what is due to be read again. Everything is filed in the session as
 * it comes.
 */
export async function walk(state: WalkState, request: WalkRequest): Promise<void> {
  const { job, session } = state;
  const { range, pace } = request;
  const { lookBackMs, alwaysLooksBack = false } = job;
  const asked = { ...request, lookBackMs, alwaysLooksBack, now: job.clock.now() };
  const plan = planReading(session.coverage, state.known, asked);
  try {
    await readFirst(state, plan.first);
    await session.flush();
    if (pace !== "once") {
      await readAgain(state, plan, asked);
    }
  } catch (error) {
    if (!(error instanceof DatesIgnored)) {
      throw error;
    }
    await readUndated(state, range, {
      isOnce: pace === "once",
      pause: () => pauseBetween(state, pace),
      lacks: (found) => isLacking(session, range, found),
    });
  }
}

/** Whether a fill of the range is held, and not found. */
async function isLacking(session: ArchiveSession, range: TimeRange, found: ReadonlySet<string>): Promise<boolean> {
  const known = new Set([...found, ...session.known.vanished]);
  for (const chunk of await session.chunksOf(range)) {
    const fills = await session.fillsIn(chunk);
    if (fills.some((fill) => isWithin(range, fill.txCreated) && !known.has(identityOf(fill)))) {
      return true;
    }
  }
  return false;
}

async function readAgain(state: WalkState, plan: Plan, { range, pace, now }: WalkRequest & PlanRequest): Promise<void> {
  const second = new SecondReading(state);
  let due = [...plan.again, ...(plan.rotation === null ? [] : [plan.rotation])];
  for (let round = 1; round <= MOST_ROUNDS && state.problems.length === 0; round += 1) {
    due = union([...due, ...coveredOnce(state.session.coverage, range)]);
    if (due.length > 0) {
      await pauseBetween(state, pace);
      await second.read(due);
      due = [];
    }
  }
  if (state.problems.length === 0) {
    const { again, rotation } = plan;
    const { lookedBackAt, rotatedAt } = state.known;
    state.session.learn({
      ...(again.length > 0 || lookedBackAt === null ? { lookedBackAt: now } : {}),
      ...(rotation !== null || rotatedAt === null ? { rotatedAt: now, rotatedTo: rotation?.from ?? null } : {}),
    });
  }
}

/** Two readings in one moment could be wrong in the same way: a replica that lags, an index that is rebuilt. */
async function pauseBetween(state: WalkState, pace: WalkRequest["pace"]): Promise<void> {
  const { job, session, known } = state;
  const leftMs = pace === "hurry" ? 0 : Math.min(PAUSE_MS, (known.readAt ?? 0) + PAUSE_MS - job.clock.now());
  if (leftMs > 0) {
    await session.flush();
    state.onReport({ stage: "waiting", note: "a minute before the second reading" });
    await job.clock.sleep(leftMs, job.signal);
  }
}
