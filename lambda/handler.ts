import type { Context } from "aws-lambda";
import type { CommandContext } from "./cli/commands/command.ts";
import { systemClock } from "./core/clock.ts";
import { createRedactor } from "./core/log.ts";
import { createRunContext } from "./job/components.ts";
import { groupRefused } from "./job/export-pack.ts";
import { accountEnvironment } from "./job/lambda/account.ts";
import { watchDeadline } from "./job/lambda/deadline.ts";
import { readEvent } from "./job/lambda/event.ts";
import { boundTo, createLog, progressLog } from "./job/lambda/lambda-log.ts";
import { metricRecord, NOTHING_MEASURED, withFailure } from "./job/lambda/metrics.ts";
import { type Answer, namedError, planSlice, runSlice } from "./job/lambda/slice.ts";
import { keepWarm } from "./job/lambda/warm.ts";
import { processEnvironment, readSettings } from "./job/settings.ts";

export type SliceContext = Pick<Context, "awsRequestId" | "getRemainingTimeInMillis">;

/** A dead run's lease ends in it; a living one is waited for between slices, where waiting costs nothing. */
const LEASE_WAIT_MS = 45_000;

const clock = systemClock;
const { hide, redact } = createRedactor();
const warmParts = keepWarm(clock, hide);

/**
 * One slice of a run, as Lambda calls it: event to settings to the same job as the command line's. Resolves to the command's JSON with `complete`;
 * rejects with an error that is named for its kind (TokenRefused, UntrustedData, BadSettings, NotComplete, Fault).
 */
export async function handler(event: unknown, context: SliceContext): Promise<Answer> {
  const deadline = watchDeadline(clock, () => context.getRemainingTimeInMillis());
  const known = boundTo(event, context.awsRequestId);
  let log = createLog({ clock, redact }, known);
  let measured = NOTHING_MEASURED;
  try {
    const asked = readEvent(event);
    const settings = readSettings(accountEnvironment(processEnvironment(), asked.account));
    const { account } = settings;
    const components = warmParts(settings);
    log = createLog({ clock, redact }, { ...known, account });
    const plan = planSlice(asked);
    log.info("slice begins", { action: asked.action, remainingMs: context.getRemainingTimeInMillis() });
    const { signal, leftMs: timeLeftMs } = deadline;
    const report = progressLog(log, clock);
    const live: CommandContext = {
      ...components,
      settings,
      signal,
      say: (line) => log.info(line),
      // host names and process numbers repeat between sandboxes, so that nothing is known of another holder
      job: async () => ({
        ...(await createRunContext(settings, components, { signal, timeLeftMs, report })),
        holder: `lambda:${context.awsRequestId}`,
        isDead: () => false,
        leaseWaitMs: LEASE_WAIT_MS,
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
    throw error;
  } finally {
    deadline.cancel();
  }
}
