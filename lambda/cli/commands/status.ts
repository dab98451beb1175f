import { union } from "../../core/ranges.ts";
import { count, counted, durationText } from "../../core/text.ts";
import { BEGINNING_MS, DAY_MS, isoTime, type TimeRange } from "../../core/time.ts";
import type { Check, StatusResult } from "../../job/context.ts";
import { archiveStatus, openTo } from "../../job/inspect.ts";
import { EXPORT_NEXT, SYNC_NEXT, VERIFY_NEXT } from "../next-step.ts";
import { minuteText } from "../terminal-text.ts";
import type { Command, Outcome } from "./command.ts";

export const status: Command = {
  about: [
    "Shows until when the archive is complete, what is missing and which command reads it, when the service was last asked, and how the last run and the last checks ended.",
    "Reads only the archive. It needs no address and no token, and changes nothing.",
  ],
  example: "fillbook status --store ./fillbook-data",
  plan: () => async (live) => {
    const store = await live.store();
    const { account } = live.settings;
    const outcome = statusOutcome(await archiveStatus({ account, store }), live.clock.now());
    const mode = await openTo(store);
    const open = `other users of this machine can open ${store.location} (mode ${mode}): to prevent that, chmod 700 it`;
    return { ...outcome, warnings: mode === null ? [] : [open] };
  },
};

/** `now`: ms UTC. */
export function statusOutcome(result: StatusResult, now: number): Outcome {
  const { checks, ...shown } = result;
  const isRead = result.coverage.length > 0;
  const readNext = isRead && result.gaps.length + result.readOnce.length === 0 ? EXPORT_NEXT : SYNC_NEXT;
  return {
    json: { ...shown, lastChecks: checks },
    lines: [
      `${result.account} in ${result.store}`,
      completeLine(result),
      ...missingLines(result),
      ...(isRead ? [askedLine(result, now), ...checkLines(result, now)] : []),
      ...(result.lastRun === null ? [] : [lastRunLine(result.lastRun, now)]),
      ...assumedLines(result),
      heldLine(result),
    ],
    next: checks.files?.ok === false ? VERIFY_NEXT : readNext,
  };
}

/** Until when the archive holds every fill, in one sentence. */
function completeLine({ coverage, gaps, fills }: StatusResult): string {
  const [first] = union(coverage.filter(({ readings }) => readings === 2));
  const holds = `${counted(fills, "fill")} in the archive.`;
  if (first === undefined) {
    return coverage.length === 0
      ? "Nothing is complete yet. To read the account: fillbook sync"
      : `Nothing is complete yet: what was read waits for its second reading. ${holds}`;
  }
  const since = first.from <= BEGINNING_MS ? "the account's beginning" : timeText(first.from);
  const rest = gaps.length === 0 ? ":" : `; later times have ${counted(gaps.length, "gap")}.`;
  return `Complete from ${since} until ${minuteText(first.to)}${rest} ${holds}`;
}

/** At most this many ranges are listed; --json has all. */
const MOST_SHOWN = 10;

/** What is missing, and the command that reads it. */
function missingLines({ coverage, gaps, readOnce }: StatusResult): readonly string[] {
  const [first] = coverage;
  const isWhole = first === undefined || first.from <= BEGINNING_MS;
  const missing = [...(isWhole ? [] : [{ from: BEGINNING_MS, to: first.from }]), ...gaps];
  const left = missing.length - MOST_SHOWN;
  const waits = readOnce.length - MOST_SHOWN;
  return [
    ...missing.slice(0, MOST_SHOWN).map((range) => `Missing: ${rangeText(range)}. To read it: ${syncText(range)}`),
    ...(left > 0 ? [`${counted(left, "more gap")} (--json lists all). To read all of them: fillbook sync`] : []),
    ...readOnce.slice(0, MOST_SHOWN).map((range) => `Read once: ${rangeText(range)}. To read it again: fillbook sync`),
    ...(waits > 0 ? [`${counted(waits, "more range")} read once: --json lists all`] : []),
  ];
}

function syncText({ from, to }: TimeRange): string {
  return `fillbook sync${from <= BEGINNING_MS ? "" : ` --from ${timeText(from)}`} --to ${timeText(to)}`;
}

function askedLine({ lastAsked: { newest, older } }: StatusResult, now: number): string {
  const [again, before] = [newest, older].map((at) =>
    at === null ? "not read again yet" : `last read again ${agoText(at, now)}`,
  );
  return `The newest days were ${again}; of older days, the weekly piece was ${before}.`;
}

function checkLines({ checks: { files, rewalk } }: StatusResult, now: number): readonly string[] {
  return [
    `Files checked against their hashes: ${checkText(files, now)}${files === null ? ". To check: fillbook verify" : "."}`,
    `Archive compared with the service: ${checkText(rewalk, now)}${rewalk === null ? ". To compare: fillbook verify --rewalk" : "."}`,
  ];
}

function checkText(check: Check | null, now: number): string {
  if (check === null) {
    return "never";
  }
  const what = check.period === null ? "" : `, for ${check.period}`;
  const how = check.ok ? "all as recorded" : `${counted(check.findings, "finding")}, to list them: fillbook verify`;
  return `${agoText(check.checkedAt, now)}${what}: ${how}`;
}

function assumedLines({ silentInMs, vanished }: StatusResult): readonly string[] {
  return [
    ...(silentInMs === null
      ? []
      : [
          `Assumed: the service answers ranges of up to ${durationText(silentInMs)} whole. So wide it was asked where it has no fills; if it silently shortens such answers, fills could be missing there.`,
        ]),
    ...(vanished === 0 ? [] : [`The service no longer shows ${counted(vanished, "fill")} of the archive: kept.`]),
  ];
}

function heldLine(result: StatusResult): string {
  const { dataFiles, restated, exceptions, manifest } = result;
  const held = `${counted(dataFiles, "data file")}; ${count(restated)} restated, ${count(exceptions)} with exceptions`;
  return manifest === null ? held : `${held}; manifest ${manifest.seq} ${manifest.sha256}`;
}

function lastRunLine(run: NonNullable<StatusResult["lastRun"]>, now: number): string {
  const end = run.complete ? "complete" : "not complete";
  return `The last run ended ${agoText(run.endedAt, now)}: ${end}${run.problem === null ? "" : `, ${run.problem}`}.`;
}

function rangeText({ from, to }: TimeRange): string {
  return from <= BEGINNING_MS ? `all before ${timeText(to)}` : `${timeText(from)} to ${timeText(to)}`;
}

/** A date if it is the first moment of a day, UTC; in the form that sync takes. */
function timeText(ms: number): string {
  return ms % DAY_MS === 0 ? isoTime(ms).slice(0, 10) : isoTime(ms).replace(/\.000Z$/, "Z");
}

/** `2026-02-01 04:00 UTC (20 h 0 min ago)` */
function agoText(at: number, now: number): string {
  const ms = now - at;
  const ago = ms < 0 ? "" : ` (${durationText(ms)} ago)`;
  return `${minuteText(at)}${ago}`;
}
