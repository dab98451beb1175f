import v8 from "node:v8";
import type { Context } from "aws-lambda";
import type { CommandContext } from "./cli/commands/command.ts";
import { systemClock } from "./core/clock.ts";
import { createRedactor } from "./core/log.ts";
import { createComponents, createRunContext } from "./job/components.ts";
import { groupRefused } from "./job/export-pack.ts";
import { accountEnvironment } from "./job/lambda/account.ts";
import { watchDeadline } from "./job/lambda/deadline.ts";
import { readEvent } from "./job/lambda/event.ts";
import { boundTo, createLog, progressLog } from "./job/lambda/lambda-log.ts";
import { metricRecord, NOTHING_MEASURED, withFailure } from "./job/lambda/metrics.ts";
import { type Answer, namedError, planSlice, runSlice } from "./job/lambda/slice.ts";
import { processEnvironment, readSettings } from "./job/settings.ts";

v8.setFlagsFromString("--heap-growing-percent=100"); // a quarter less memory

export type SliceContext = Pick<Context, "awsRequestId" | "getRemainingTimeInMillis">;

const clock = systemClock;
const { hide, redact } = createRedactor();

/**
 * One slice of a run, as Lambda calls it: makes settings from the event and runs the same job as the command
 * line. Resolves to the command's JSON with `complete`. Rejects with an error that has the name of its kind
 * (TokenRefused, UntrustedData, BadSettings, NotComplete, Fault).
 */
export async function handler(event: unknown, context: SliceContext): Promise<Answer> {
  const deadline = watchDeadline(clock, () => context.getRemainingTimeInMillis());
  const { signal, leftMs, sliceMs } = deadline;
  const { awsRequestId: id } = context;
  const known = boundTo(event, id);
  let log = createLog({ clock, redact }, known);
  let measured = NOTHING_MEASURED;
  try {
    const asked = readEvent(event);
    const environment = accountEnvironment(processEnvironment(), asked.account);
    const settings = { ...readSettings(environment), packStore: environment["FILLBOOK_PACK_STORE"] || null };
    const { account } = settings;
    const components = createComponents(settings, hide);
    log = createLog({ clock, redact }, { ...known, account });
    const plan = planSlice(asked);
    log.info("slice begins", { action: asked.action, remainingMs: leftMs() });
    const run = { signal, timeLeftMs: leftMs, sliceMs, report: progressLog(log, clock) };
    const live: CommandContext = {
      ...components,
      settings,
      signal,
      say: (line) => log.info(line),
      job: () => createRunContext(settings, components, run),
      jobOf: () => Promise.reject(groupRefused(`${account}/inputs/accounts.json`)),
    };
    const answer = await runSlice(plan, live, (slice) => {
      measured = slice;
    });
    log.info("slice ended", answer);
    log.record(metricRecord(measured, clock.now()));
    return answer;
  } catch (thrown) {
    const error = namedError(thrown, redact);
    log.error("slice failed", { error: error.name, reason: error.message });
    log.record(metricRecord(withFailure(measured, error), clock.now()));
    throw error;
  } finally {
    deadline.cancel();
  }
}
