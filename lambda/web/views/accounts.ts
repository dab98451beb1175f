import { counted } from "../../core/text.ts";
import { type Html, html, outside } from "../../pack/files/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { NewestPack } from "../data/newest-pack.ts";
import type { JobState, Obstacle, Role } from "../ports.ts";
import { archiveOnlyNotice, buttonLink, emptyState } from "./components.ts";
import { firstSteps, isBeginning, isReading } from "./first-steps.ts";
import { type Frame, pageOf } from "./frame.ts";
import { jobList } from "./jobs.ts";
import { accountLink, makeLink } from "./links.ts";
import { newestOf } from "./newest.ts";
import { archiveLine } from "./status.ts";

export interface AccountLine {
  readonly account: string;
  /** Null if there are too many accounts to read each. */
  readonly known: KnownAccount | null;
}

export interface KnownAccount {
  readonly archive: ArchiveView;
  readonly newest: NewestPack | null;
  /** The user's role in this account. */
  readonly role: Role;
  /** Why this account cannot be read from the service; null if it can. */
  readonly cannotAsk: Obstacle | null;
  /** Its jobs that run now, as far as they were looked for. */
  readonly running: readonly JobState[];
}

export interface Accounts {
  readonly accounts: readonly AccountLine[];
  /** Why no account can be read from the service; null if at least one can. */
  readonly cannotAsk: Obstacle | null;
  /** ms UTC */
  readonly now: number;
}

/** The accounts that the user may see, each with its newest pack. */
export function accountsPage(frame: Frame, { accounts, cannotAsk, now }: Accounts): string {
  const rank = accounts.length === 1 ? "primary" : "secondary";
  const [only = null] = accounts.length === 1 ? accounts.map(({ known }) => known) : [];
  const isNew = only !== null && isBeginning(only.archive, only.newest !== null);
  const archives = accounts.flatMap(({ known }) => (known === null ? [] : [known.archive]));
  return pageOf(frame, {
    title: "Accounts",
    here: "accounts",
    body: html`${cannotAsk === null || isNew ? null : archiveOnlyNotice(cannotAsk, archives)}${
      accounts.length === 0
        ? emptyState("You do not have access to an account yet. Ask whoever runs this page to give you access.")
        : html`
<ul class="cards">${accounts.map((line) => accountCard(line, isNew ? null : rank, now))}
</ul>${isNew ? firstSteps(frame, { ...only, archive: { ...only.archive, busy: isReading(only.archive, only.running) } }) : null}`
    }`,
  });
}

/** `rank`: of its button; null: it has none. */
function accountCard({ account, known }: AccountLine, rank: "primary" | "secondary" | null, now: number): Html {
  const make =
    rank === null
      ? null
      : html`
<p class="actions">${buttonLink(rank, makeLink(account), html`Make a pack<span class="hidden"> for ${outside(account)}</span>`)}</p>`;
  return html`
<li class="card"><h2><a href="${accountLink(account)}">${outside(account)}</a></h2>${
    known === null ? null : html`<p class="about">${fillsText(known.archive)} ${archiveLine(known.archive, now)}</p>`
  }${known === null || rank === null ? null : newestOf(account, known.newest)}${
    known === null || known.running.length === 0 ? null : jobList(account, known.running)
  }${make}</li>`;
}

function fillsText({ fills }: ArchiveView): string {
  return fills === 0 ? "No fills yet." : `${counted(fills, "fill")}.`;
}
