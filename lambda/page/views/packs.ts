import { type Html, type HtmlValue, html, outside } from "../../pack/report/html.ts";
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
<ul class="rows packs">${versions.slice(0, MOST_VERSIONS).map((pack) => packRow(account, pack, sinceThen(pack)))}
</ul>${moreVersions(account, versions)}</li>`,
  )}
</ul>`;
}

/** `extra`: what stands after it. */
export function packRow(account: string, pack: PackEntry, extra: HtmlValue): Html {
  return html`
<li><a class="name" href="${packLink(account, pack)}"><span class="hidden">${outside(pack.period)}, made </span>${moment(pack.madeAt)}</a> <span>${completeness(pack.complete)}${
    pack.latest ? html` <strong class="tag newest">newest</strong>` : null
  }</span> <span class="size">${sizeText(pack.bytes)}</span> ${versionName(pack.version)}${extra}</li>`;
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
