import { type Html, html, outside } from "../../pack/report/html.ts";
import type { DownloadPage, DownloadRecord } from "../data/downloads.ts";
import { emptyState } from "./components.ts";
import { moment, versionName } from "./format.ts";
import type { PageParts } from "./frame.ts";
import { accountLink, historyLink, packLink } from "./links.ts";
import { periodTitle } from "./period-title.ts";

export interface History extends DownloadPage {
  readonly account: string;
  /** True if newer records exist. */
  readonly isOlder: boolean;
}

/** Who downloaded what, newest first. */
export function historyPage(history: History): PageParts {
  const { account, records } = history;
  return {
    title: `Downloads of ${account}`,
    heading: html`Downloads of ${outside(account)}`,
    account,
    here: "history",
    body: records.length === 0 ? nothing(history) : recordList(history),
  };
}

function nothing({ account, isOlder }: History): Html {
  return emptyState(
    isOlder
      ? html`Nothing was downloaded before. <a href="${historyLink(account)}">The newest</a>`
      : html`Nothing was downloaded yet. Files are downloaded from a pack: <a href="${accountLink(account)}#packs">the packs of ${outside(account)}</a>`,
  );
}

function recordList({ account, records, older, isOlder }: History): Html {
  const newest = isOlder ? html`<a rel="prev" href="${historyLink(account)}">The newest</a> ` : null;
  const before = older && html`<a rel="next" href="${historyLink(account, older)}">Older downloads</a>`;
  return html`
<p class="lead">Who downloaded what. Every download of a pack is recorded before it begins. Newest first.</p>
<ul class="rows downloads">${records.map(recordRow)}</ul>
${newest === null && before === null ? null : html`<p class="note">${newest}${before}</p>`}`;
}

function recordRow({ at, user, account, period, version, path }: DownloadRecord): Html {
  return html`
<li><span class="name">${path === "*" ? "Everything, as ZIP" : outside(path)}</span> <a href="${packLink(account, { period, version })}">${periodTitle(period)}</a>
<span class="about">${outside(user)} · ${moment(at)} · version ${versionName(version)}</span></li>`;
}
