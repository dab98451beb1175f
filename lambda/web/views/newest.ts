import { type Html, html } from "../../pack/report/html.ts";
import type { LeadingPack } from "../data/newest-pack.ts";
import { emptyState } from "./components.ts";
import { netLine } from "./figures.ts";
import { standing } from "./format.ts";
import { packLink } from "./links.ts";
import { goneNote } from "./packs.ts";
import { periodDays, periodTitle } from "./period-title.ts";

/** The leading pack of an account in the list of accounts, money first. */
export function newestOf(account: string, newest: LeadingPack | null): Html {
  if (newest === null) {
    return emptyState("No pack was made yet.");
  }
  const { pack, claim } = newest;
  return html`
<p><a href="${packLink(account, pack)}">${periodTitle(pack.period)}</a> ${standing(pack, claim)}<br><span class="about">${periodDays(pack.period)}</span></p>${goneNote(pack)}${netLine(claim?.nets ?? null)}`;
}
