import { type Html, html, outside } from "../../pack/files/report/html.ts";
import type { DownloadPage, DownloadRecord } from "../data/downloads.ts";
import { moment, versionName } from "./format.ts";
import { type Frame, pageOf } from "./frame.ts";
import { historyLink, packLink } from "./links.ts";

export interface History extends DownloadPage {
  readonly account: string;
  /** These are not the newest. */
  readonly isOlder: boolean;
}

/** Who downloaded what, newest first. */
export function historyPage(frame: Frame, { account, records, older, isOlder }: History): string {
  return pageOf(frame, {
    title: `Downloads of ${account}`,
    heading: html`Downloads of ${outside(account)}`,
    account,
    here: "history",
    body:
      records.length === 0
        ? html`
<p class="empty">${isOlder ? html`Nothing was downloaded before. <a href="${historyLink(account)}">The newest</a>.` : "Nothing was downloaded yet."}</p>`
        : html`
<p class="lead">Every download is written down before its first byte goes out. Newest first.</p>
<ul class="rows downloads">${records.map(recordRow)}
</ul>${
            older === null && !isOlder
              ? null
              : html`
<p class="note">${isOlder ? html`<a href="${historyLink(account)}">The newest</a>. ` : null}${
                  older === null ? null : html`<a rel="next" href="${historyLink(account, older)}">Older downloads</a>.`
                }</p>`
          }`,
  });
}

function recordRow({ at, user, account, period, version, path }: DownloadRecord): Html {
  return html`
<li>${moment(at)} <span>${outside(user)}</span> <span class="name">${path === "*" ? "all of it, as ZIP" : outside(path)}</span> <a class="name" href="${packLink(account, { period, version })}">${outside(period)} ${versionName(version)}</a></li>`;
}
