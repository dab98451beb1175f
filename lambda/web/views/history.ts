import { html, outside } from "../../pack/report/html.ts";
import type { DownloadRecord } from "../data/downloads.ts";
import { emptyState } from "./components.ts";
import { moment, versionName } from "./format.ts";
import type { PageParts } from "./frame.ts";
import { accountLink, packLink } from "./links.ts";
import { periodTitle } from "./period-title.ts";

/** Who downloaded what, newest first. `most`: as many as are shown. */
export function historyPage(account: string, records: readonly DownloadRecord[], most: number): PageParts {
  const packs = html`<a href="${accountLink(account)}#packs">the packs of ${outside(account)}</a>`;
  const rows = records.map(
    ({ at, user, period, version, path }) => html`
<li><span class="name">${path === "*" ? "Everything, as ZIP" : outside(path)}</span> <a href="${packLink(account, { period, version })}">${periodTitle(period)}</a>
<span class="about">${outside(user)} · ${moment(at)} · version ${versionName(version)}</span></li>`,
  );
  return {
    title: `Downloads of ${account}`,
    heading: html`Downloads of ${outside(account)}`,
    account,
    here: "history",
    body:
      records.length === 0
        ? emptyState(html`Nothing was downloaded yet. Files are downloaded from a pack: ${packs}`)
        : html`
<p class="lead">Who downloaded what: the newest ${most}. Every download of a pack is recorded before it begins, and kept in the store, in <code>${outside(account)}/downloads/</code>.</p>
<ul class="rows downloads">${rows}</ul>`,
  };
}
