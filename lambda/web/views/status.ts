import type { lastChecks } from "../../archive/checks.ts";
import { subtract } from "../../core/ranges.ts";
import { counted } from "../../core/text.ts";
import { DAY_MS, HOUR_MS, type TimeRange } from "../../core/time.ts";
import { type Html, type HtmlValue, html } from "../../pack/files/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import { assumptionLine } from "./assumptions.ts";
import { notice } from "./components.ts";
import { asSentence, dayText, durationText, instant, moment, stretch } from "./format.ts";
import { periodTitle } from "./period-title.ts";

/** How the last run ended. */
function lastRunText({ lastRun, busy }: ArchiveView): Html {
  if (busy) {
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

/** No place on Earth ends its year later than this after its end in UTC. */
const LAST_ZONE_MS = 12 * HOUR_MS;

/**
 * The end of the last year that has ended everywhere: whatever was read up to there includes every finished
 * year. In the first days of a year, it is the beginning of yesterday: nightly runs leave the current day and
 * the one before it unread for a while.
 */
export function finishedEnd(now: number): number {
  const due = now - (now % DAY_MS) - DAY_MS;
  return Math.min(due, Date.UTC(new Date(now).getUTCFullYear(), 0, 1) + LAST_ZONE_MS);
}

interface Covered {
  readonly first: number;
  readonly last: number;
  /** Gaps between `first` and `last`, and up to the end of the last finished year. */
  readonly gaps: readonly TimeRange[];
}

/** Null if nothing was read yet. `now`: ms UTC. */
function coveredOf({ coverage }: Pick<ArchiveView, "coverage">, now: number): Covered | null {
  const [first, last] = [coverage.at(0)?.from, coverage.at(-1)?.to];
  return first === undefined || last === undefined
    ? null
    : { first, last, gaps: subtract({ from: first, to: Math.max(last, finishedEnd(now)) }, coverage) };
}

/** The gaps in what was read, and what is missing up to the end of the last finished year; oldest first. */
export function gapsOf(archive: Pick<ArchiveView, "coverage">, now: number): readonly TimeRange[] {
  return coveredOf(archive, now)?.gaps ?? [];
}

/** One line: whether the archive is complete, and up to when. */
export function archiveLine(archive: ArchiveView, now: number): Html {
  const covered = coveredOf(archive, now);
  if (covered === null) {
    return html`Nothing was read yet.`;
  }
  const fault = faultOf(archive, covered);
  return fault === null
    ? html`Complete up to ${dayText(covered.last)}.`
    : html`<strong class="warn"><span aria-hidden="true">▲</span> ${fault}.</strong> Read up to ${dayText(covered.last)}.`;
}

/**
 * What the archive covers up to `now`, what is missing, and how the last run ended. `report`: the address of
 * a report that names the assumptions; null if there is none.
 */
export function archiveState(archive: ArchiveView, now: number, report: string | null = null): Html {
  const covered = coveredOf(archive, now);
  const run = lastRunText(archive);
  if (covered === null) {
    return notice("plain", "Nothing was read yet.", html`<p>${run}</p>`);
  }
  const { first, last, gaps } = covered;
  const { fills, firstTrade } = archive;
  const fault = faultOf(archive, covered);
  const rests = assumptionLine(archive.assumptions, report);
  const kept = html`${counted(fills, "fill")} kept${firstTrade === null ? null : `, the first of ${dayText(firstTrade)}`}.`;
  const since = now - (now % DAY_MS) - DAY_MS > last ? ` Nothing was read since (${durationText(now - last)}).` : null;
  const read = html`Read from ${instant(first)} up to ${instant(last)}.`;
  const where: HtmlValue = gaps.length === 0 ? null : html` <a href="#coverage">What is missing</a>.`;
  return fault === null
    ? notice("good", `Complete up to ${dayText(last)}, with no gaps.`, html`<p>${kept}${since} ${run}</p>${rests}`)
    : notice("warn", `${fault}.`, html`<p>${read}${where} ${kept} ${run}</p>${rests}`);
}

/** A failed last run counts only while no other run is in progress. */
function faultOf({ lastRun, busy }: ArchiveView, { last, gaps }: Covered): string | null {
  const before = gaps.filter(({ from }) => from < last).length;
  if (gaps.length > before) {
    return before === 0
      ? "A finished year is not complete"
      : `${counted(before, "gap")}, and a finished year is not complete`;
  }
  if (before > 0) {
    return counted(before, "gap");
  }
  return !busy && lastRun?.complete === false ? "The last run did not complete" : null;
}

export type LastChecks = Awaited<ReturnType<typeof lastChecks>>;
type Check = NonNullable<LastChecks["files"]>;

/** When the archive was last checked, and with which result: one sentence for each kind of check. */
export function checksText({ files, rewalk }: LastChecks): Html {
  return html`${checkText("Files checked", "every one as it was written", files)} ${checkText("Compared with the venue", "no fill missing or changed", rewalk)}`;
}

function checkText(what: string, fine: string, check: Check | null): Html {
  if (check === null) {
    return html`${what}: never.`;
  }
  const { checkedAt, period, ok, findings } = check;
  const of = period === null ? null : html` for ${periodTitle(period)}`;
  return ok
    ? html`${what}${of} ${moment(checkedAt)}: ${fine}.`
    : html`<strong class="warn"><span aria-hidden="true">▲</span> ${what}${of} ${moment(checkedAt)}: ${counted(findings, "finding")}.</strong> fillbook verify lists them.`;
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
