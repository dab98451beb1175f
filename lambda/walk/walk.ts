import { isDeepStrictEqual } from "node:util";
import { identityOf } from "../core/fill.ts";
import { isWithin, union } from "../core/ranges.ts";
import { LATEST_MS, MINUTE_MS, type TimeRange } from "../core/time.ts";
import { readFirst, readUndated } from "./first.ts";
import { coveredOnce, type Plan, type PlanRequest, planReading } from "./plan.ts";
import { ignoresDates } from "./problems.ts";
import { WIDTHS } from "./question.ts";
import { SecondReading } from "./second.ts";
import { DatesIgnored, type WalkState, WalkStopped } from "./walk-state.ts";

/** The second reading begins so long after the first one has ended, ms. */
const PAUSE_MS = MINUTE_MS;
/** What the second reading finds outside its questions makes it ask again, so often. */
const MOST_ROUNDS = 5;

export interface WalkRequest extends Omit<PlanRequest, "now" | "lookBackMs" | "alwaysLooksBack"> {
  /** `once`: the second reading is left to the next run. `hurry`: it begins at once. */
  readonly pace: "once" | "hurry" | "usual";
}

/** Reads what the range lacks, twice, and what is due to be read again; files all of it as it comes. */
export async function walk(state: WalkState, request: WalkRequest): Promise<void> {
  const { job, session } = state;
  const { lookBackMs, alwaysLooksBack = false } = job;
  const asked = { ...request, lookBackMs, alwaysLooksBack, now: job.clock.now() };
  if (session.coverage.some(({ to }) => to > asked.now)) {
    // the clock was ahead of this one
    session.file({ fills: [], covers: null, doubts: [{ from: asked.now, to: LATEST_MS }] });
  }
  const plan = planReading(session.coverage, state.known, asked);
  try {
    await readFirst(state, plan.first);
    await session.flush();
    if (request.pace !== "once") {
      await readAgain(state, plan, asked);
    }
  } catch (error) {
    if (!(error instanceof DatesIgnored)) {
      throw error;
    }
    await readUndatedTwice(state, request.range, request.pace);
  }
}

/** What both readings of the one chain show alike counts. Without dates the service may show less than is held. */
async function readUndatedTwice(state: WalkState, range: TimeRange, pace: WalkRequest["pace"]): Promise<void> {
  const { session } = state;
  const first = await readUndated(state, range);
  const ends = Object.values((await (await session.held()).ends()) ?? {}); // beside them it may be cut
  const beside = (width: number) =>
    ends.map(({ txCreated: at }, place) => ({ from: at - width * (1 - place), to: at + width * place }));
  for (const near of WIDTHS.flatMap(beside)) {
    const { rows } = await state.read(near, { isOnePage: true, isProbe: true });
    session.file({ fills: rows, covers: null });
  }
  const held = (await session.fillsIn(range)).filter(({ txCreated }) => isWithin(range, txCreated));
  if (held.map(identityOf).some((one) => !(first.has(one) || session.known.vanished.includes(one)))) {
    throw new WalkStopped(ignoresDates(range));
  }
  session.file({ fills: [], covers: { ...range, readings: 1, silentIn: null } });
  if (pace !== "once") {
    await pauseBetween(state, pace);
    if (!isDeepStrictEqual(first, await readUndated(state, range))) {
      throw new WalkStopped(ignoresDates(range));
    }
    session.file({ fills: [], covers: { ...range, readings: 2, silentIn: null } });
  }
}

async function readAgain(state: WalkState, plan: Plan, { range, pace, now }: WalkRequest & PlanRequest): Promise<void> {
  const second = new SecondReading(state, plan.rotation !== null);
  const failures = state.problems.length; // of the first reading: what it has covered is read again all the same
  const planned = [...plan.again, ...(plan.rotation === null ? [] : [plan.rotation])];
  for (let round = 1; round <= MOST_ROUNDS && state.problems.length === failures; round += 1) {
    const due = union([...(round === 1 ? planned : []), ...coveredOnce(state.session.coverage, range)]);
    if (due.length > 0) {
      await pauseBetween(state, pace);
      await second.read(due);
    }
  }
  if (state.problems.length === failures) {
    const { looksBack, rotation } = plan;
    const { rotatedAt } = state.known;
    state.session.learn({
      ...(looksBack ? { lookedBackAt: now, lookedBackTo: range.to } : {}),
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
