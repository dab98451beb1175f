import type { Context } from "aws-lambda";
import type { CommandContext } from "./cli/commands/command.ts";
import { systemClock } from "./core/clock.ts";
import { asFillbookError } from "./core/errors.ts";
import { createRedactor } from "./core/log.ts";
import { systemRandom } from "./core/random.ts";
import { createRunContext } from "./job/components.ts";
import type { RunContext } from "./job/context.ts";
import { groupRefused } from "./job/export-pack.ts";
import { accountEnvironment } from "./job/lambda/account.ts";
import { watchDeadline } from "./job/lambda/deadline.ts";
import { readEvent, type SliceEvent } from "./job/lambda/event.ts";
import { boundTo, createLog, progressLog } from "./job/lambda/lambda-log.ts";
import { metricRecord, NOTHING_MEASURED, withFailure } from "./job/lambda/metrics.ts";
import { type Answer, namedError, planSlice, runSlice } from "./job/lambda/slice.ts";
import { readTask } from "./job/lambda/task.ts";
import { keepWarm } from "./job/lambda/warm.ts";
import { processEnvironment, readSettings } from "./job/settings.ts";
import { leaveTaskAnswer, type TaskAnswer } from "./job/task-answer.ts";

export type SliceContext = Pick<Context, "awsRequestId" | "getRemainingTimeInMillis">;

/**
 * Long enough for a dead run's lease to end. For an active run, the state machine waits between slices, where
 * waiting costs nothing.
 */
const LEASE_WAIT_MS = 45_000;

const clock = systemClock;
const { hide, redact } = createRedactor();
const warmParts = keepWarm(clock, hide);

/**
 * One slice of a run, as Lambda calls it: makes settings from the event and runs the same job as the command
 * line. Resolves to the command's JSON with `complete`. Rejects with an error that has the name of its kind
 * (TokenRefused, UntrustedData, BadSettings, NotComplete, Fault).
 */
export async function handler(event: unknown, context: SliceContext): Promise<Answer> {
  const {
    cancel,
    signal,
    leftMs: timeLeftMs,
    sliceMs,
  } = watchDeadline(clock, () => context.getRemainingTimeInMillis());
  const { awsRequestId: id } = context;
  try {
    const time = { signal, timeLeftMs, sliceMs, leaseWaitMs: LEASE_WAIT_MS };
    return await answerTo(event, { id, holder: `lambda:${id}`, time });
  } catch (error) {
    throw namedError(error, redact);
  } finally {
    cancel();
  }
}

/**
 * Runs the same job as a task, for work that no slice is long enough for. It has no deadline, but ends when
 * `signal` aborts. The event is in the environment. The answer, or the error, is left in the archive's store.
 * Rejects if it cannot be stored.
 */
export async function task(signal: AbortSignal): Promise<void> {
  const { event, runId } = readTask(processEnvironment());
  const settings = settingsFor(readEvent(event));
  const id = systemRandom.id();
  const answer = await answerTo(event, { id, holder: `task:${id}`, time: { signal } }).then(taskAnswer, taskFailure);
  await leaveTaskAnswer(await warmParts(settings).store(), { account: settings.account, runId }, answer);
}

interface Run {
  /** Identifies the invocation in the log. */
  readonly id: string;
  readonly holder: string;
  readonly time: Pick<RunContext, "signal" | "timeLeftMs" | "sliceMs" | "leaseWaitMs">;
}

function settingsFor({ account }: SliceEvent) {
  const environment = accountEnvironment(processEnvironment(), account);
  return { ...readSettings(environment), packStore: environment["FILLBOOK_PACK_STORE"] || null };
}

async function answerTo(event: unknown, { id, holder, time }: Run): Promise<Answer> {
  const known = boundTo(event, id);
  let log = createLog({ clock, redact }, known);
  let measured = NOTHING_MEASURED;
  try {
    const asked = readEvent(event);
    const settings = settingsFor(asked);
    const { account } = settings;
    const components = warmParts(settings);
    log = createLog({ clock, redact }, { ...known, account });
    const plan = planSlice(asked);
    const { signal, timeLeftMs } = time;
    log.info("slice begins", { action: asked.action, remainingMs: timeLeftMs?.() ?? null });
    const report = progressLog(log, clock);
    const live: CommandContext = {
      ...components,
      settings,
      signal,
      say: (line) => log.info(line),
      // Host names and process numbers repeat between sandboxes, so a holder can never be known to be dead.
      job: async () => ({
        ...(await createRunContext(settings, components, { ...time, report })),
        holder,
        isDead: () => false,
      }),
      jobOf: () => Promise.reject(groupRefused(`${account}/inputs/accounts.json`)),
    };
    const answer = await runSlice(plan, live, (slice) => {
      measured = slice;
    });
    log.info("slice ended", answer);
    log.record(metricRecord(measured, clock.now(), processEnvironment()));
    return answer;
  } catch (thrown) {
    const error = namedError(thrown, redact);
    log.error("slice failed", { error: error.name, reason: error.message });
    log.record(metricRecord(withFailure(measured, error), clock.now(), processEnvironment()));
    throw thrown;
  }
}

function taskAnswer(answer: Answer): TaskAnswer {
  return { answer, problem: answer.error ?? null };
}

function taskFailure(thrown: unknown): TaskAnswer {
  const { kind } = asFillbookError(thrown);
  return { answer: null, problem: { kind, message: namedError(thrown, redact).message, hint: null } };
}
