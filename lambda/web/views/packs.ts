import { newerName } from "../../core/period-name.ts";
import { counted } from "../../core/text.ts";
import { type Html, type HtmlValue, html, outside } from "../../pack/files/report/html.ts";
import type { PackEntry, PackSettings } from "../packs.ts";
import { completeness, moment, settingsName, sizeText, versionName } from "./format.ts";
import { packLink, packsLink } from "./links.ts";
import { type Paging, pageLinks } from "./paging.ts";

/** A pack, and how it was made as far as that was read; null: it was not, or cannot be. */
export interface PackWithSettings extends PackEntry {
  readonly settings: PackSettings | null;
}

/** The newest of a period has its settings. */
export interface PackLine extends PackWithSettings {
  /** Of the newest version of its period: fills of its time that came late or changed since; null: it cannot be told. Of others: null. */
  readonly restatementsSince: number | null;
}

/** The periods of one page. */
export interface PackList {
  /** By period, as they are to be shown, then newest first. */
  readonly packs: readonly PackLine[];
  /** What was looked for; empty: all. */
  readonly find: string;
  /** Of the periods that were found. */
  readonly paging: Paging;
}

/** So long may be what is looked for. */
export const LONGEST_FIND = 100;
/** So many versions of a period are listed: the newest, and what it is to be compared with. The page of a pack has them all. */
const MOST_VERSIONS = 2;

export function packList(account: string, list: PackList): Html {
  const { packs, find, paging } = list;
  if (paging.total === 0 && find === "") {
    return html`
<p class="empty">No pack was made yet. Make one beneath.</p>`;
  }
  const links = pageLinks(paging, "periods", (page) => packsLink(account, { find, page }));
  const periods = Map.groupBy(packs, ({ period }) => period);
  return html`${paging.pages === 1 && find === "" ? null : findForm(account, find)}${found(account, list)}${links}
<ul class="periods">${[...periods].map(
    ([period, versions]) => html`
<li><h3>${outside(period)}${nowNamed(period)}</h3>
<ul class="rows packs">${versions.slice(0, MOST_VERSIONS).map((pack) => packRow(account, pack, sinceThen(pack)))}
</ul>${moreVersions(account, versions)}</li>`,
  )}
</ul>${links}`;
}

/** An older pack may have the name that is typed for another year. */
function nowNamed(period: string): Html | null {
  const name = newerName(period);
  return name === null ? null : html` <small>now named ${name}</small>`;
}

function findForm(account: string, find: string): Html {
  return html`
<form method="get" action="${packsLink(account, { find: "", page: 1 })}" role="search">
<p class="field"><label for="find">Find a period by its name or a year</label><input id="find" name="find" type="search" maxlength="${LONGEST_FIND}" value="${find}" autocomplete="off" spellcheck="false" autocapitalize="off"></p>
<button type="submit">Find</button></form>`;
}

function found(account: string, { packs, find, paging: { total } }: PackList): Html | null {
  const all = html`<a href="${packsLink(account, { find: "", page: 1 })}">All periods</a>`;
  if (find === "") {
    return packs.length > 0 ? null : html`<p class="empty">None of these packs was written to its end.</p>`;
  }
  return total === 0
    ? html`
<p class="empty">No period has that name or lies in that year. ${all}.</p>`
    : html`
<p class="note">${counted(total, "period")} found. ${all}.</p>`;
}

/** `extra`: what stands after it. */
export function packRow(account: string, pack: PackWithSettings, extra: HtmlValue): Html {
  const { settings } = pack;
  return html`
<li><a class="name" href="${packLink(account, pack)}"><span class="hidden">${outside(pack.period)}, made </span>${moment(pack.madeAt)}</a> <span>${completeness(pack.complete)}${
    pack.latest ? html` <strong class="tag newest">newest</strong>` : null
  }</span>${settings === null ? null : html` <span>${settingsName(settings)}</span>`} <span class="size">${sizeText(pack.bytes)}</span> ${versionName(pack.version)}${extra}</li>`;
}

function sinceThen({ latest, restatementsSince: since }: PackLine): Html | null {
  if (since === null) {
    return latest ? html` <span class="about">what came since cannot be told</span>` : null;
  }
  return since === 0
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
