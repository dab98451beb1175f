import { DAY_MS } from "../../core/time.ts";
import { type Html, html, outside } from "../../pack/files/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { JobState, Role } from "../ports.ts";
import { calendar, calendarOf } from "./coverage-calendar.ts";
import { type Frame, pageOf, section } from "./frame.ts";
import { jobList, startForm } from "./jobs.ts";
import { yearLink } from "./links.ts";
import { type Choices, makeForms } from "./make-forms.ts";
import { type PackList, packList } from "./packs.ts";
import { archiveState, gapList, gapsOf } from "./status.ts";

/** So many that have ended are listed. */
const MOST_JOBS = 20;
const OFFERED_MS = 5 * 366 * DAY_MS;

export interface Overview {
  readonly archive: ArchiveView;
  /** What the user is in this account. */
  readonly role: Role;
  /** The year whose calendar was asked for; what is none of the archive's asks for none. */
  readonly year: string | null;
  readonly packs: PackList;
  /** Newest first. */
  readonly jobs: readonly JobState[];
  readonly methods: readonly string[];
  /** ms UTC */
  readonly now: number;
}

/** An account: what is covered, its packs, and how to get another. */
export function overviewPage(frame: Frame, overview: Overview): string {
  const { archive, packs, jobs } = overview;
  const { account } = archive;
  const years = calendarOf(archive.coverage, overview.now);
  const running = jobs.filter(({ state }) => state === "running");
  return pageOf(frame, {
    title: `Account ${account}`,
    heading: html`Account ${outside(account)}`,
    account,
    here: "overview",
    body: html`${archiveState(archive, overview.now)}${
      running.length === 0
        ? null
        : section(
            "running",
            "At work now",
            html`${jobList(account, running)}<p class="note">This page shows what was so when it was opened.</p>`,
          )
    }${section("packs", "Packs", packList(account, packs))}${section(
      "make",
      "Make a pack",
      makeForms(frame, account, choicesOf(overview)),
    )}${section(
      "coverage",
      "Coverage",
      html`${archive.coverage.length === 0 ? html`<p class="empty">Nothing was read yet.</p>` : gapList(gapsOf(archive, overview.now), overview.now)}${years.length === 0 ? null : calendar(years, overview.year, (year) => yearLink(account, year))}`,
    )}${overview.role === "operator" ? section("work", "Work on the archive", operatorForms(frame, account)) : null}${section(
      "jobs",
      "Started lately",
      jobList(account, jobs.filter(({ state }) => state !== "running").slice(0, MOST_JOBS)),
    )}`,
  });
}

function operatorForms(frame: Frame, account: string): Html {
  return html`
<div class="sides">
<div><p>Reads the fills that are not here yet, up to now.</p>${startForm(frame, { account, kind: "sync" }, "Sync now")}</div>
<div><p>Hashes every file that is kept, and compares with what was written down.</p>${startForm(frame, { account, kind: "verify" }, "Verify")}</div>
</div>`;
}

/** Before the first run nothing is known of when the account began: what an export can ask for is offered all the same. */
function choicesOf({ archive, methods, now }: Overview): Choices {
  return { methods, now, since: Math.min(archive.coverage.at(0)?.from ?? now, now - OFFERED_MS) };
}
