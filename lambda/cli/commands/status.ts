import { count, counted } from "../../core/text.ts";
import { DAY_MS, isoTime } from "../../core/time.ts";
import type { StatusResult } from "../../job/context.ts";
import { archiveStatus, openFolders } from "../../job/inspect.ts";
import { jsonRange, table } from "../terminal-text.ts";
import type { Command, Outcome } from "./command.ts";
import { latenessLines, latenessWarnings } from "./lateness.ts";

export const status: Command = {
  summary: "what the archive covers, its gaps, and its last run",
  usage: "",
  about: ["Reads the archive alone: no address, no token, nothing is changed."],
  options: {},
  example: "fillbook status --store ./fillbook-data",
  plan() {
    return async (live) => {
      const [store, packStore] = await Promise.all([live.store(), live.packStore()]);
      const { account, lookBackMs } = live.settings;
      const outcome = statusOutcome(await archiveStatus({ account, store }), lookBackMs);
      const open = await openFolders(packStore === null ? [store] : [store, packStore]);
      const openWarnings = open.map(
        ({ path, mode }) =>
          `other users of this machine may enter ${path} (mode ${mode}): if they should not, chmod 700 it`,
      );
      return { ...outcome, warnings: [...(outcome.warnings ?? []), ...openWarnings] };
    };
  },
};

export function statusOutcome(result: StatusResult, lookBackMs: number): Outcome {
  const { lateness } = result;
  const { open } = result.checkpoint;
  return {
    json: {
      account: result.account,
      store: result.store,
      fills: result.fills,
      coverage: result.coverage.map(jsonRange),
      gaps: result.gaps.map(jsonRange),
      parts: result.parts,
      restated: result.restated,
      exceptions: result.exceptions,
      lateness: lateness === null ? null : { ...lateness, lastSeenAt: isoTime(lateness.lastSeenAt) },
      manifest: result.manifest,
      checkpoint: { open: open.map((window) => ({ ...jsonRange(window), pages: window.pages })) },
      assumed: result.assumed.map((range) => ({ ...jsonRange(range), widthMs: range.widthMs })),
      lastAsked: { newest: isoOrNull(result.lastAsked.newest), older: isoOrNull(result.lastAsked.older) },
      lastRun: result.lastRun === null ? null : { ...result.lastRun, endedAt: isoTime(result.lastRun.endedAt) },
    },
    lines: [
      `${result.account} in ${result.store}`,
      `${counted(result.fills, "fill")} in ${counted(result.parts, "part")}; ${count(result.restated)} restated, ${count(result.exceptions)} with something odd`,
      result.manifest === null
        ? "no manifest yet: nothing was synced"
        : `manifest ${result.manifest.seq} ${result.manifest.sha256}`,
      ...latenessLines(lateness),
      ...rangeLines(result),
      ...askedLines(result),
      ...(result.lastRun === null ? [] : [lastRunLine(result.lastRun)]),
    ],
    warnings: latenessWarnings(lateness, lookBackMs),
    problem: null,
  };
}

function rangeLines(result: StatusResult): readonly string[] {
  const rows = [
    ...result.coverage.map((range) => ["covered", isoTime(range.from), isoTime(range.to), ""]),
    ...result.gaps.map((range) => ["gap", isoTime(range.from), isoTime(range.to), ""]),
    ...result.checkpoint.open.map((range) => [
      "open",
      isoTime(range.from),
      isoTime(range.to),
      counted(range.pages, "page"),
    ]),
    ...result.assumed.map((range) => ["assumed", isoTime(range.from), isoTime(range.to), assumedText(range.widthMs)]),
  ];
  return rows.length === 0 ? [] : table(["", "from", "to", ""], rows);
}

/** What of covered time without fills is no more than assumed. */
function assumedText(widthMs: number): string {
  const days = counted(Math.ceil(widthMs / DAY_MS), "day");
  return `no fills; asked for in ranges of ${days}, so that a service that silently cuts its answers to less could hide some`;
}

function askedLines({ fills, coverage, lastAsked }: StatusResult): readonly string[] {
  if (fills === 0 && coverage.length === 0) {
    return [];
  }
  const { newest, older } = lastAsked;
  return [
    `the service was last asked for the newest days: ${isoOrNull(newest) ?? "not known"}; for older days once more: ${isoOrNull(older) ?? "never"}`,
  ];
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : isoTime(time);
}

function lastRunLine(run: NonNullable<StatusResult["lastRun"]>): string {
  const end = run.complete ? "complete" : "not complete";
  return `last run ended ${isoTime(run.endedAt)}: ${end}${run.problem === null ? "" : `, ${run.problem}`}`;
}
