import { counted } from "../../core/text.ts";
import { type Html, html, outside } from "../../pack/files/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { AccountPacks } from "../data/newest-pack.ts";
import { type Offer, yearToPack } from "../offers.ts";
import type { Obstacle } from "../ports.ts";
import { assumptionLine } from "./assumptions.ts";
import { archiveOnlyNotice, emptyState } from "./components.ts";
import { type Frame, pageOf } from "./frame.ts";
import { accountLink, reportLink } from "./links.ts";
import { makeActions } from "./make-actions.ts";
import { newestOf } from "./newest.ts";
import { archiveLine } from "./status.ts";

export interface AccountLine {
  readonly account: string;
  /** Null if there are too many accounts to read each. */
  readonly known: { readonly archive: ArchiveView; readonly packs: AccountPacks } | null;
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
  return pageOf(frame, {
    title: "Accounts",
    here: "accounts",
    body: html`${cannotAsk === null ? null : archiveOnlyNotice(cannotAsk)}${
      accounts.length === 0
        ? emptyState("There is no account for you here yet. Ask whoever runs this page to add you to one.")
        : html`
<ul class="cards">${accounts.map((line) => accountCard(frame, line, { rank, now, canAsk: cannotAsk === null }))}
</ul>`
    }`,
  });
}

interface CardSettings extends Pick<Accounts, "now"> {
  readonly rank: "primary" | "secondary";
  readonly canAsk: boolean;
}

function accountCard(frame: Frame, { account, known }: AccountLine, { rank, now, canAsk }: CardSettings): Html {
  const year = known === null ? null : yearOf(known, now, canAsk);
  const leading = known?.packs.leading ?? null;
  const report = leading === null ? null : reportLink(account, leading.pack);
  return html`
<li class="card"><h2><a href="${accountLink(account)}">${outside(account)}</a></h2>${
    known === null
      ? null
      : html`<p class="about">${fillsText(known.archive)} ${archiveLine(known.archive, now)}</p>${assumptionLine(known.archive.assumptions, report)}`
  }${known === null ? null : newestOf(account, leading)}${makeActions(frame, { account, year, rank })}</li>`;
}

/** Null where nothing was read yet: reading all of an account may take hours. */
function yearOf({ archive, packs }: NonNullable<AccountLine["known"]>, now: number, canAsk: boolean): Offer | null {
  return archive.coverage.length === 0 ? null : yearToPack(archive, packs.periods, now, canAsk);
}

function fillsText({ fills }: ArchiveView): string {
  return fills === 0 ? "No fills yet." : `${counted(fills, "fill")}.`;
}
