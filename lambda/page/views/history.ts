import { type Html, html, outside } from "../../pack/report/html.ts";
import { counted } from "../../pack/report/numbers.ts";
import { table } from "../../pack/report/table.ts";
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
<p class="lead">Every download is written down before its first byte goes out.</p>${recordTable(records)}`,
  });
}

function recordTable(records: readonly DownloadRecord[]): Html {
  return table({
    id: "downloads",
    caption: `${counted(records.length, "download")}, newest first`,
    columns: [{ head: "When" }, { head: "Who" }, { head: "Pack" }, { head: "File" }],
    rows: records.map(({ at, user, account, period, version, path }, row) => ({
      key: String(row),
      cells: [
        moment(at),
        outside(user),
        html`<a href="${packLink(account, { period, version })}">${outside(period)} ${versionName(version)}</a>`,
        path === "*" ? "all of it, as ZIP" : outside(path),
      ],
    })),
  });
}
