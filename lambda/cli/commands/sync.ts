import { usageError } from "../../core/errors.ts";
import { count, counted } from "../../core/text.ts";
import type { SyncRequest, SyncResult } from "../../job/context.ts";
import { planSync } from "../../job/plan-walk.ts";
import { syncArchive } from "../../job/sync-archive.ts";
import { EXPORT_NEXT } from "../next-step.ts";
import { span } from "../terminal-text.ts";
import { dryRunOutcome, sayIfNew } from "./before-run.ts";
import type { Command, Outcome } from "./command.ts";
import { readRange } from "./range.ts";

export const sync: Command = {
  about: [
    "Reads the completed orders of the account that the archive does not cover yet, saves them as it goes, and a minute later reads them a second time, in another way. What both readings agree on is complete.",
    "--once leaves the second reading to the next sync, --hurry (FILLBOOK_HURRY=1) begins it at once. A night between the readings finds more than a minute, and no pause finds less.",
    "You can stop it at any point without losing anything. Run it again, and it continues where it stopped.",
    "Without --from it starts at the beginning of the account. Without --to it ends shortly before now, because fills may appear late.",
    "--again reads all days from --from to --to again, even if they are covered. Fills that came late or changed since are recorded as restatements: the earlier version is kept, and restatements.csv of the next export shows both.",
    "--dry-run shows what would be read and in how many requests. It sends no request and writes nothing, and needs neither an address nor a token.",
    "Covered days within the look-back are read again: always with --look-back, otherwise if 12 hours have passed since the last time.",
  ],
  options: {
    "from T": "only fills created at this time or later",
    "to T": "only fills created before this time",
    again:
      "read all of --from to --to again, even if it is covered; late and changed fills are recorded as restatements",
    once: "leave the second reading to the next sync: a night later it is worth more",
    hurry: "begin the second reading at once, and not after a minute",
    "dry-run":
      "show what would be read, the least number of requests and the duration; no request is sent and nothing is written",
    rebind:
      "bind the archive to this --account-url and to the trader of this token from now on; for a service that has moved",
  },
  example: "fillbook sync --from 2025-01-01 --account-url https://account.example.com",
  plan(given) {
    const [once, hurry] = [given.has("once"), given.has("hurry")];
    if (once && hurry) {
      throw usageError("--once and --hurry are both given", "keep one of them");
    }
    const request: SyncRequest = {
      ...readRange(given),
      rebinds: given.has("rebind"),
      rechecksAll: given.has("again"),
      ...(once ? { pace: "once" } : {}),
      ...(hurry ? { pace: "hurry" } : {}),
    };
    if (request.rechecksAll && (request.from === undefined || request.to === undefined)) {
      const hint = "write for example: fillbook sync --again --from 2025-03-01 --to 2025-04-01";
      throw usageError("--again is given without --from and --to, the days to read again", hint);
    }
    const isDry = given.has("dry-run");
    return async (live) => {
      if (isDry) {
        return dryRunOutcome(await planSync(await live.job(), request, live.settings.maxRps));
      }
      await live.requireAccountAccess();
      await sayIfNew(live);
      return syncOutcome(await syncArchive(await live.job(), request), once);
    };
  },
};

/** The documented JSON of a sync, and its summary. `isOnce`: it left the second reading to the next one. */
export function syncOutcome(result: SyncResult, isOnce = false): Outcome {
  const { refused, orphans, problem, ...shown } = result;
  const { account, fills, added, restated, requests, pages, exceptions, manifest } = shown;
  const done = isOnce ? "read once, and complete when the next sync has read it again," : "complete";
  const unused = orphans.problem;
  const hint = unused?.hint === undefined ? "" : ` (${unused.hint})`;
  const undeleted = `not all unused objects could be deleted: ${unused?.message}${hint}. The archive is complete; the next sync tries again`;
  return {
    json: shown,
    result,
    lines: [
      `${account}: ${result.complete ? done : "NOT complete"} for ${span(result)}`,
      `${counted(fills, "fill")} in the archive; this run added ${count(added)} and restated ${count(restated)}`,
      `${counted(pages, "page")} in ${counted(requests, "request")}, ${count(refused)} throttled`,
      ...(exceptions === 0
        ? []
        : [`there are exceptions for ${counted(exceptions, "fill")}: see exceptions.csv of the next export`]),
      ...(orphans.deleted === 0 ? [] : [`${counted(orphans.deleted, "object")} deleted that were unused for a week`]),
      ...(manifest === null ? [] : [`manifest ${manifest.seq} ${manifest.sha256}`]),
    ],
    // After the commit: the sync itself succeeded.
    warnings: unused === null ? [] : [undeleted],
    problem,
    next: isOnce ? ["fillbook sync", "reads what was read a second time, tomorrow best"] : EXPORT_NEXT,
  };
}
