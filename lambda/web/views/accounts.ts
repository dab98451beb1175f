import { counted } from "../../core/text.ts";
import { type Html, html, outside } from "../../pack/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { PackLine } from "../data/standing.ts";
import { yearToPack } from "../offers.ts";
import type { JobState, Obstacle } from "../ports.ts";
import { actions, archiveOnlyNotice, buttonLink, emptyState, problemNotice } from "./components.ts";
import { type Rank, startForm } from "./forms.ts";
import type { PageParts } from "./frame.ts";
import { jobList } from "./jobs.ts";
import { accountLink, makeLink } from "./links.ts";
import { packSummary } from "./packs.ts";
import { periodTitle } from "./period-title.ts";
import { archiveLine } from "./status.ts";

export interface AccountLine {
  readonly account: string;
  /** Null if there are too many accounts to read each, and if this one cannot be read. */
  readonly known: KnownAccount | null;
  /** Why it cannot be read. Absent: it can, or was not. */
  readonly damage?: Obstacle;
}

/** What is known of an account, for the list and for its own page. */
export interface KnownAccount {
  readonly archive: ArchiveView;
  /** The pack of its newest tax year, or else of its newest period. */
  readonly leading: PackLine | null;
  /** Names of all periods that have packs, newest first. */
  readonly periods: readonly string[];
  /** Why missing fills cannot be read from the service; null if they can. */
  readonly cannotAsk: Obstacle | null;
  /** In the list, those that run now, as far as they were looked for. Newest first. */
  readonly jobs: readonly JobState[];
}

export interface Accounts {
  /** By name. */
  readonly accounts: readonly AccountLine[];
  /** Why no account can be read from the service; null if at least one can. */
  readonly cannotAsk: Obstacle | null;
  /** ms UTC */
  readonly now: number;
}

/** The accounts that the user may see, each with its newest pack; of many, only their names. */
export function accountsPage({ accounts, cannotAsk, now }: Accounts): PageParts {
  const rank = accounts.length === 1 ? "primary" : "secondary";
  const archives = accounts.flatMap(({ known }) => (known === null ? [] : [known.archive]));
  const none = emptyState("You do not have access to an account yet. Ask whoever runs this page to give you access.");
  const isLookedInto = accounts.some(({ known, damage }) => known !== null || damage !== undefined);
  const list = html`<ul class="${isLookedInto ? "cards" : "rows"}">${accounts.map((line) => accountCard(line, rank, now))}</ul>`;
  return {
    title: "Accounts",
    here: "accounts",
    body: html`${archiveOnlyNotice(cannotAsk, archives)}${accounts.length === 0 ? none : list}`,
  };
}

function accountCard({ account, known, damage }: AccountLine, rank: Rank, now: number): Html {
  const name = html`<a href="${accountLink(account)}">${outside(account)}</a>`;
  if (known === null && damage === undefined) {
    return html`<li>${name}</li>`;
  }
  return html`<li class="card"><h2>${name}</h2>
${known && knownParts(account, known)}${damage === undefined ? actions(...makeButtons(account, known, rank, now)) : problemNotice(damage)}</li>`;
}

function knownParts(account: string, { archive, leading, jobs }: KnownAccount): Html {
  const { fills } = archive;
  return html`<p class="about">${fills === 0 ? "No fills yet." : `${counted(fills, "fill")}.`} ${archiveLine(archive)}</p>
${leading === null ? emptyState("No pack was made yet.") : packSummary(account, leading)}${jobs.length === 0 ? null : jobList(account, jobs)}`;
}

/** Makes the pack of the newest year at once, and leads to the form for other periods. */
export function makeButtons(
  account: string,
  known: Pick<KnownAccount, "archive" | "periods" | "cannotAsk"> | null,
  rank: Rank,
  now: number,
): readonly Html[] {
  const forAccount = html`<span class="hidden"> for ${outside(account)}</span>`;
  // Where nothing was read yet, reading all of an account may take hours.
  const isBegun = known !== null && known.archive.coverage.length > 0;
  const year = isBegun ? yearToPack(known.archive, known.periods, now, known.cannotAsk === null) : null;
  if (year === null) {
    return [buttonLink(rank, makeLink(account), html`Make a pack${forAccount}`)];
  }
  const period = year.period.name;
  return [
    startForm({ account, kind: "export", period }, html`Make ${periodTitle(period)}${forAccount}`, { rank }),
    html`<a href="${makeLink(account)}">Other period${forAccount}</a>`,
  ];
}
