import { counted } from "../../core/text.ts";
import { type Html, type HtmlValue, html, outside, outsideText } from "../../pack/report/html.ts";
import type { LeadingPack } from "../data/newest-pack.ts";
import type { NetFigure, PackEntry, PackSettings } from "../packs.ts";
import { emptyState, findForm } from "./components.ts";
import { netLine, netText } from "./figures.ts";
import { completeness, moment, settingsName, sizeText, standing, versionName } from "./format.ts";
import { ALL, packLink, packsLink } from "./links.ts";
import { type Paging, pageLinks } from "./paging.ts";
import { periodTitle } from "./period-title.ts";
import { versionTitle } from "./version-title.ts";

/** A pack and its settings; null if they were not read, or cannot be. */
export interface PackWithSettings extends PackEntry {
  readonly settings: PackSettings | null;
}

/** Only the newest version of a period has its settings. */
export interface PackLine extends PackWithSettings {
  /**
   * For the newest version of a period: fills of the period that came late or changed since; null if not
   * known. Null for other versions.
   */
  readonly restatementsSince: number | null;
  /** Null for other versions than the newest of a period, and if the pack does not state them. */
  readonly nets: readonly NetFigure[] | null;
}

/** The periods of one page of the list. */
export interface PackList {
  /** By period in display order, then newest first. */
  readonly packs: readonly PackLine[];
  /** The periods whose only version is missing. */
  readonly gone: readonly Pick<PackEntry, "period" | "latestGone">[];
  /** The search text; empty: all periods. */
  readonly find: string;
  /** Counts the periods that were found. */
  readonly paging: Paging;
}

/**
 * The leading pack as a card with its money and `actions`, then one row a period. A pack's own page has the
 * other versions of its period.
 */
export function packList(account: string, list: PackList, leading: LeadingPack | null, actions: Html): Html {
  const { packs, gone, find, paging } = list;
  const links = pageLinks(paging, "periods", (page) => packsLink(account, { find, page }));
  const periods = [...Map.groupBy(packs, ({ period }) => period).values()].flatMap((versions) => lineOf(versions));
  const others = periods.filter(
    ({ pack }) => pack.version !== leading?.pack.version || pack.period !== leading.pack.period,
  );
  const [first] = periods.filter((line) => !others.includes(line));
  const rows = [
    ...gone.map(goneRow),
    ...others.map(
      (line) => html`
<li data-period="${outsideText(line.pack.period)}">${periodParts(account, line)}${netText(line.pack.nets)}</li>`,
    ),
  ];
  return html`${
    first === undefined
      ? actions
      : html`
<div class="card" data-period="${outsideText(first.pack.period)}">${periodParts(account, first)}${netLine(leading?.claim?.nets ?? null)}${actions}</div>`
  }${paging.pages === 1 && find === "" ? null : findForm(packsLink(account, ALL), "Find a period by its name or a year", find)}${found(account, list)}${links}${
    rows.length === 0
      ? null
      : html`
<ul class="rows packs">${rows}
</ul>`
  }${links}`;
}

/** A period with its newest complete version, or with its newest version if none is complete. */
interface PeriodLine {
  readonly pack: PackLine;
  readonly otherVersions: number;
}

function lineOf(versions: readonly PackLine[]): PeriodLine[] {
  const pack = versions.find(({ latest }) => latest) ?? versions[0];
  return pack === undefined ? [] : [{ pack, otherVersions: versions.length - 1 }];
}

function periodParts(account: string, { pack, otherVersions }: PeriodLine): Html {
  const { period, settings } = pack;
  return html`<p class="name"><a href="${packLink(account, pack)}">${periodTitle(period)}</a> ${standing(pack, settings)}</p> <p class="about">${outside(period)}${settings === null ? null : html` · ${settingsName(settings)}`} · made ${moment(pack.madeAt)} · ${sizeText(pack.bytes)}${
    otherVersions === 0
      ? null
      : html` · <a href="${packLink(account, pack)}#versions">${counted(otherVersions, "other version")}</a>`
  }</p>${goneNote(pack)}${sinceThen(pack)}`;
}

function goneRow(gone: PackList["gone"][number]): Html {
  return html`
<li data-period="${outsideText(gone.period)}"><p class="name">${periodTitle(gone.period)} ${standing({ complete: true, latest: false, latestGone: gone.latestGone }, null)}</p> <p class="about">${outside(gone.period)}</p>${goneNote(gone)}</li>`;
}

/** Which version of the period is missing, and what to do. */
export function goneNote({ latestGone }: Pick<PackEntry, "latestGone">): Html | null {
  return latestGone === null
    ? null
    : html` <p class="about">latest.json names version ${versionName(latestGone)}, which is not in the store. Restore it from a copy, or make the pack again.</p>`;
}

function found(account: string, { packs, gone, find, paging: { total } }: PackList): Html | null {
  const all = html`<a href="${packsLink(account, ALL)}">All periods</a>`;
  if (find !== "") {
    return total === 0
      ? emptyState(html`No period has that name or lies in that year. ${all}`)
      : html`
<p class="note">${counted(total, "period")} found. ${all}</p>`;
  }
  if (packs.length + gone.length > 0) {
    return null;
  }
  return emptyState(total === 0 ? "No pack was made yet." : "None of these packs was finished. Make the pack again.");
}

/** One version in a list of a period's versions. `extra`: shown after it. */
export function versionRow(account: string, pack: PackEntry, extra: HtmlValue): Html {
  return html`
<li><p class="name"><a href="${packLink(account, pack)}">${versionTitle(pack)}</a> ${completeness(pack.complete)}${
    pack.latest ? html` <strong class="tag">current</strong>` : null
  }</p> <p class="about">${sizeText(pack.bytes)}</p>${extra}</li>`;
}

function sinceThen({ latest, restatementsSince: since }: PackLine): Html | null {
  if (since === null) {
    return latest ? html` <p class="about">It is not known whether fills came late or changed since then.</p>` : null;
  }
  return since === 0
    ? null
    : html` <p><strong class="tag warn"><span aria-hidden="true">▲</span> ${counted(since, "fill")} came late or changed since</strong></p>`;
}
