import { isDeepStrictEqual } from "node:util";
import { newerName, readPackName } from "../../core/period-name.ts";
import { count, counted } from "../../core/text.ts";
import { type Html, html, outside, outsideText } from "../../pack/files/report/html.ts";
import { settingsOf } from "../make-request-form.ts";
import type { PackDetails, PackEntry } from "../packs.ts";
import type { MakeRequest } from "../ports.ts";
import { instantOf, moment, settingsName, sizeText } from "./format.ts";
import { type Frame, pageOf, section } from "./frame.ts";
import { startForm } from "./jobs.ts";
import { accountLink, compareLink, fileLink, packLink, reportLink, versionsLink, zipLink } from "./links.ts";
import { fileList } from "./pack-files.ts";
import { type PackWithSettings, packRow } from "./packs.ts";
import { type Paging, pageLinks } from "./paging.ts";
import { MOST_GAPS } from "./status.ts";

export interface PackView {
  readonly account: string;
  readonly pack: PackDetails;
  /** Late and changed fills of its time that came after this version was made; null: cannot be told. */
  readonly restatementsSince: number | null;
  /** The newest version of its period, where that is another. */
  readonly newest: PackWithSettings | null;
  /** Those of its other versions that are shown. */
  readonly others: readonly PackEntry[];
  readonly paging: Paging;
}

/** One version of one period: what it claims, its report, its files. */
export function packPage(frame: Frame, view: PackView): string {
  const { account, pack } = view;
  return pageOf(frame, {
    title: `${pack.complete ? "" : "INCOMPLETE: "}${pack.period} of ${account}`,
    heading: html`${outside(pack.period)} <small>of <a href="${accountLink(account)}">${outside(account)}</a></small>`,
    account,
    body: html`${claimState(pack)}${whatCameSince(frame, view)}
<p class="actions"><a class="button" href="${zipLink(account, pack)}">Download all as ZIP</a> <span class="about">${sizeText(pack.bytes)} in ${counted(pack.files.length, "file")}; recorded under your name</span></p>
${claimFacts(view)}${reportFrame(account, pack)}${section("files", "Files", fileList(account, pack))}${otherVersions(view)}`,
  });
}

function claimState({ complete, claim: { gaps } }: PackDetails): Html {
  if (complete) {
    return html`
<p class="state"><strong><span aria-hidden="true">✓</span> Complete.</strong> The venue's answers for all of this period were read to their end, without a gap.</p>`;
  }
  return html`
<div class="state incomplete" role="note"><p><strong><span aria-hidden="true">▲</span> INCOMPLETE.</strong> Do not file from this pack. Fills may be missing, and every figure may change.</p>${
    gaps.length === 0
      ? html`<p>No gap is known, but it was made although it may not be complete.</p>`
      : html`<p>Not read:</p><ul class="gaps">${gaps.slice(0, MOST_GAPS).map(
          ({ from, to }) => html`
<li>${instantOf(from)} to ${instantOf(to)}</li>`,
        )}</ul>${gaps.length > MOST_GAPS ? html`<p>And ${counted(gaps.length - MOST_GAPS, "later gap")}: completeness.json has them all.</p>` : null}`
  }</div>`;
}

/** What came after this pack was made: fills, or another pack. */
function whatCameSince(frame: Frame, { account, pack, newest, restatementsSince: since }: PackView): Html | null {
  if (since === null || since === 0) {
    return newest === null || !pack.complete ? null : newerPack(account, pack, newest);
  }
  return html`
<div class="state incomplete"><p><strong><span aria-hidden="true">▲</span> ${counted(since, "fill")} of this period came late or changed since this pack was made.</strong> ${
    newest === null
      ? "Make it again. Then compare the two versions, and look at what you have filed already."
      : html`<a href="${packLink(account, newest)}">${isMadeAlike(pack, newest) ? "The newest version" : "A newer pack"}</a>${otherSettings(pack, newest)} may hold them: <a href="${changesLink(account, pack, newest)}">see what changed</a>, or make this one again.`
  }</p>${startForm(frame, againRequest(account, pack), "Make it again")}</div>`;
}

function newerPack(account: string, pack: PackDetails, newest: PackWithSettings): Html {
  const link = (name: string): Html => html`<a href="${packLink(account, newest)}">${name}</a>`;
  const made = html`was made ${moment(newest.madeAt)}`;
  const changes = html`<a href="${changesLink(account, pack, newest)}">What changed</a>`;
  return isMadeAlike(pack, newest)
    ? html`
<p class="state incomplete"><strong><span aria-hidden="true">▲</span> Not the newest.</strong> ${link("The newest version")} ${made}. ${changes}.</p>`
    : html`
<p class="state">${link("A newer pack")}${otherSettings(pack, newest)} ${made}. ${changes}.</p>`;
}

/** With the same settings, as far as is known: then the newest stands in this one's place. */
function isMadeAlike({ claim }: PackDetails, { settings }: PackWithSettings): boolean {
  return settings !== null && isDeepStrictEqual(settingsOf(settings), settingsOf(claim));
}

function otherSettings(pack: PackDetails, newest: PackWithSettings): Html | null {
  if (isMadeAlike(pack, newest)) {
    return null;
  }
  const { settings } = newest;
  return settings === null
    ? html`, whose settings cannot be read,`
    : html` with other settings (${settingsName(settings)}; this one: ${settingsName(pack.claim)})`;
}

/** What makes the same period again, with the same settings. */
export function againRequest(account: string, { period, claim }: PackDetails): MakeRequest {
  const { from, to, zone } = claim;
  const same = { account, kind: "export", zone, ...settingsOf(claim) } as const;
  const typed = readPackName(period)?.typed ?? null;
  return typed === null ? { ...same, from, to } : { ...same, period: typed };
}

function claimFacts({ account, pack, restatementsSince }: PackView): Html {
  const { claim } = pack;
  const named = newerName(pack.period);
  const exceptions = pack.files.find(({ path }) => path.endsWith("exceptions.csv"));
  return html`
<dl class="facts">
${fact("Period", html`from ${instantOf(claim.from)} up to ${instantOf(claim.to)}; its days are those of ${outside(claim.zone)}${named === null ? null : `. Its packs are now named ${named}`}`)}
${fact("Method", html`${outside(claim.method)}, in the period by the time of the ${outside(claim.basis)}`)}
${fact("Converted into", claim.currency === null ? "nothing: amounts stand in their own currency" : outside(claim.currency))}
${fact("Fills", count(claim.fills))}
${fact(
  "Exceptions",
  html`${count(claim.exceptions)}${claim.exceptions === 0 || exceptions === undefined ? null : html`: read <a href="${fileLink(account, pack, exceptions.path)}">exceptions.csv</a>`}`,
)}
${fact("Late or changed since", sinceText(restatementsSince))}
${fact("Made", moment(pack.madeAt))}
${fact("Version", html`<code class="hash">${outsideText(pack.version)}</code>`)}
</dl>`;
}

function sinceText(since: number | null): string {
  if (since === null) {
    return "cannot be told";
  }
  return since === 0 ? "nothing" : counted(since, "fill");
}

function fact(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/** The pack's own page, which may run nothing and reach nothing. */
function reportFrame(account: string, pack: PackDetails): Html | null {
  if (!pack.files.some(({ path }) => path.endsWith("report.html"))) {
    return null;
  }
  const link = reportLink(account, pack);
  const frame = html`
<p><a href="${link}">Open the report alone</a>, to read or to print.</p>
<iframe sandbox title="Report of ${outsideText(pack.period)}" src="${link}" loading="lazy"></iframe>`;
  return section("report", "Report", frame);
}

function otherVersions({ account, pack, newest, others, paging }: PackView): Html {
  const links = pageLinks(paging, "versions", (page) => versionsLink(account, pack, page));
  const rows = others.map((other) =>
    versionRow(account, pack, newest?.version === other.version ? newest : { ...other, settings: null }),
  );
  const list =
    rows.length === 0
      ? html`
<p class="empty">This is the only one.</p>`
      : html`${links}
<ul class="rows packs">${rows}
</ul>${links}`;
  return section("versions", "Other versions of this period", list);
}

function versionRow(account: string, pack: PackDetails, other: PackWithSettings): Html {
  const link = changesLink(account, pack, other);
  return packRow(
    account,
    other,
    html` <a href="${link}">Compare<span class="hidden"> with this one: ${outside(other.version)}</span></a>`,
  );
}

/** From the older to the newer one. */
function changesLink(account: string, one: PackEntry, other: PackEntry): string {
  const [before, after] = one.madeAt < other.madeAt ? [one, other] : [other, one];
  return compareLink(account, one.period, { before: before.version, after: after.version });
}
