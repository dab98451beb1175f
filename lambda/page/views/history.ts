import { type Html, html, outside } from "../../pack/report/html.ts";
import type { DownloadRecord } from "../ports.ts";
import { type Frame, pageOf } from "./frame.ts";
import { packLink } from "./links.ts";
import { moment, versionName } from "./words.ts";

/** Who downloaded what; `records` newest first. */
export function historyPage(frame: Frame, account: string, records: readonly DownloadRecord[]): string {
  return pageOf(frame, {
    title: `Downloads of ${account}`,
    heading: html`Downloads of ${outside(account)}`,
    account,
    here: "history",
    body:
      records.length === 0
        ? html`
<p class="empty">Nothing was downloaded yet.</p>`
        : html`
<p class="lead">Every download is written down before its first byte goes out. Newest first.</p>
<ul class="rows downloads">${records.map(recordRow)}
</ul>`,
  });
}

function recordRow({ at, user, account, period, version, path }: DownloadRecord): Html {
  return html`
<li>${moment(at)} <span>${outside(user)}</span> <span class="name">${path === "*" ? "all of it, as ZIP" : outside(path)}</span> <a class="name" href="${packLink(account, { period, version })}">${outside(period)} ${versionName(version)}</a></li>`;
}
