import { counted, sizeText } from "../../core/text.ts";
import { type Html, html, outside, outsideText } from "../../pack/report/html.ts";
import { missingVerdict, type PackLine } from "../data/standing.ts";
import type { PackEntry } from "../packs.ts";
import { emptyState, findForm } from "./components.ts";
import { netLine, netText } from "./figures.ts";
import { moment, settingsName } from "./format.ts";
import { ALL, packLink, packsLink } from "./links.ts";
import { type Paging, pageLinks } from "./paging.ts";
import { periodTitle } from "./period-title.ts";
import { objectionList, verdictTag } from "./verdict.ts";
import { versionTitle } from "./version-title.ts";

/** The periods of one page of the list. */
export interface PackList {
  /** In display order. */
  readonly lines: readonly PackLine[];
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
export function packList(account: string, list: PackList, leading: PackLine | null, actions: Html): Html {
  const { lines, gone, find, paging } = list;
  const links = pageLinks(paging, "periods", (page) => packsLink(account, { find, page }));
  const rows = [
    ...gone.map(goneRow),
    ...lines
      .filter((line) => line !== leading)
      .map(
        (line) => html`
<li data-period="${outsideText(line.pack.period)}">${periodParts(account, line)}${netText(line.claim?.nets ?? null)}</li>`,
      ),
  ];
  return html`${
    leading === null
      ? actions
      : html`
<div class="card" data-period="${outsideText(leading.pack.period)}">${periodParts(account, leading)}${netLine(leading.claim?.nets ?? null)}${actions}</div>`
  }${paging.pages === 1 && find === "" ? null : findForm(packsLink(account, ALL), "Find a period by its name or a year", find)}${found(account, list)}${links}${
    rows.length === 0
      ? null
      : html`
<ul class="rows packs">${rows}
</ul>`
  }${links}`;
}

function periodParts(account: string, { pack, claim, verdict, otherVersions }: PackLine): Html {
  const { period } = pack;
  return html`<p class="name"><a href="${packLink(account, pack)}">${periodTitle(period)}</a> ${verdictTag(verdict)}</p> <p class="about">${outside(period)}${claim === null ? null : html` · ${settingsName(claim)}`} · made ${moment(pack.madeAt)} · ${sizeText(pack.bytes)}${
    otherVersions === 0
      ? null
      : html` · <a href="${packLink(account, pack)}#versions">${counted(otherVersions, "other version")}</a>`
  }</p>${objectionList(verdict)}`;
}

/** A period whose only version is missing. */
function goneRow({ period, latestGone }: PackList["gone"][number]): Html {
  const verdict = missingVerdict(latestGone ?? "");
  return html`
<li data-period="${outsideText(period)}"><p class="name">${periodTitle(period)} ${verdictTag(verdict)}</p> <p class="about">${outside(period)}</p>${objectionList(verdict)}</li>`;
}

function found(account: string, { lines, gone, find, paging: { total } }: PackList): Html | null {
  const all = html`<a href="${packsLink(account, ALL)}">All periods</a>`;
  if (find !== "") {
    return total === 0
      ? emptyState(html`No period has that name or lies in that year. ${all}`)
      : html`
<p class="note">${counted(total, "period")} found. ${all}</p>`;
  }
  if (lines.length + gone.length > 0) {
    return null;
  }
  return emptyState(total === 0 ? "No pack was made yet." : "None of these packs was finished. Make the pack again.");
}

const INCOMPLETE = html` <strong class="tag warn"><span aria-hidden="true">▲</span> INCOMPLETE</strong>`;

/** One version in a list of a period's versions. */
export function versionRow(account: string, pack: PackEntry): Html {
  return html`
<li><p class="name"><a href="${packLink(account, pack)}">${versionTitle(pack)}</a>${pack.complete ? null : INCOMPLETE}${
    pack.latest ? html` <strong class="tag">current</strong>` : null
  }</p> <p class="about">${sizeText(pack.bytes)}</p></li>`;
}
