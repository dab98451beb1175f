import { intersection } from "../../core/ranges.ts";
import type { TimeRange } from "../../core/time.ts";
import { type Html, html, outside } from "../../pack/files/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { InputsSince } from "../data/inputs-since.ts";
import type { LeadingPack } from "../data/newest-pack.ts";
import { yearToPack } from "../offers.ts";
import type { JobState, Obstacle, Role } from "../ports.ts";
import { archiveOnlyNotice, buttonLink, emptyState, fileNames, notice } from "./components.ts";
import { calendar, calendarOf } from "./coverage-calendar.ts";
import { asSentence } from "./format.ts";
import { type Frame, pageOf, section } from "./frame.ts";
import { jobList, startForm } from "./jobs.ts";
import { inputsLink, makeLink, packLink, reportLink, yearLink } from "./links.ts";
import { makeActions } from "./make-actions.ts";
import { againRequest } from "./pack.ts";
import { type PackList, packList } from "./packs.ts";
import { periodTitle } from "./period-title.ts";
import { archiveState, checksText, finishedEnd, gapList, gapsOf, type LastChecks } from "./status.ts";

/** At most this many ended jobs are listed. */
const MOST_JOBS = 20;

export interface Overview {
  readonly archive: ArchiveView;
  /** The user's role in this account. */
  readonly role: Role;
  /** The year of the requested calendar. A year outside the archive counts as null. */
  readonly year: string | null;
  readonly packs: PackList;
  /** Names of the user's files. */
  readonly inputs: readonly string[];
  /** Null if there is no pack, or if the list shows other packs. */
  readonly leading: LeadingPack | null;
  /** What changed of the user's files since the leading pack was made; null if there is none. */
  readonly since: InputsSince | null;
  /** Names of all periods that have packs, newest first. */
  readonly periods: readonly string[];
  /** Newest first. */
  readonly jobs: readonly JobState[];
  readonly checks: LastChecks;
  /** Null if missing fills can be read from the service. */
  readonly cannotAsk: Obstacle | null;
  /** ms UTC */
  readonly now: number;
}

/** An account: its completeness, its packs, and what to do next. */
export function overviewPage(frame: Frame, overview: Overview): string {
  const { archive, packs, jobs, cannotAsk } = overview;
  const { account } = archive;
  const isNew = archive.coverage.length === 0 && packs.paging.total === 0 && packs.find === "";
  return pageOf(frame, {
    title: `Account ${account}`,
    heading: html`Account ${outside(account)}`,
    account,
    here: "overview",
    body: html`${cannotAsk === null ? null : archiveOnlyNotice(cannotAsk)}${runningSection(account, jobs)}${
      isNew
        ? [firstSteps(frame, overview), inputsSection(overview)]
        : [
            archiveState(archive, overview.now, overview.leading && reportLink(account, overview.leading.pack)),
            packsSection(frame, overview),
            inputsSection(overview),
            coverageSection(overview),
          ]
    }${isNew || overview.role !== "operator" ? null : upkeepSection(frame, overview)}${isNew && jobs.length === 0 ? null : endedSection(account, jobs)}`,
  });
}

function runningSection(account: string, jobs: readonly JobState[]): Html | null {
  const running = jobs.filter(({ state }) => state === "running");
  return running.length === 0 ? null : section("running", "At work now", jobList(account, running));
}

/** The steps from an empty store to the first pack. */
function firstSteps(frame: Frame, { archive, role, cannotAsk }: Overview): Html {
  const { account } = archive;
  const reads =
    role === "operator"
      ? startForm(frame, { account, kind: "sync" }, "Read all fills", { rank: "primary", disabled: cannotAsk !== null })
      : html`<p>Making a pack reads them too.</p>`;
  return section(
    "begin",
    "Three steps to the first pack",
    html`
<ol class="steps">
<li${cannotAsk === null ? html` class="done"` : null}><h3>Let fillbook ask the venue</h3><p>${
      cannotAsk === null
        ? "Done: it has an address and a token."
        : html`${asSentence(cannotAsk.message)} ${asSentence(cannotAsk.hint ?? "")}`
    }</p></li>
<li><h3>Read your fills</h3><p>Nothing was read yet. Reading all of an account takes minutes, or hours where it has millions of fills. It can be stopped, and goes on from where it stopped.</p>${reads}</li>
<li><h3>Make a pack</h3><p>Choose a tax year, a month or any days that are over.</p>${
      cannotAsk === null
        ? html`<p>${buttonLink(role === "operator" ? "secondary" : "primary", makeLink(account), "Make a pack")}</p>`
        : null
    }</li>
</ol>`,
  );
}

function packsSection(frame: Frame, overview: Overview): Html {
  const { archive, packs, leading, periods, cannotAsk, now } = overview;
  const { account } = archive;
  const open =
    leading === null
      ? null
      : buttonLink("secondary", packLink(account, leading.pack), html`Open ${periodTitle(leading.pack.period)}`);
  const year = archive.coverage.length === 0 ? null : yearToPack(archive, periods, now, cannotAsk === null);
  const actions = makeActions(frame, { account, year, rank: "primary" }, open);
  return section("packs", "Packs", html`${inputsNotice(frame, overview)}${packList(account, packs, leading, actions)}`);
}

/** Says where the user's files are no longer those that the leading pack was made with. */
function inputsNotice(frame: Frame, { archive: { account }, leading, since }: Overview): Html | null {
  const claim = leading?.claim ?? null;
  if (leading === null || claim === null || since === null) {
    return null;
  }
  const { period } = leading.pack;
  const { uploaded, unused, gone } = since;
  const made = html`The pack of ${periodTitle(period)} was made`;
  const again = startForm(frame, againRequest(account, { period, claim }), "Make it again", { rank: "secondary" });
  const without = html`<p>A pack that is made now is made without. <a href="${inputsLink(account)}">Your files</a></p>`;
  return html`${
    uploaded.length === 0
      ? null
      : notice("warn", html`${made} before ${fileNames(uploaded)} ${isOrAre(uploaded, "was")} uploaded.`, again)
  }${unused.length === 0 ? null : notice("warn", html`${made} without ${fileNames(unused)}.`, uploaded.length === 0 ? again : null)}${
    gone.length === 0
      ? null
      : notice(
          "warn",
          html`${made} with ${fileNames(gone)}, which ${isOrAre(gone, "is")} not among your files.`,
          without,
        )
  }`;
}

function isOrAre({ length }: readonly string[], one: "is" | "was"): string {
  const many = { is: "are", was: "were" } as const;
  return length === 1 ? one : many[one];
}

function inputsSection({ archive: { account }, inputs }: Overview): Html {
  return section(
    "inputs",
    "Your files",
    html`
<p>${inputs.length === 0 ? "Opening positions, funding, transfers and exchange rates: what the venue does not tell. None was uploaded yet." : html`Packs are made with ${fileNames(inputs)}.`}</p>
<p class="actions">${buttonLink("secondary", inputsLink(account), inputs.length === 0 ? "Upload a file" : "See or change your files")}</p>`,
  );
}

function coverageSection({ archive, checks, year, now }: Overview): Html {
  const gaps = gapsOf(archive, now);
  const years = calendarOf(tradedCoverage(archive, gaps), Math.max(archive.coverage.at(-1)?.to ?? 0, finishedEnd(now)));
  return section(
    "coverage",
    "What was read",
    html`${archive.coverage.length === 0 ? emptyState("Nothing was read yet.") : gapList(gaps)}
<p>${checksText(checks)}</p>${
      years.length === 0 ? null : calendar(years, year, (one) => yearLink(archive.account, one))
    }`,
  );
}

/**
 * The coverage from the year of the first fill on, if everything before it was read: earlier years have
 * nothing to show.
 */
function tradedCoverage({ coverage, firstTrade }: ArchiveView, gaps: readonly TimeRange[]): readonly TimeRange[] {
  const [gap] = gaps;
  return firstTrade === null || (gap !== undefined && gap.from < firstTrade)
    ? coverage
    : intersection(
        { from: Date.UTC(new Date(firstTrade).getUTCFullYear(), 0), to: Number.POSITIVE_INFINITY },
        coverage,
      );
}

function upkeepSection(frame: Frame, { archive: { account }, cannotAsk }: Overview): Html {
  const how = { rank: "secondary", disabled: cannotAsk !== null } as const;
  return section(
    "work",
    "Upkeep",
    html`
<div class="sides">
<div><p>Read the fills that the archive lacks, up to now.</p>${startForm(frame, { account, kind: "sync" }, "Read new fills", how)}</div>
<div><p>Compare every file of the archive and of its packs with the hash that was kept of it.</p>${startForm(frame, { account, kind: "verify" }, "Check the archive", { ...how, disabled: false })}</div>
</div>`,
  );
}

function endedSection(account: string, jobs: readonly JobState[]): Html {
  const ended = jobs.filter(({ state }) => state !== "running").slice(0, MOST_JOBS);
  return section("jobs", "Recent jobs", jobList(account, ended));
}
