import { readPackName } from "../../core/period-name.ts";
import { counted, sizeText } from "../../core/text.ts";
import { objectionsOf } from "../../core/verdict.ts";
import { type Html, type HtmlValue, html, outside, outsideText } from "../../pack/report/html.ts";
import type { Standing } from "../data/standing.ts";
import { settingsOf } from "../make-request-form.ts";
import { emptyState, moreLink, objectionList, tag, verdictTag } from "./components.ts";
import { netTiles } from "./figures.ts";
import { moment, settingsOfPack } from "./format.ts";
import { startForm } from "./forms.ts";
import { packLink, packsLink } from "./links.ts";
import { periodTitle } from "./period-title.ts";

/** A period's newest pack. */
export interface PackLine extends Standing {
  /** How many other versions the period has. */
  readonly others: number;
}

/** The newest periods: the first as a card with `actions`, then one row each. `left`: how many are not shown. */
export function packList(account: string, lines: readonly PackLine[], left: number, actions: HtmlValue): Html {
  const [first, ...more] = lines;
  const rows = more.map(
    (line) => html`<li data-period="${outsideText(line.pack.period)}">${packSummary(account, line)}</li>`,
  );
  const top =
    first === undefined
      ? html`${actions}${emptyState("No pack was made yet.")}`
      : html`<div class="card" data-period="${outsideText(first.pack.period)}">${packSummary(account, first)}${actions}</div>`;
  return html`${top}${rows.length === 0 ? null : html`<ul class="rows packs">${rows}</ul>`}${moreLink(packsLink(account), left, "period")}`;
}

/** The pack, what is known against it, and its figures. */
export function packSummary(account: string, { pack, claim, verdict, others }: PackLine): Html {
  const { period } = pack;
  const versions = html` · <a href="${packLink(account, pack)}#versions">${counted(others, "other version")}</a>`;
  const together = claim !== null && claim.of.length > 1 ? html`${outside(claim.of.join(", "))} · ` : null;
  return html`<p class="name"><a href="${packLink(account, pack)}">${periodTitle(period)}</a> ${verdictTag(verdict)}</p>
<p class="about">${together}${outside(period)} · ${claim && html`${settingsOfPack(claim)} · `}made ${moment(pack.madeAt)} · ${sizeText(pack.bytes)}${others === 0 ? null : versions}</p>${objectionList(verdict)}${netTiles(claim)}`;
}

/** What tells the versions of a period apart: how and when they were made, and what they come to. */
export function versionRow(account: string, { pack, claim }: Standing): Html {
  const { madeAt, complete, latest, bytes } = pack;
  return html`<li><p class="name"><a href="${packLink(account, pack)}">Made ${moment(madeAt)}</a>${complete ? null : html` ${tag("warn", "INCOMPLETE")}`}${latest ? html` ${tag("plain", "current")}` : null}</p>
<p class="about">${claim && html`${settingsOfPack(claim)} · `}${sizeText(bytes)}</p>${netTiles(claim)}</li>`;
}

/** Makes the same pack of an account again, with the same settings, where something is known against it. */
export function againForm(account: string, { pack, claim, verdict }: Standing): Html | null {
  if (claim === null || claim.of.length > 1 || objectionsOf(verdict).length === 0) {
    return null;
  }
  const { from, to, zone } = claim;
  const period = readPackName(pack.period)?.typed ?? null;
  const time = period === null ? { from, to } : { period };
  const request = { account, kind: "export", zone, ...settingsOf(claim), ...time } as const;
  return startForm(request, "Make it again", { rank: "secondary" });
}
