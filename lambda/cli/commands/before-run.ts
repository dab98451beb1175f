import { counted, durationText } from "../../core/text.ts";
import { isoTime, SECOND_MS, type TimeRange } from "../../core/time.ts";
import type { WalkPlan } from "../../job/plan-walk.ts";
import { newArchiveNote } from "../../job/store-place.ts";
import { table } from "../terminal-text.ts";
import type { CommandContext, Outcome } from "./command.ts";

/** At most this many ranges are shown to people; programs get all. */
const MOST_SHOWN = 20;

/**
 * The result of a dry run: the times that would be read, the number of requests, and how long they take.
 * `more`: lines after that.
 */
export function dryRunOutcome(plan: WalkPlan, more: readonly string[] = []): Outcome {
  const { isNew, ...shown } = plan;
  return {
    json: { dryRun: true, newArchive: isNew, ...shown },
    lines: [
      `${plan.account} in ${plan.store}: a dry run; the service was not asked, and nothing was written`,
      ...planLines(plan),
      ...more,
    ],
  };
}

/** What a run would read. */
export function planLines(plan: WalkPlan): readonly string[] {
  const { isNew, lacking, waiting, rechecks } = plan;
  return [
    ...(isNew ? ["This store has no archive of this account: the run would create one."] : []),
    ...(lacking.length + waiting.length + rechecks.length === 0
      ? ["Nothing to read: the whole range was read twice."]
      : [...rangeLines(plan), ...requestLines(plan)]),
  ];
}

function rangeLines({ lacking, waiting, rechecks }: WalkPlan): readonly string[] {
  const row = (what: string) => (range: TimeRange) => [what, isoTime(range.from), isoTime(range.to)];
  const rows = [
    ...lacking.map(row("not read yet")),
    ...waiting.map(row("read once")),
    ...rechecks.map(row("read again")),
  ];
  const left = rows.length - MOST_SHOWN;
  return [
    ...table(["", "from", "to"], rows.slice(0, MOST_SHOWN)),
    ...(left > 0 ? [`${counted(left, "more range")}: --json lists all`] : []),
  ];
}

function requestLines({ leastRequests, likelyRequests, ratePerSecond }: WalkPlan): readonly string[] {
  const requests = Math.max(leastRequests, likelyRequests ?? 0);
  const likely =
    requests === leastRequests
      ? ""
      : `; about ${counted(requests, "request")} if fills are as dense as in the archive's newest 30 days`;
  return [
    `At least ${counted(leastRequests, "request")}${likely}.`,
    ratePerSecond === null
      ? "The duration is not known: no run has measured the rate of the service yet."
      : `At ${ratePerSecond.toFixed(1)} requests a second, this takes ${durationText((requests * SECOND_MS) / ratePerSecond)}.`,
  ];
}

/**
 * Prints a note before a new archive is begun, because its place may be mistyped. Throws `usage`, with
 * everything that is missing, if the service cannot be asked for fills.
 */
export async function sayIfNew(live: CommandContext): Promise<void> {
  const wanted = { account: live.settings.account, store: await live.store() };
  const note = live.setup === undefined ? null : await newArchiveNote(wanted); // on Lambda nothing is mistyped
  if (note !== null) {
    await live.requireAccountAccess();
    live.say(note);
  }
}
