import { readPackName } from "../../core/period-name.ts";
import { counted, sizeText } from "../../core/text.ts";
import { objectionsOf } from "../../core/verdict.ts";
import { type Html, type HtmlValue, html, outside, outsideText } from "../../pack/report/html.ts";
import { missingVerdict, type PackLine } from "../data/standing.ts";
import { settingsOf } from "../make-request-form.ts";
import type { PackEntry } from "../packs.ts";
import { emptyState, moreLink, objectionList, tag, verdictTag } from "./components.ts";
import { netTiles } from "./figures.ts";
import { moment, settingsName } from "./format.ts";
import { startForm } from "./forms.ts";
import { packLink, packsLink } from "./links.ts";
import { periodTitle } from "./period-title.ts";

/** The newest periods, or all. */
export interface PackList {
  /** In display order. */
  readonly lines: readonly PackLine[];
  /** The periods whose only version is missing. */
  readonly gone: readonly Pick<PackEntry, "period" | "latestGone">[];
  /** How many periods are not shown. */
  readonly left: number;
}

/**
 * The leading pack as a card with its money and `actions`, then one row a period. A pack's own page has the
 * other versions of its period.
 */
export function packList(account: string, list: PackList, leading: PackLine | null, actions: Html): Html {
  const { lines, gone, left } = list;
  const rows = [
    ...gone.map(goneRow),
    ...lines
      .filter((line) => line !== leading)
      .map((line) => html`<li data-period="${outsideText(line.pack.period)}">${packSummary(account, line)}</li>`),
  ];
  const listed = rows.length === 0 ? null : html`<ul class="rows packs">${rows}</ul>`;
  const card =
    leading &&
    html`<div class="card" data-period="${outsideText(leading.pack.period)}">${packSummary(account, leading)}${actions}</div>`;
  return html`${card ?? actions}${lines.length + gone.length === 0 ? emptyState("No pack was made yet.") : null}${listed}${moreLink(packsLink(account), left, "period")}`;
}

/** The pack, what is known against it, and its figures. */
export function packSummary(account: string, { pack, claim, verdict, otherVersions }: PackLine): Html {
  const { period } = pack;
  const others = html` · <a href="${packLink(account, pack)}#versions">${counted(otherVersions, "other version")}</a>`;
  return html`<p class="name"><a href="${packLink(account, pack)}">${periodTitle(period)}</a> ${verdictTag(verdict)}</p>
<p class="about">${outside(period)} · ${madeText({ pack, claim })}${otherVersions === 0 ? null : others}</p>${objectionList(verdict)}${netTiles(claim)}`;
}

/** How and when it was made, and how large it is. */
function madeText({ pack, claim }: Version): Html {
  return html`${claim === null ? null : html`${settingsName(claim)} · `}made ${moment(pack.madeAt)} · ${sizeText(pack.bytes)}`;
}

/** A period whose only version is missing. */
function goneRow({ period, latestGone }: PackList["gone"][number]): Html {
  const verdict = missingVerdict(latestGone ?? "");
  return html`<li data-period="${outsideText(period)}"><p class="name">${periodTitle(period)} ${verdictTag(verdict)}</p><p class="about">${outside(period)}</p>${objectionList(verdict)}</li>`;
}

/** One of several versions of a period. */
export type Version = Pick<PackLine, "pack" | "claim">;

/** What tells versions apart: how and when they were made, and what they come to. */
export function versionRow(account: string, { pack, claim }: Version): Html {
  const marks: HtmlValue = [
    pack.complete ? null : html` ${tag("warn", "INCOMPLETE")}`,
    pack.latest ? html` ${tag("plain", "current")}` : null,
  ];
  return html`<li><p class="name"><a href="${packLink(account, pack)}">Made ${moment(pack.madeAt)}</a>${marks}</p><p class="about">${claim === null ? null : html`${settingsName(claim)} · `}${sizeText(pack.bytes)}</p>${netTiles(claim)}</li>`;
}

/** Makes the same pack again, with the same settings, where something is known against it. */
export function againForm(account: string, line: Pick<PackLine, "pack" | "claim" | "verdict">): Html | null {
  const { pack, claim, verdict } = line;
  if (claim === null || objectionsOf(verdict).length === 0) {
    return null;
  }
  const { from, to, zone } = claim;
  const period = readPackName(pack.period)?.typed ?? null;
  const time = period === null ? { from, to } : { period };
  const request = { account, kind: "export", zone, ...settingsOf(claim), ...time } as const;
  return startForm(request, "Make it again", { rank: "secondary" });
}
