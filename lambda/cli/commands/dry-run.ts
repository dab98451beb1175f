import { counted } from "../../core/text.ts";
import { isoTime, type TimeRange } from "../../core/time.ts";
import { timeFor, type WalkPlan } from "../../job/plan-walk.ts";
import { duration, jsonRange, table } from "../terminal-text.ts";
import type { Outcome } from "./command.ts";

/** At most this many ranges are shown to people; programs get all. */
const MOST_SHOWN = 20;

/**
 * The result of a dry run: the times that would be walked, the number of requests, and how long they take.
 * `more`: lines after that.
 */
export function dryRunOutcome(plan: WalkPlan, more: readonly string[] = []): Outcome {
  const { account, store, isNew, lacking, rechecks, leastRequests, likelyRequests, ratePerSecond } = plan;
  return {
    json: {
      dryRun: true,
      account,
      store,
      newArchive: isNew,
      lacking: lacking.map(jsonRange),
      rechecks: rechecks.map(jsonRange),
      leastRequests,
      likelyRequests,
      ratePerSecond,
    },
    lines: [
      `${account} in ${store}: a dry run; the service was not asked, and nothing was written`,
      ...(isNew ? ["There is no archive of this account in this store: the run would make one."] : []),
      ...(lacking.length + rechecks.length === 0
        ? ["Nothing is to be walked: all of it is covered."]
        : [...rangeLines(lacking, rechecks), ...requestLines(plan)]),
      ...more,
    ],
    problem: null,
  };
}

function rangeLines(lacking: readonly TimeRange[], rechecks: readonly TimeRange[]): readonly string[] {
  const row = (what: string) => (range: TimeRange) => [what, isoTime(range.from), isoTime(range.to)];
  const rows = [...lacking.map(row("not read yet")), ...rechecks.map(row("read again"))];
  const left = rows.length - MOST_SHOWN;
  return [
    ...table(["", "from", "to"], rows.slice(0, MOST_SHOWN)),
    ...(left > 0 ? [`${counted(left, "more range")}: --json lists all`] : []),
  ];
}

function requestLines(plan: WalkPlan): readonly string[] {
  const { leastRequests, likelyRequests, ratePerSecond } = plan;
  const likely =
    likelyRequests === null || likelyRequests <= leastRequests
      ? ""
      : `; about ${counted(likelyRequests, "request")} if fills are as dense as in the archive's newest 30 days`;
  const time = timeFor(likelyRequests ?? leastRequests, plan);
  return [
    `At least ${counted(leastRequests, "request")}${likely}. Each brings at most 100 fills.`,
    time === null || ratePerSecond === null
      ? "How long it takes is not known: no run has learned the service's rate yet."
      : `At ${ratePerSecond.toFixed(1)} requests a second that takes ${duration(time)}.`,
  ];
}
