import { subtract } from "../../core/ranges.ts";
import { counted } from "../../core/text.ts";
import { DAY_MS, type TimeRange } from "../../core/time.ts";
import { type Html, html } from "../../pack/files/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import { durationText, instant, moment, sentence, stretch } from "./format.ts";

/** How the last run ended. */
export function lastRunText({ lastRun, busy }: ArchiveView): Html {
  if (busy) {
    return html`A run is at work now.`;
  }
  if (lastRun === null) {
    return html`No run yet.`;
  }
  return html`Last run ${moment(lastRun.endedAt)}: ${lastRun.complete ? "complete" : "not complete"}${
    lastRun.problem === null ? "." : html` (${sentence(lastRun.problem)}).`
  }`;
}

/**
 * What is covered, and what is not, up to `now`. A run a night leaves the running day and the one before it unread for a while: whoever has read up to
 * yesterday's first moment (UTC) is up to date.
 */
interface Covered {
  readonly first: number;
  readonly last: number;
  /** Between them. */
  readonly gaps: readonly TimeRange[];
  /** From the last to now; null: up to date. */
  readonly unread: TimeRange | null;
}

/** Null: nothing was read yet. `now`: ms UTC. */
function coveredOf({ coverage }: Pick<ArchiveView, "coverage">, now: number): Covered | null {
  const [first, last] = [coverage.at(0)?.from, coverage.at(-1)?.to];
  if (first === undefined || last === undefined) {
    return null;
  }
  const due = now - (now % DAY_MS) - DAY_MS;
  return {
    first,
    last,
    gaps: subtract({ from: first, to: last }, coverage),
    unread: last < due ? { from: last, to: now } : null,
  };
}

/** Since the first time that is covered, oldest first; the last one may end at `now`. */
export function gapsOf(archive: Pick<ArchiveView, "coverage">, now: number): readonly TimeRange[] {
  const { gaps = [], unread = null } = coveredOf(archive, now) ?? {};
  return unread === null ? gaps : [...gaps, unread];
}

/** What the archive covers up to `now`, in sentences that may stand alone. */
export function archiveState(archive: ArchiveView, now: number): Html {
  const covered = coveredOf(archive, now);
  const run = lastRunText(archive);
  if (covered === null) {
    return html`
<p class="state incomplete"><strong><span aria-hidden="true">▲</span> Nothing was read yet.</strong> ${run}</p>`;
  }
  const { first, last, gaps, unread } = covered;
  const faults = faultsOf(archive, covered);
  const isFine = faults.length === 0;
  const missing = html`${gaps.length === 0 ? null : ", but not all of it"}${
    unread === null ? null : html`; nothing since then (${durationText(unread.to - unread.from)})`
  }`;
  const where = gaps.length === 0 && unread === null ? null : html` <a href="#coverage">Which times are missing</a>.`;
  return html`
<p class="state${isFine ? null : " incomplete"}"><strong><span aria-hidden="true">${isFine ? "✓" : "▲"}</span> ${isFine ? "Covered without a gap" : faults.join(", ")}.</strong> Read from ${instant(first)} up to ${instant(last)}${missing}.${where} ${counted(archive.fills, "fill")} kept. ${run}</p>`;
}

/** Of the last run only while none is at work to mend it. */
function faultsOf({ lastRun, busy }: ArchiveView, { gaps, unread }: Covered): string[] {
  const found = [
    unread === null ? [] : ["Not up to date"],
    gaps.length === 0 ? [] : [counted(gaps.length, "gap")],
  ].flat();
  return found.length === 0 && !busy && lastRun?.complete === false ? ["The last run did not complete"] : found;
}

/** So many gaps are listed. */
export const MOST_GAPS = 50;

/** The gaps that `gapsOf` gives, in words. */
export function gapList(gaps: readonly TimeRange[], now: number): Html {
  if (gaps.length === 0) {
    return html`
<p>No gap between the first and the last time that is covered.</p>`;
  }
  const left = gaps.length - MOST_GAPS;
  return html`
<p>Not read yet, newest first:</p>
<ul class="gaps">${gaps
    .toReversed()
    .slice(0, MOST_GAPS)
    .map(
      (gap) => html`
<li>${gap.to === now ? html`since ${instant(gap.from)} (${durationText(gap.to - gap.from)})` : stretch(gap)}</li>`,
    )}
</ul>${left > 0 ? html`<p class="note">And ${counted(left, "older gap")}.</p>` : null}`;
}
