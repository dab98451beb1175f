import { isDeepStrictEqual } from "node:util";
import { readPackName } from "../../core/period-name.ts";
import { count, counted } from "../../core/text.ts";
import { type Html, html, outside } from "../../pack/report/html.ts";
import type { KeyFigures } from "../data/key-figures.ts";
import { settingsOf } from "../make-request-form.ts";
import type { PackDetails, PackEntry } from "../packs.ts";
import type { MakeRequest } from "../ports.ts";
import { assumptionLine } from "./assumptions.ts";
import { buttonLink, disclosure, notice } from "./components.ts";
import { moneySection } from "./figures.ts";
import { instantOf, methodText, moment, settingsName, sizeText, versionName } from "./format.ts";
import { type Frame, pageOf, section } from "./frame.ts";
import { startForm } from "./jobs.ts";
import { accountLink, compareLink, fileLink, packLink, reportLink, versionsLink, zipLink } from "./links.ts";
import { fileList } from "./pack-files.ts";
import { goneNote, type PackWithSettings, versionRow } from "./packs.ts";
import { type Paging, pageLinks } from "./paging.ts";
import { periodDays, periodTitle, periodTitleText } from "./period-title.ts";
import { checksText, type LastChecks, MOST_GAPS } from "./status.ts";
import { versionTitle } from "./version-title.ts";

export interface PackView {
  readonly account: string;
  readonly pack: PackDetails;
  /** Null if the pack has no totals, or if they are too large. */
  readonly figures: KeyFigures | null;
  /** Late and changed fills of the period that came after this version was made; null if not known. */
  readonly restatementsSince: number | null;
  /** Checks of this period, or of the whole archive. */
  readonly checks: LastChecks;
  /** The newest version of its period, if it is another one. */
  readonly newest: PackWithSettings | null;
  /** Other versions of its period, as many as are shown. */
  readonly others: readonly PackEntry[];
  readonly paging: Paging;
}

/** One version of a period: its completeness, the money, the report and the files. */
export function packPage(frame: Frame, view: PackView): string {
  const { account, pack, figures } = view;
  const { claim } = pack;
  const days = periodDays(pack.period) ?? html`${instantOf(claim.from)} – ${instantOf(claim.to)}`;
  return pageOf(frame, {
    title: `${pack.complete ? "" : "INCOMPLETE: "}${periodTitleText(pack.period)} of ${account}`,
    heading: periodTitle(pack.period),
    account,
    within: "overview",
    body: html`
<p class="lead">${days} · ${outside(claim.zone)} · ${settingsName(claim)} · account <a href="${accountLink(account)}">${outside(account)}</a></p>${claimState(view)}${currentGone(frame, view)}${whatCameSince(frame, view)}
<p class="actions">${openReport(account, pack)} ${pack.zipBytes === null ? null : buttonLink("secondary", zipLink(account, pack), "Download everything (ZIP)")} <span class="about">${sizeText(pack.bytes)} in ${counted(pack.files.length, "file")}</span></p>${figures === null ? null : moneySection(figures)}${section("files", "Files", fileList(account, pack))}${otherVersions(view)}${section("details", "How it was made", claimFacts(view))}`,
  });
}

/** The pack's own report, which can run and load nothing. */
function openReport(account: string, pack: PackDetails): Html | null {
  return hasReport(pack) ? buttonLink("primary", reportLink(account, pack), "Open the report") : null;
}

function hasReport({ files }: PackDetails): boolean {
  return files.some(({ path }) => path.endsWith("report.html"));
}

function claimState({ pack, checks }: PackView): Html {
  const { complete, claim } = pack;
  const { gaps } = claim;
  const rests = assumptionLine(claim.assumed);
  if (complete) {
    return notice(
      "good",
      "Complete.",
      html`<p>Every fill the venue reports for this period was retrieved, with no gaps.</p>${rests}<p>${checksText(checks)}</p>`,
    );
  }
  return notice(
    "warn",
    "INCOMPLETE.",
    html`<p>Do not file from this pack. Fills may be missing, and every figure may change.</p>${
      gaps.length === 0
        ? html`<p>No gap is known. The pack was made before it was known to be complete.</p>`
        : html`<p>Not read:</p><ul class="gaps">${gaps.slice(0, MOST_GAPS).map(
            ({ from, to }) => html`
<li>${instantOf(from)} to ${instantOf(to)}</li>`,
          )}</ul>${gaps.length > MOST_GAPS ? html`<p>And ${counted(gaps.length - MOST_GAPS, "later gap")}: completeness.json has them all.</p>` : null}`
    }${rests}`,
  );
}

/** That the version which counts is missing. */
function currentGone(frame: Frame, { account, pack }: PackView): Html | null {
  const again = startForm(frame, againRequest(account, pack), "Make it again", { rank: "secondary" });
  return pack.latestGone === null
    ? null
    : notice("warn", "The current version of this pack is missing.", html`${goneNote(pack)}${again}`);
}

/** Fills and packs that came after this pack was made. */
function whatCameSince(frame: Frame, { account, pack, newest, restatementsSince: since }: PackView): Html | null {
  if (since === null || since === 0) {
    return newest === null || !pack.complete ? null : newerPack(account, pack, newest);
  }
  const advice =
    newest === null
      ? "Make it again. Then compare the two versions, and check what you have filed already."
      : html`${currentPack(account, pack, newest)}. It may include them: <a href="${changesLink(account, pack, newest)}">see what changed</a>, or make this one again.`;
  return notice(
    "warn",
    `${counted(since, "fill")} of this period came late or changed since this pack was made.`,
    html`<p>${advice}</p>${startForm(frame, againRequest(account, pack), "Make it again", { rank: "secondary" })}`,
  );
}

function newerPack(account: string, pack: PackDetails, newest: PackWithSettings): Html {
  return notice(
    isMadeAlike(pack, newest) ? "warn" : "plain",
    "Not the current pack of this period.",
    html`<p>${currentPack(account, pack, newest)}. <a href="${changesLink(account, pack, newest)}">What changed</a></p>`,
  );
}

/** Which pack of the period counts, how it was made and when. */
function currentPack(account: string, pack: PackDetails, newest: PackWithSettings): Html {
  const link = html`<a href="${packLink(account, newest)}">The current pack of this period</a>`;
  const made = html`made ${moment(newest.madeAt)}`;
  const { settings } = newest;
  if (settings === null) {
    return html`${link}, whose settings cannot be read, was ${made}`;
  }
  const own = isMadeAlike(pack, newest) ? html`like this one` : html`this one: ${settingsName(pack.claim)}`;
  return html`${link} uses ${settingsName(settings)} (${own}), ${made}`;
}

/**
 * True if both were made with the same settings, as far as they are known: then the newest replaces this one.
 */
function isMadeAlike({ claim }: PackDetails, { settings }: PackWithSettings): boolean {
  return settings !== null && isDeepStrictEqual(settingsOf(settings), settingsOf(claim));
}

/** The request that makes the same period again with the same settings. */
export function againRequest(account: string, { period, claim }: Pick<PackDetails, "period" | "claim">): MakeRequest {
  const { from, to, zone } = claim;
  const same = { account, kind: "export", zone, ...settingsOf(claim) } as const;
  const typed = readPackName(period)?.typed ?? null;
  return typed === null ? { ...same, from, to } : { ...same, period: typed };
}

function claimFacts({ account, pack, checks, restatementsSince }: PackView): Html {
  const { claim } = pack;
  const exceptions = pack.files.find(({ path }) => path.endsWith("exceptions.csv"));
  const hashes = pack.files.flatMap(({ path, sha256 }) => (sha256 === null ? [] : [`${sha256}  ${path}`]));
  return disclosure(
    "Period, method, version and hashes",
    html`
<dl class="facts">
${fact("Name", outside(pack.period))}
${fact("Period", html`from ${instantOf(claim.from)} up to ${instantOf(claim.to)}; days of ${outside(claim.zone)}`)}
${fact("Method", html`${methodText(claim.method)}${claim.isMethodChosen ? null : " (not chosen: the default)"}`)}
${fact("Period cut-off", html`by time of the ${outside(claim.basis)}`)}
${fact("Converted into", claim.currency === null ? "nothing: amounts are in their own currency" : outside(claim.currency))}
${fact("Fills", count(claim.fills))}
${fact(
  "Exceptions",
  html`${count(claim.exceptions)}${claim.exceptions === 0 || exceptions === undefined ? null : html`: read <a href="${fileLink(account, pack, exceptions.path)}">exceptions.csv</a>`}`,
)}
${fact("Late or changed since", sinceText(restatementsSince))}
${fact("Archive", checksText(checks))}
${fact("Made", moment(pack.madeAt))}
${fact("Version", versionName(pack.version))}
</dl>
<h3>SHA-256 of each file</h3>
<pre class="hashes">${hashes.map(
      (line) => html`${outside(line, LONGEST_HASH_LINE)}
`,
    )}</pre>`,
  );
}

/** A hash, two spaces and a path. */
const LONGEST_HASH_LINE = 300;

function sinceText(since: number | null): string {
  if (since === null) {
    return "not known";
  }
  return since === 0 ? "nothing" : counted(since, "fill");
}

function fact(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function otherVersions({ account, pack, others, paging }: PackView): Html | null {
  const links = pageLinks(paging, "versions", (page) => versionsLink(account, pack, page));
  const rows = others.map((other) => {
    const link = html` <a href="${changesLink(account, pack, other)}">Compare<span class="hidden"> with this one: ${versionTitle(other)}</span></a>`;
    return versionRow(account, other, link);
  });
  const list = html`${links}
<ul class="rows packs">${rows}
</ul>${links}`;
  return rows.length === 0 ? null : section("versions", "Other versions of this period", list);
}

/** From the version that was made earlier to the later one. The current one is the later one. */
function changesLink(account: string, one: PackEntry, other: PackEntry): string {
  const isFirst = other.latest || (!one.latest && one.madeAt < other.madeAt);
  const [before, after] = isFirst ? [one, other] : [other, one];
  return compareLink(account, one.period, { before: before.version, after: after.version });
}
