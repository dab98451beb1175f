import { subtract } from "../../core/ranges.ts";
import { counted } from "../../core/text.ts";
import { BEGINNING_MS, DAY_MS, type TimeRange } from "../../core/time.ts";
import { silenceSentence, vanishedSentence } from "../../pack/catalogue/assumptions.ts";
import type { Assumed } from "../../pack/make/maker.ts";
import { type Html, type HtmlValue, html } from "../../pack/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { LastChecks } from "../data/standing.ts";
import { notice, points, SIGNS, type Tone, warning } from "./components.ts";
import { asSentence, dayText, moment, stretch } from "./format.ts";
import { periodTitle } from "./period-title.ts";

type Covered = Pick<ArchiveView, "coverage">;

/** The gaps between the first and the last time that was read, oldest first. */
export function gapsOf({ coverage }: Covered): readonly TimeRange[] {
  const [first, last] = [coverage.at(0), coverage.at(-1)];
  return first === undefined || last === undefined ? [] : subtract({ from: first.from, to: last.to }, coverage);
}

/** Whole days since the archive was last read up to; 0 if it is as a run a night leaves it, or empty. */
export function daysBehind({ coverage }: Covered, now: number): number {
  const last = coverage.at(-1)?.to ?? now;
  return now - (now % DAY_MS) - DAY_MS > last ? Math.floor((now - last) / DAY_MS) : 0;
}

/** Whether the archive is complete, and of which times. */
function headOf(archive: ArchiveView): { readonly tone: Tone; readonly head: string } {
  const { coverage, fills } = archive;
  const [first, last] = [coverage.at(0), coverage.at(-1)];
  if (first === undefined || last === undefined) {
    return { tone: "plain", head: fills === 0 ? "Nothing was read yet." : "No time is complete yet." };
  }
  const gaps = gapsOf(archive).length;
  const since = first.from > BEGINNING_MS ? ` from ${dayText(first.from)}` : "";
  return gaps > 0
    ? { tone: "warn", head: `${counted(gaps, "gap")} between ${dayText(first.from)} and ${dayText(last.to)}.` }
    : { tone: "good", head: `Records complete${since} up to ${dayText(last.to)}.` };
}

/** One line: whether the archive is complete, of which times, and whether the last run failed. */
export function archiveLine(archive: ArchiveView): Html {
  const { tone, head } = headOf(archive);
  const run = archive.lastRun?.complete === false ? html` ${SIGNS.warn}Last run: not complete.` : null;
  return html`${tone === "warn" ? warning(head) : head}${run}`;
}

/** What the archive covers up to `now`, what is missing, and how the last run ended. `action`: what to do. */
export function archiveState(archive: ArchiveView, now: number, action: HtmlValue): Html {
  const { coverage, fills, firstTrade, lastRun, assumed } = archive;
  const { tone, head } = headOf(archive);
  const [first, last] = [coverage.at(0), coverage.at(-1)];
  const why = lastRun?.problem ? html` ${asSentence(lastRun.problem)}` : null;
  const run =
    lastRun && html`Last run ${moment(lastRun.endedAt)}${lastRun.complete ? "." : html`: not complete.${why}`}`;
  const days = daysBehind(archive, now);
  const since = last && days > 0 ? ` No fills read since ${dayText(last.to)} (${counted(days, "day")}).` : null;
  const kept = html`${counted(fills, "fill")} kept${firstTrade === null ? null : `, from ${dayText(firstTrade)}`}.`;
  const earlier =
    first !== undefined && first.from > BEGINNING_MS
      ? html`<p>${SIGNS.warn}Nothing before ${dayText(first.from)} was read.</p>`
      : null;
  return notice(
    tone,
    head,
    html`<p>${kept}${since} ${run ?? "No run yet."}</p>${earlier}${assumptionLine(assumed)}${action}`,
  );
}

/** What "complete" rests on beside the venue's answers, in the report's words. */
export function assumptionLine({ silenceDays, vanished }: Assumed): Html {
  return html`${vanished === 0 ? null : html`<p>${SIGNS.warn}${vanishedSentence(vanished)}</p>`}${
    silenceDays === null ? null : html`<p class="note">${silenceSentence(silenceDays)}</p>`
  }`;
}

/** What was checked, what it means if nothing was found, and how to learn what was. */
const CHECKS = [
  ["files", "Files checked", "all unchanged", "Check the archive again to see which."],
  [
    "rewalk",
    "Compared with the venue",
    "no fill missing or changed in the times that were read",
    "Ask whoever runs fillbook which.",
  ],
] as const;

/** When the archive was last checked, and with which result: one sentence for each kind of check. */
export function checksText(checks: LastChecks): Html {
  const texts = CHECKS.map(([kind, what, fine, more]) => {
    const check = checks[kind];
    if (check === null) {
      return html`${what}: never.`;
    }
    const { checkedAt, period, ok, findings } = check;
    const when = html`${what}${period === null ? null : html` for ${periodTitle(period)}`} on ${moment(checkedAt)}`;
    return ok ? html`${when}: ${fine}.` : html`${warning(html`${when}: ${counted(findings, "finding")}.`)} ${more}`;
  });
  return html`${texts.map((text, at) => html`${at === 0 ? null : " "}${text}`)}`;
}

/** The gaps in what was read, in words. */
export function gapList(archive: Covered): Html {
  const gaps = gapsOf(archive).toReversed();
  return gaps.length === 0
    ? html`<p>No gap between the first and the last time that was read.</p>`
    : html`<p>Missing, newest first:</p>${points(gaps.map(stretch), (left) => `And ${counted(left, "older gap")}.`)}`;
}
