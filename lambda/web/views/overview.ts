import { type Html, html, outside } from "../../pack/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { InputNames } from "../data/input-files.ts";
import type { PackLine } from "../data/standing.ts";
import { yearToPack } from "../offers.ts";
import type { JobState, Obstacle, Role } from "../ports.ts";
import { archiveOnlyNotice, buttonLink, emptyState, fileNames, unusableNotice } from "./components.ts";
import { type Frame, pageOf, section } from "./frame.ts";
import { jobList, READ_FILLS, startForm } from "./jobs.ts";
import { inputsLink, packLink } from "./links.ts";
import { makeActions } from "./make-actions.ts";
import { againForm } from "./pack.ts";
import { type PackList, packList } from "./packs.ts";
import { periodTitle } from "./period-title.ts";
import {
  archiveState,
  checksText,
  daysBehind,
  FIRST_READ,
  gapList,
  gapsOf,
  type LastChecks,
  NOTHING_READ,
  readsNow,
} from "./status.ts";

/** At most this many ended jobs are listed. */
const MOST_JOBS = 20;

export interface Overview extends InputNames {
  readonly archive: ArchiveView;
  /** The user's role in this account. */
  readonly role: Role;
  readonly packs: PackList;
  /** Null if there is no pack, or if the list shows other packs. */
  readonly leading: PackLine | null;
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
  const { archive, jobs, cannotAsk, role } = overview;
  const { account } = archive;
  return pageOf(frame, {
    title: `Account ${account}`,
    heading: html`Account ${outside(account)}`,
    account,
    here: "overview",
    body: html`${cannotAsk === null ? null : archiveOnlyNotice(cannotAsk, [archive])}${unusableNotice(account, overview.unusable)}${runningSection(account, jobs)}${archiveState(
      archive,
      overview.now,
      { isReading: readsNow(jobs), action: readAction(overview) },
    )}${packsSection(overview)}${inputsSection(overview)}${coverageSection(overview)}${
      role === "operator" ? upkeepSection(overview) : null
    }${endedSection(account, jobs)}`,
  });
}

function runningSection(account: string, jobs: readonly JobState[]): Html | null {
  const running = jobs.filter(({ state }) => state === "running");
  return running.length === 0 ? null : section("running", "Running now", jobList(account, running));
}

/** What an operator can do about what is missing; while a run reads, nothing. */
function readAction(overview: Overview): Html | null {
  const { archive, role, jobs, cannotAsk } = overview;
  return role !== "operator" || readsNow(jobs)
    ? null
    : startForm({ account: archive.account, kind: "sync" }, READ_FILLS, {
        rank: isReadingDue(overview) ? "primary" : "secondary",
        disabled: cannotAsk !== null,
      });
}

/** True if reading new fills is the page's main action; otherwise it is to make a pack. */
function isReadingDue({ archive, role, jobs, cannotAsk, now }: Overview): boolean {
  const isBehind = archive.coverage.length === 0 || daysBehind(archive, now) > 0 || gapsOf(archive).length > 0;
  return role === "operator" && cannotAsk === null && !readsNow(jobs) && isBehind;
}

function packsSection(overview: Overview): Html {
  const { archive, packs, leading, periods, cannotAsk, now } = overview;
  const { account } = archive;
  const open =
    leading === null
      ? null
      : html`${buttonLink("secondary", packLink(account, leading.pack), html`Open ${periodTitle(leading.pack.period)}`)} ${againForm(account, leading)}`;
  const year = archive.coverage.length === 0 ? null : yearToPack(archive, periods, now, cannotAsk === null);
  const actions = makeActions({ account, year, rank: isReadingDue(overview) ? "secondary" : "primary" }, open);
  return section("packs", "Packs", packList(account, packs, leading, actions));
}

function inputsSection({ archive: { account }, inputs }: Overview): Html {
  return section(
    "inputs",
    "Your files",
    html`
<p>${inputs.length === 0 ? "Opening positions, funding, transfers and exchange rates, which the venue does not provide. No file has been uploaded yet." : html`Packs are made with ${fileNames(inputs)}.`}</p>
<p class="actions">${buttonLink("secondary", inputsLink(account), inputs.length === 0 ? "Upload a file" : "See or change your files")}</p>`,
  );
}

function coverageSection({ archive, checks, jobs }: Overview): Html {
  return section(
    "coverage",
    "What was read",
    html`${archive.coverage.length === 0 ? emptyState(readsNow(jobs) ? FIRST_READ : NOTHING_READ) : gapList(gapsOf(archive))}
<p>${checksText(checks)}</p>`,
  );
}

function upkeepSection({ archive: { account } }: Overview): Html {
  return section(
    "work",
    "Upkeep",
    html`
<p>Compare every file of the archive and of its packs with its recorded hash.</p>${startForm({ account, kind: "verify" }, "Check the archive", { rank: "secondary" })}`,
  );
}

function endedSection(account: string, jobs: readonly JobState[]): Html | null {
  const ended = jobs.filter(({ state }) => state !== "running").slice(0, MOST_JOBS);
  return ended.length === 0 ? null : section("jobs", "Recent jobs", jobList(account, ended));
}
