import { counted } from "../../core/text.ts";
import { type Html, html, outside } from "../../pack/files/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { NewestPack } from "../data/newest-pack.ts";
import type { Obstacle } from "../ports.ts";
import { archiveOnlyNotice, buttonLink, emptyState } from "./components.ts";
import { type Frame, pageOf } from "./frame.ts";
import { accountLink, makeLink } from "./links.ts";
import { newestOf } from "./newest.ts";
import { archiveLine } from "./status.ts";

export interface AccountLine {
  readonly account: string;
  /** Null if there are too many accounts to read each. */
  readonly known: { readonly archive: ArchiveView; readonly newest: NewestPack | null } | null;
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
        ? emptyState("You do not have access to an account yet. Ask whoever runs this page to give you access.")
        : html`
<ul class="cards">${accounts.map((line) => accountCard(line, rank, now))}
</ul>`
    }`,
  });
}

function accountCard({ account, known }: AccountLine, rank: "primary" | "secondary", now: number): Html {
  const make = buttonLink(
    rank,
    makeLink(account),
    html`Make a pack<span class="hidden"> for ${outside(account)}</span>`,
  );
  return html`
<li class="card"><h2><a href="${accountLink(account)}">${outside(account)}</a></h2>${
    known === null ? null : html`<p class="about">${fillsText(known.archive)} ${archiveLine(known.archive, now)}</p>`
  }${known === null ? null : newestOf(account, known.newest)}
<p class="actions">${make}</p></li>`;
}

function fillsText({ fills }: ArchiveView): string {
  return fills === 0 ? "No fills yet." : `${counted(fills, "fill")}.`;
}
