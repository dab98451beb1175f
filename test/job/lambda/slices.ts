import type { CommandContext } from "../../../lambda/cli/commands/command.ts";
import type { RunContext } from "../../../lambda/job/context.ts";
import { readEvent } from "../../../lambda/job/lambda/event.ts";
import { planSlice, runSlice } from "../../../lambda/job/lambda/slice.ts";
import { readSettings } from "../../../lambda/job/settings.ts";

/** Runs one slice of this event on the job, with what a slice uses of a command's context. */
export function sliceOf(event: object, job: RunContext, more: Partial<CommandContext> = {}) {
  const live = {
    clock: job.clock,
    signal: job.signal,
    settings: readSettings({}),
    say: () => undefined,
    store: () => Promise.resolve(job.store),
    packStore: () => Promise.resolve(null),
    requireAccountAccess: () => Promise.resolve(),
    job: () => Promise.resolve(job),
    ...more,
  };
  return runSlice(planSlice(readEvent(event)), live as unknown as CommandContext, () => undefined);
}
