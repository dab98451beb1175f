import { subtract } from "../../model/ranges.ts";
import type { TimeRange } from "../../model/time.ts";
import { type Html, html } from "../../pack/report/html.ts";
import { count, counted } from "../../pack/report/numbers.ts";
import type { ArchiveView } from "../ports.ts";
import { instant, moment, sentence, stretch } from "./words.ts";

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

/** Between the first and the last time that is covered. */
export function gapsOf({ coverage }: Pick<ArchiveView, "coverage">): readonly TimeRange[] {
  const [first, last] = [coverage.at(0), coverage.at(-1)];
  return first === undefined || last === undefined ? [] : subtract({ from: first.from, to: last.to }, coverage);
}

/** What the archive covers, in a sentence that may stand alone. */
export function archiveState(archive: ArchiveView): Html {
  const [first, last] = [archive.coverage.at(0), archive.coverage.at(-1)];
  const run = html` ${lastRunText(archive)}`;
  if (first === undefined || last === undefined) {
    return html`
<p class="state incomplete"><strong><span aria-hidden="true">▲</span> Nothing was read yet.</strong>${run}</p>`;
  }
  const gaps = gapsOf(archive);
  const span = html`${count(archive.fills)} ${archive.fills === 1 ? "fill" : "fills"} from ${instant(first.from)} to ${instant(last.to)}`;
  return gaps.length === 0
    ? html`
<p class="state"><strong><span aria-hidden="true">✓</span> Covered without a gap:</strong> ${span}.${run}</p>`
    : html`
<p class="state incomplete"><strong><span aria-hidden="true">▲</span> ${counted(gaps.length, "gap")}:</strong> ${span}, but not all of it. <a href="#coverage">Which times are missing</a>.${run}</p>`;
}

/** So many gaps are listed. */
export const MOST_GAPS = 50;

/** The gaps, in words. */
export function gapList(gaps: readonly TimeRange[]): Html {
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
<li>${stretch(gap)}</li>`,
    )}
</ul>${left > 0 ? html`<p class="note">And ${counted(left, "older gap")}.</p>` : null}`;
}
