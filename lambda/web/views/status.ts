import { subtract } from "../../core/ranges.ts";
import { counted } from "../../core/text.ts";
import { BEGINNING_MS, DAY_MS, type TimeRange } from "../../core/time.ts";
import type { lastChecks } from "../../pack/make/checks.ts";
import { type Html, type HtmlValue, html } from "../../pack/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { JobState } from "../ports.ts";
import { assumptionLine } from "./assumptions.ts";
import { notice } from "./components.ts";
import { asSentence, dayText, moment, stretch } from "./format.ts";
import { periodTitle } from "./period-title.ts";

/** How the last run ended. */
function lastRunText({ lastRun }: ArchiveView, isReading: boolean): Html {
  if (isReading) {
    return html`A run is in progress.`;
  }
  if (lastRun === null) {
    return html`No run yet.`;
  }
  const when = html`Last run ${moment(lastRun.endedAt)}`;
  if (lastRun.complete) {
    return html`${when}.`;
  }
  return html`${when}: not complete.${lastRun.problem === null ? null : html` ${asSentence(lastRun.problem)}`}`;
}

interface Covered {
  readonly first: number;
  readonly last: number;
  /** Between `first` and `last`, oldest first. */
  readonly gaps: readonly TimeRange[];
}

/** Null if nothing was read yet. */
function coveredOf({ coverage }: Pick<ArchiveView, "coverage">): Covered | null {
  const [first, last] = [coverage.at(0)?.from, coverage.at(-1)?.to];
  return first === undefined || last === undefined
    ? null
    : { first, last, gaps: subtract({ from: first, to: last }, coverage) };
}

/** The gaps in what was read, oldest first. */
export function gapsOf(archive: Pick<ArchiveView, "coverage">): readonly TimeRange[] {
  return coveredOf(archive)?.gaps ?? [];
}

/** True if a job of the page reads fills: a pack's job does too. */
export function readsNow(jobs: readonly JobState[]): boolean {
  return jobs.some(
    ({ state, request }) => state === "running" && (request.kind === "sync" || request.kind === "export"),
  );
}

export const NOTHING_READ = "Nothing was read yet.";
export const FIRST_READ = "The first fills are being read.";
const NOTHING_COMPLETE = "No time is complete yet.";

/** One line: whether the archive is complete, of which times, and whether the last run failed. */
export function archiveLine(archive: ArchiveView): Html {
  const { fills, lastRun } = archive;
  const covered = coveredOf(archive);
  const run = lastRun?.complete === false ? html` <span aria-hidden="true">▲</span> Last run: not complete.` : null;
  if (covered === null) {
    return html`${fills === 0 ? NOTHING_READ : NOTHING_COMPLETE}${run}`;
  }
  const { length } = covered.gaps;
  return length === 0
    ? html`${completeText(covered)}.${run}`
    : html`<strong class="warn"><span aria-hidden="true">▲</span> ${counted(length, "gap")}.</strong> Read up to ${dayText(covered.last)}.${run}`;
}

function isBegunLater({ first }: Covered): boolean {
  return first > BEGINNING_MS;
}

function completeText(covered: Covered): string {
  const since = isBegunLater(covered) ? ` from ${dayText(covered.first)}` : "";
  return `Records complete${since} up to ${dayText(covered.last)}`;
}

interface BesideState {
  /** True while a job of the page reads fills. */
  readonly isReading: boolean;
  /** What to do. */
  readonly action: HtmlValue;
}

/** What the archive covers up to `now`, what is missing, and how the last run ended. */
export function archiveState(
  archive: ArchiveView,
  now: number,
  { isReading, action }: BesideState = { isReading: false, action: null },
): Html {
  const covered = coveredOf(archive);
  const run = lastRunText(archive, isReading);
  if (covered === null) {
    const begun = archive.fills === 0 ? null : html`${counted(archive.fills, "fill")} kept. `;
    const [head, text] = isReading
      ? [FIRST_READ, `${counted(archive.fills, "fill")} kept so far.`]
      : [archive.fills === 0 ? NOTHING_READ : NOTHING_COMPLETE, html`${begun}${run}`];
    return notice("plain", head, html`<p>${text}</p>${action}`);
  }
  const { first, last, gaps } = covered;
  const { fills, firstTrade } = archive;
  const earlier = isBegunLater(covered)
    ? html`\n<p><span aria-hidden="true">▲</span> Nothing before ${dayText(first)} was read.</p>`
    : null;
  const rests = assumptionLine(archive.assumed);
  const kept = html`${counted(fills, "fill")} kept${firstTrade === null ? null : `, from ${dayText(firstTrade)}`}.`;
  const days = daysBehind(archive, now);
  const since = days === 0 ? null : ` No fills read since ${dayText(last)} (${counted(days, "day")}).`;
  const read = html`Read from ${moment(first)} up to ${moment(last)}.`;
  return gaps.length === 0
    ? notice(
        "good",
        `${completeText(covered)}${isBegunLater(covered) ? "" : ", with no gaps"}.`,
        html`<p>${kept}${since} ${run}</p>${earlier}${rests}${action}`,
      )
    : notice(
        "warn",
        `${counted(gaps.length, "gap")}.`,
        html`<p>${read} <a href="#coverage">What is missing</a>. ${kept} ${run}</p>${earlier}${rests}${action}`,
      );
}

/** Whole days since the archive was last read up to; 0 if it is as a run a night leaves it, or empty. */
export function daysBehind({ coverage }: Pick<ArchiveView, "coverage">, now: number): number {
  const last = coverage.at(-1)?.to ?? now;
  return now - (now % DAY_MS) - DAY_MS > last ? Math.floor((now - last) / DAY_MS) : 0;
}

export type LastChecks = Awaited<ReturnType<typeof lastChecks>>;
type Check = NonNullable<LastChecks["files"]>;

/** When the archive was last checked, and with which result: one sentence for each kind of check. */
export function checksText({ files, rewalk }: LastChecks): Html {
  return html`${checkText(FILES, files)} ${checkText(REWALK, rewalk)}`;
}

interface CheckWords {
  readonly what: string;
  readonly fine: string;
  /** How to learn what was found. */
  readonly more: string;
}

const FILES: CheckWords = {
  what: "Files checked",
  fine: "all unchanged",
  more: "Check the archive again to see which.",
};
const REWALK: CheckWords = {
  what: "Compared with the venue",
  fine: "no fill missing or changed in the times that were read",
  more: "Ask whoever runs fillbook which.",
};

function checkText({ what, fine, more }: CheckWords, check: Check | null): Html {
  if (check === null) {
    return html`${what}: never.`;
  }
  const { checkedAt, period, ok, findings } = check;
  const of = period === null ? null : html` for ${periodTitle(period)}`;
  return ok
    ? html`${what}${of} on ${moment(checkedAt)}: ${fine}.`
    : html`<strong class="warn"><span aria-hidden="true">▲</span> ${what}${of} on ${moment(checkedAt)}: ${counted(findings, "finding")}.</strong> ${more}`;
}

/** At most this many gaps are listed. */
export const MOST_GAPS = 50;

/** The gaps of `gapsOf`, in words. */
export function gapList(gaps: readonly TimeRange[]): Html {
  if (gaps.length === 0) {
    return html`
<p>No gap between the first and the last time that was read.</p>`;
  }
  const left = gaps.length - MOST_GAPS;
  return html`
<p>Missing, newest first:</p>
<ul class="gaps">${gaps
    .toReversed()
    .slice(0, MOST_GAPS)
    .map(
      (gap) => html`
<li>${stretch(gap)}</li>`,
    )}
</ul>${left > 0 ? html`<p class="note">And ${counted(left, "older gap")}.</p>` : null}`;
}
