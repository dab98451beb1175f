import { FillbookError } from "../../core/errors.ts";
import { count, counted } from "../../core/text.ts";
import { DAY_MS, isoTime } from "../../core/time.ts";
import type { SyncResult } from "../../job/context.ts";
import { planSync } from "../../job/plan-walk.ts";
import { syncArchive } from "../../job/sync-archive.ts";
import { EXPORT_NEXT } from "../next-step.ts";
import { jsonRange, span } from "../terminal-text.ts";
import type { Command, Outcome } from "./command.ts";
import { dryRunOutcome } from "./dry-run.ts";
import { latenessLines, latenessWarnings } from "./lateness.ts";
import { sayIfNew } from "./new-archive.ts";
import { readRange } from "./range.ts";

export const sync: Command = {
  summary: "read the fills that the archive lacks",
  usage: "[--from T] [--to T] [--look-back DAYS] [--again] [--dry-run] [--rebind]",
  about: [
    "Reads the completed orders of the account that the archive does not cover yet, and saves them as it goes.",
    "You can stop it at any point without losing anything. Run it again, and it continues where it stopped.",
    "Without --from it starts at the beginning of the account. Without --to it ends shortly before now, because fills may appear late.",
    "--again reads all days from --from to --to again, even if they are covered. Fills that came late or changed since are recorded as restatements: the earlier version is kept, and restatements.csv of the next export shows both.",
    "--dry-run shows what would be read and in how many requests. It sends no request and writes nothing, and needs neither an address nor a token.",
    "Covered days within the look-back are read again: always with --look-back, otherwise if 12 hours have passed since the last time.",
  ],
  options: {
    from: { value: "T", help: "only fills created at this time or later" },
    to: { value: "T", help: "only fills created before this time" },
    again: {
      value: null,
      help: "read all of --from to --to again, even if it is covered; late and changed fills are recorded as restatements",
    },
    "dry-run": {
      value: null,
      help: "show what would be read, the least number of requests and the duration; no request is sent and nothing is written",
    },
    rebind: {
      value: null,
      help: "bind the archive to this --account-url and to the trader of this token from now on; for a service that has moved",
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
      return { ...syncOutcome(result, live.settings.lookBackMs), next: EXPORT_NEXT };
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
      `${counted(result.pages, "page")} in ${counted(result.requests, "request")}, ${count(result.refused)} throttled`,
      ...(result.exceptions > 0
        ? [`there are exceptions for ${counted(result.exceptions, "fill")}: see exceptions.csv of the next export`]
        : []),
      ...latenessLines(result.lateness),
      ...notes,
      ...(result.orphans.deleted > 0
        ? [`${counted(result.orphans.deleted, "object")} deleted that were unused for a week`]
        : []),
      ...(result.manifest === null ? [] : [`manifest ${result.manifest.seq} ${result.manifest.sha256}`]),
    ],
    warnings: [
      ...latenessWarnings(result.lateness, lookBackMs),
      ...warningsOf(
        result.orphans.problem,
        "not all unused objects could be deleted",
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
        `covered days were not read again, because they were last read at ${isoTime(leftAloneSince)}, less than 12 hours ago. To walk the last ${days} now: --look-back ${days}`,
      ];
}

/** A warning about a step after the commit; the sync itself succeeded. */
function warningsOf(problem: FillbookError | null, what: string, then: string): string[] {
  const hint = problem?.hint === undefined ? "" : ` (${problem.hint})`;
  return problem === null ? [] : [`${what}: ${problem.message}${hint}. ${then}`];
}
