import { counted } from "../../core/text.ts";
import { type Html, html, outside } from "../../pack/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { PackLine } from "../data/standing.ts";
import { type Offer, yearToPack } from "../offers.ts";
import type { JobState, Obstacle } from "../ports.ts";
import { archiveOnlyNotice, emptyState, findForm, problemNotice } from "./components.ts";
import { netLine } from "./figures.ts";
import { type Frame, pageOf } from "./frame.ts";
import { jobList } from "./jobs.ts";
import { ALL, accountLink, accountsLink, packLink } from "./links.ts";
import { makeActions } from "./make-actions.ts";
import { BY_NAME, type Paging, pageLinks } from "./paging.ts";
import { periodDays, periodTitle } from "./period-title.ts";
import { archiveLine } from "./status.ts";
import { objectionList, verdictTag } from "./verdict.ts";

export interface AccountLine {
  readonly account: string;
  /** Null if there are too many accounts to read each, and if this one cannot be read. */
  readonly known: KnownAccount | null;
  /** Why it cannot be read. Absent: it can, or was not. */
  readonly damage?: Obstacle;
}

export interface KnownAccount {
  readonly archive: ArchiveView;
  /** The pack of its newest tax year, or else of its newest period. */
  readonly leading: PackLine | null;
  /** Names of all periods that have packs, newest first. */
  readonly periods: readonly string[];
  /** Why this account cannot be read from the service; null if it can. */
  readonly cannotAsk: Obstacle | null;
  /** Its jobs that run now, as far as they were looked for. */
  readonly running: readonly JobState[];
}

export interface Accounts {
  /** Those of one page of the list, by name. */
  readonly accounts: readonly AccountLine[];
  /** A part of a name; empty: all accounts. */
  readonly find: string;
  /** Counts the accounts that were found. */
  readonly paging: Paging;
  /** Why no account can be read from the service; null if at least one can. */
  readonly cannotAsk: Obstacle | null;
  /** ms UTC */
  readonly now: number;
}

/** The accounts that the user may see, each with its newest pack. */
export function accountsPage(frame: Frame, { accounts, find, paging, cannotAsk, now }: Accounts): string {
  const rank = accounts.length === 1 ? "primary" : "secondary";
  const links = pageLinks(paging, "accounts", (page) => accountsLink({ find, page }), BY_NAME);
  const archives = accounts.flatMap(({ known }) => (known === null ? [] : [known.archive]));
  return pageOf(frame, {
    title: "Accounts",
    here: "accounts",
    body: html`${cannotAsk === null ? null : archiveOnlyNotice(cannotAsk, archives)}${paging.pages === 1 && find === "" ? null : findForm(accountsLink(ALL), "Find an account by its name", find)}${found(find, paging)}${links}${
      accounts.length === 0
        ? null
        : html`
<ul class="cards">${accounts.map((line) => accountCard(line, { rank, now }))}
</ul>${links}`
    }`,
  });
}

function found(find: string, { total }: Paging): Html | null {
  const all = html`<a href="${accountsLink(ALL)}">All accounts</a>`;
  if (find !== "") {
    return total === 0
      ? emptyState(html`No account of yours has that in its name. ${all}`)
      : html`
<p class="note">${counted(total, "account")} found. ${all}</p>`;
  }
  return total === 0
    ? emptyState("You do not have access to an account yet. Ask whoever runs this page to give you access.")
    : null;
}

interface CardSettings extends Pick<Accounts, "now"> {
  /** Of its button. */
  readonly rank: "primary" | "secondary";
}

function accountCard({ account, known, damage }: AccountLine, { rank, now }: CardSettings): Html {
  const heading = html`<h2><a href="${accountLink(account)}">${outside(account)}</a></h2>`;
  if (damage !== undefined) {
    return html`
<li class="card">${heading}${problemNotice(damage)}</li>`;
  }
  const make = makeActions({ account, year: known && yearOf(known, now), rank });
  if (known === null) {
    return html`
<li class="card">${heading}${make}</li>`;
  }
  const { archive, leading, running } = known;
  return html`
<li class="card">${heading}<p class="about">${fillsText(archive)} ${archiveLine(archive)}</p>${newestPack(account, leading)}${running.length === 0 ? null : jobList(account, running)}${make}</li>`;
}

/** Null where nothing was read yet: reading all of an account may take hours. */
function yearOf({ archive, periods, cannotAsk }: KnownAccount, now: number): Offer | null {
  return archive.coverage.length === 0 ? null : yearToPack(archive, periods, now, cannotAsk === null);
}

function newestPack(account: string, newest: PackLine | null): Html {
  if (newest === null) {
    return emptyState("No pack was made yet.");
  }
  const { pack, claim, verdict } = newest;
  return html`
<p><a href="${packLink(account, pack)}">${periodTitle(pack.period)}</a> ${verdictTag(verdict)}<br><span class="about">${periodDays(pack.period)}</span></p>${objectionList(verdict)}${netLine(claim?.nets ?? null)}`;
}

function fillsText({ fills }: ArchiveView): string {
  return fills === 0 ? "No fills yet." : `${counted(fills, "fill")}.`;
}
