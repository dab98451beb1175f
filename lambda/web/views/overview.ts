import { intersection } from "../../core/ranges.ts";
import type { TimeRange } from "../../core/time.ts";
import { type Html, html, outside } from "../../pack/files/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { NewestPack } from "../data/newest-pack.ts";
import type { JobState, Obstacle, Role } from "../ports.ts";
import { archiveOnlyNotice, buttonLink, emptyState } from "./components.ts";
import { calendar, calendarOf } from "./coverage-calendar.ts";
import { firstSteps, isBeginning, isReading } from "./first-steps.ts";
import { type Frame, pageOf, section } from "./frame.ts";
import { jobList, READ_FILLS, startForm } from "./jobs.ts";
import { inputsLink, makeLink, packLink, yearLink } from "./links.ts";
import { type PackList, packList } from "./packs.ts";
import {
  archiveState,
  checksText,
  daysBehind,
  FIRST_READ,
  finishedEnd,
  gapList,
  gapsOf,
  type LastChecks,
  NOTHING_READ,
} from "./status.ts";

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
  readonly newest: NewestPack | null;
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
  const isNew = isBeginning(archive, packs.paging.total > 0 || packs.find !== "");
  return pageOf(frame, {
    title: `Account ${account}`,
    heading: html`Account ${outside(account)}`,
    account,
    here: "overview",
    body: html`${cannotAsk === null || isNew ? null : archiveOnlyNotice(cannotAsk, [archive])}${runningSection(account, jobs)}${
      isNew
        ? [
            firstSteps(frame, { ...overview, archive: { ...archive, busy: isReading(archive, jobs) } }),
            inputsSection(overview),
          ]
        : [
            archiveState({ ...archive, busy: isReading(archive, jobs) }, overview.now, readAction(frame, overview)),
            packsSection(overview),
            inputsSection(overview),
            coverageSection(overview),
          ]
    }${isNew || overview.role !== "operator" ? null : upkeepSection(frame, overview)}${endedSection(account, jobs)}`,
  });
}

function runningSection(account: string, jobs: readonly JobState[]): Html | null {
  const running = jobs.filter(({ state }) => state === "running");
  return running.length === 0 ? null : section("running", "Running now", jobList(account, running));
}

/** What an operator can do about what is missing; while a run reads, nothing. */
function readAction(frame: Frame, overview: Overview): Html | null {
  const { archive, role, jobs, cannotAsk } = overview;
  return role !== "operator" || isReading(archive, jobs)
    ? null
    : startForm(frame, { account: archive.account, kind: "sync" }, READ_FILLS, {
        rank: isReadingDue(overview) ? "primary" : "secondary",
        disabled: cannotAsk !== null,
      });
}

/** True if reading new fills is the page's main action; otherwise it is to make a pack. */
function isReadingDue({ archive, role, jobs, cannotAsk, now }: Overview): boolean {
  const isBehind = archive.coverage.length === 0 || daysBehind(archive, now) > 0 || gapsOf(archive, now).length > 0;
  return role === "operator" && cannotAsk === null && !isReading(archive, jobs) && isBehind;
}

function packsSection(overview: Overview): Html {
  const {
    archive: { account },
    packs,
    newest,
  } = overview;
  const open = newest === null ? null : buttonLink("secondary", packLink(account, newest.pack), "Open the newest pack");
  const actions = html`
<p class="actions">${buttonLink(isReadingDue(overview) ? "secondary" : "primary", makeLink(account), "Make a pack")} ${open}</p>`;
  return section("packs", "Packs", packList(account, packs, newest, actions));
}

function inputsSection({ archive: { account }, inputs }: Overview): Html {
  const names = inputs.map((name, at) => html`${at === 0 ? null : ", "}${outside(name)}`);
  return section(
    "inputs",
    "Your files",
    html`
<p>${inputs.length === 0 ? "Opening positions, funding, transfers and exchange rates, which the venue does not provide. No file has been uploaded yet." : html`Packs are made with ${names}.`}</p>
<p class="actions">${buttonLink("secondary", inputsLink(account), inputs.length === 0 ? "Upload a file" : "See or change your files")}</p>`,
  );
}

function coverageSection({ archive, checks, year, jobs, now }: Overview): Html {
  const gaps = gapsOf(archive, now);
  const due = Math.max(archive.coverage.at(-1)?.to ?? 0, finishedEnd(now));
  const years = calendarOf(tradedCoverage(archive, gaps), due, now);
  return section(
    "coverage",
    "What was read",
    html`${archive.coverage.length === 0 ? emptyState(isReading(archive, jobs) ? FIRST_READ : NOTHING_READ) : gapList(gaps)}
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

function upkeepSection(frame: Frame, { archive: { account } }: Overview): Html {
  return section(
    "work",
    "Upkeep",
    html`
<p>Compare every file of the archive and of its packs with its recorded hash.</p>${startForm(frame, { account, kind: "verify" }, "Check the archive", { rank: "secondary" })}`,
  );
}

function endedSection(account: string, jobs: readonly JobState[]): Html | null {
  const ended = jobs.filter(({ state }) => state !== "running").slice(0, MOST_JOBS);
  return ended.length === 0 ? null : section("jobs", "Recent jobs", jobList(account, ended));
}
