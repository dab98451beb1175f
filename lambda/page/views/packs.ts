import { type Html, html, outside } from "../../pack/report/html.ts";
import { counted } from "../../pack/report/numbers.ts";
import type { PackEntry } from "../ports.ts";
import { packLink } from "./links.ts";
import { completeness, moment, sizeText, versionName } from "./words.ts";

export interface PackLine extends PackEntry {
  /** Fills of its time that came late or changed since; null: not looked at, or it cannot be told. */
  readonly restatementsSince: number | null;
}

/** So many versions of a period are listed; the page of a pack has them all. */
const MOST_VERSIONS = 3;

/** By period, as they come. */
export function packList(account: string, packs: readonly PackLine[]): Html {
  const periods = Map.groupBy(packs, ({ period }) => period);
  if (periods.size === 0) {
    return html`
<p class="empty">No pack was made yet. Make one beneath.</p>`;
  }
  return html`
<ul class="periods">${[...periods].map(
    ([period, versions]) => html`
<li><h3>${outside(period)}</h3>
<ul class="rows">${versions.slice(0, MOST_VERSIONS).map((pack) => packRow(account, pack))}
</ul>${moreVersions(account, versions)}</li>`,
  )}
</ul>`;
}

function packRow(account: string, pack: PackLine): Html {
  return html`
<li><a class="name" href="${packLink(account, pack)}">${versionName(pack.version)}</a> <span>${completeness(pack.complete)}${
    pack.latest ? html` <strong class="tag newest">newest</strong>` : null
  }</span> <span>${moment(pack.madeAt)}</span> <span>${sizeText(pack.bytes)}</span>${sinceThen(pack)}</li>`;
}

function sinceThen({ restatementsSince: since }: PackLine): Html | null {
  return since === null || since === 0
    ? null
    : html` <strong class="tag warn">${counted(since, "fill")} came late or changed since</strong>`;
}

function moreVersions(account: string, versions: readonly PackLine[]): Html | null {
  const left = versions.length - MOST_VERSIONS;
  const [newest] = versions;
  return newest === undefined || left <= 0
    ? null
    : html`
<p class="note"><a href="${packLink(account, newest)}#versions">${counted(left, "older version")}</a></p>`;
}
