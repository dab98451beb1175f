import { FillbookError } from "../../core/errors.ts";
import { count, counted } from "../../core/text.ts";
import { DAY_MS, isoTime } from "../../core/time.ts";
import type { SyncResult } from "../../job/context.ts";
import { planSync } from "../../job/plan-walk.ts";
import { syncArchive } from "../../job/sync-archive.ts";
import { afterSync } from "../next-step.ts";
import { jsonRange, span } from "../terminal-text.ts";
import type { Command, Outcome } from "./command.ts";
import { dryRunOutcome } from "./dry-run.ts";
import { latenessLines, latenessWarnings } from "./lateness.ts";
import { sayIfNew } from "./new-archive.ts";
import { readRange } from "./range.ts";

export const sync: Command = {
  summary: "walk what is not in the archive yet, and commit it",
  usage: "[--from T] [--to T] [--look-back DAYS] [--again] [--dry-run] [--rebind]",
  about: [
    "Walks the account's completed orders that the archive does not cover, and commits as it goes.",
    "Stopped at any point, it loses nothing: run it again, and it goes on where it was.",
    "Without --from it begins at the beginning of the account; without --to it ends a little before now, because fills may appear late.",
    "--again walks all days from --from to --to again, whether they are covered or not. What came late or changed since is filed as a restatement: the earlier version is kept, and restatements.csv of the next export shows both.",
    "--dry-run says what would be walked and in how many requests. It asks nothing and writes nothing, and needs neither an address nor a token.",
    "Covered days of the look-back are walked again, as far as they are asked for: always with --look-back, otherwise when 12 hours have passed since they last were.",
  ],
  options: {
    from: { value: "T", help: "only what was created at this time or later" },
    to: { value: "T", help: "only what was created before this time" },
    again: {
      value: null,
      help: "walk all of --from to --to again, also what is covered: late and changed fills are filed as restatements",
    },
    "dry-run": {
      value: null,
      help: "say what would be walked, in how many requests at least, and how long that takes; ask and write nothing",
    },
    rebind: {
      value: null,
      help: "the archive is of this --account-url and this token's trader from now on, whatever fills they bring: for a service that has moved",
    },
  },
  example: "fillbook sync --from 2025-01-01 --account-url https://account.example.com",
  plan(given) {
    const request = { ...readRange(given), rebinds: given.has("rebind"), rechecksAll: given.has("again") };
    if (request.rechecksAll && (request.from === undefined || request.to === undefined)) {
      throw new FillbookError("usage", "--again is given without --from and --to, the days to walk again", {
        hint: "write for example: fillbook sync --again --from 2025-03-01 --to 2025-04-01",
      });
    }
    const isDry = given.has("dry-run");
    return async (live) => {
      if (isDry) {
        return dryRunOutcome(await planSync(await live.job(), request, live.settings.maxRps));
      }
      await live.requireAccountAccess();
      await sayIfNew(live);
      const result = await syncArchive(await live.job(), request);
      return { ...syncOutcome(result, live.settings.lookBackMs), next: afterSync(result) };
    };
  },
};

/** The documented JSON of a sync, and its summary. */
export function syncOutcome(result: SyncResult, lookBackMs: number): Outcome {
  const notes = lookBackLines(result.leftAloneSince, lookBackMs);
  return {
    json: {
      account: result.account,
      from: isoTime(result.from),
      to: isoTime(result.to),
      complete: result.complete,
      fills: result.fills,
      added: result.added,
      restated: result.restated,
      requests: result.requests,
      pages: result.pages,
      exceptions: result.exceptions,
      coverage: result.coverage.map(jsonRange),
      manifest: result.manifest,
      ...(notes.length === 0 ? {} : { notes }),
    },
    lines: [
      `${result.account}: ${result.complete ? "complete" : "NOT complete"} for ${span(result)}`,
      `${counted(result.fills, "fill")} in the archive; this run added ${count(result.added)} and restated ${count(result.restated)}`,
      `${counted(result.pages, "page")} in ${counted(result.requests, "request")}, ${count(result.refused)} refused`,
      ...(result.exceptions > 0
        ? [`something is odd about ${counted(result.exceptions, "fill")}: exceptions.csv of an export says what`]
        : []),
      ...latenessLines(result.lateness),
      ...notes,
      ...(result.orphans.deleted > 0
        ? [`${counted(result.orphans.deleted, "object")} deleted that nothing had named for a week`]
        : []),
      ...(result.manifest === null ? [] : [`manifest ${result.manifest.seq} ${result.manifest.sha256}`]),
    ],
    warnings: [
      ...latenessWarnings(result.lateness, lookBackMs),
      ...warningsOf(
        result.deltaLogProblem,
        "the archive could not be published as a Delta table",
        "What is committed is kept; until a later sync publishes it, the table is as it was",
      ),
      ...warningsOf(
        result.orphans.problem,
        "not all objects that nothing names any more could be deleted",
        "The archive is complete; the next sync tries again",
      ),
    ],
    problem: result.problem,
  };
}

function lookBackLines(leftAloneSince: number | undefined, lookBackMs: number): string[] {
  const days = lookBackMs / DAY_MS;
  return leftAloneSince === undefined
    ? []
    : [
        `covered days were not walked again: they were at ${isoTime(leftAloneSince)}, less than 12 hours ago. To walk the last ${days} now: --look-back ${days}`,
      ];
}

/** A warning about a step after the commit; the sync itself succeeded. */
function warningsOf(problem: FillbookError | null, what: string, then: string): string[] {
  const hint = problem?.hint === undefined ? "" : ` (${problem.hint})`;
  return problem === null ? [] : [`${what}: ${problem.message}${hint}. ${then}`];
}
