import { counted } from "../../core/text.ts";
import { type Html, html, outside } from "../../pack/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { Obstacle } from "../ports.ts";
import { actions, archiveOnlyNotice, buttonLink, emptyState, problemNotice } from "./components.ts";
import type { PageParts } from "./frame.ts";
import { accountLink, makeLink } from "./links.ts";
import { type PackLine, packSummary } from "./packs.ts";
import { archiveLine } from "./status.ts";

export interface AccountLine {
  readonly account: string;
  /** Why it cannot be read; null if there are too many accounts to read each. */
  readonly known: KnownAccount | { readonly damage: Obstacle } | null;
}

interface KnownAccount {
  /** Null: several accounts together. */
  readonly archive: ArchiveView | null;
  /** Null: it has none. */
  readonly newest: PackLine | null;
}

/**
 * The accounts that the user may see, by name, then several together, each with its newest pack; of many, only their
 * names. `cannotAsk`: why no account can be read from the service; null if at least one can.
 */
export function accountsPage(accounts: readonly AccountLine[], cannotAsk: Obstacle | null): PageParts {
  const archives = accounts.flatMap(({ known }) => (known !== null && "archive" in known ? (known.archive ?? []) : []));
  const none = emptyState("You do not have access to an account yet. Ask whoever runs this page to give you access.");
  const list = html`<ul class="${accounts[0]?.known ? "cards" : "rows"}">${accounts.map(accountCard)}</ul>`;
  return {
    title: "Accounts",
    here: "accounts",
    body: html`${archiveOnlyNotice(cannotAsk, archives)}${accounts.length === 0 ? none : list}`,
  };
}

function accountCard({ account, known }: AccountLine): Html {
  const name = html`<a href="${accountLink(account)}">${outside(account)}</a>`;
  if (known === null) {
    return html`<li>${name}</li>`;
  }
  return html`<li class="card"><h2>${name}</h2>${"damage" in known ? problemNotice(known.damage) : knownParts(account, known)}</li>`;
}

function knownParts(account: string, { archive, newest }: KnownAccount): Html {
  const pack = newest === null ? emptyState("No pack was made yet.") : packSummary(account, newest);
  if (archive === null) {
    return pack;
  }
  const { fills } = archive;
  return html`<p class="about">${fills === 0 ? "No fills yet." : `${counted(fills, "fill")}.`} ${archiveLine(archive)}</p>
${pack}
${actions(buttonLink("secondary", makeLink(account), html`Make a pack<span class="hidden"> for ${outside(account)}</span>`))}`;
}
