import { readPackName } from "../../core/period-name.ts";
import { count, counted, sizeText } from "../../core/text.ts";
import { objectionsOf, type Verdict } from "../../core/verdict.ts";
import { type Html, html, outside } from "../../pack/report/html.ts";
import type { PackLine } from "../data/standing.ts";
import { settingsOf } from "../make-request-form.ts";
import type { PackDetails, PackEntry } from "../packs.ts";
import type { MakeRequest } from "../ports.ts";
import { assumptionLine } from "./assumptions.ts";
import { buttonLink, disclosure } from "./components.ts";
import { netLine } from "./figures.ts";
import { instantOf, methodText, moment, settingsName, versionName } from "./format.ts";
import { type Frame, pageOf, section } from "./frame.ts";
import { startForm } from "./jobs.ts";
import { accountLink, fileLink, packLink, reportLink, versionsLink, zipLink } from "./links.ts";
import { fileList } from "./pack-files.ts";
import { versionRow } from "./packs.ts";
import { type Paging, pageLinks } from "./paging.ts";
import { periodDays, periodTitle, periodTitleText } from "./period-title.ts";
import { checksText, type LastChecks, MOST_GAPS } from "./status.ts";
import { verdictNotice } from "./verdict.ts";
import { versionTitle } from "./version-title.ts";

export interface PackView {
  readonly account: string;
  readonly pack: PackDetails;
  readonly verdict: Verdict;
  /** Checks of this period, or of the whole archive. */
  readonly checks: LastChecks;
  /** The current version of its period, if it is another one. */
  readonly current: PackEntry | null;
  /** Other versions of its period, as many as are shown. */
  readonly others: readonly PackEntry[];
  readonly paging: Paging;
}

/** One version of a period: its completeness, the money, the report and the files. */
export function packPage(frame: Frame, view: PackView): string {
  const { account, pack } = view;
  const { claim } = pack;
  const days = periodDays(pack.period) ?? html`${instantOf(claim.from)} – ${instantOf(claim.to)}`;
  return pageOf(frame, {
    title: `${pack.complete ? "" : "INCOMPLETE: "}${periodTitleText(pack.period)} of ${account}`,
    heading: periodTitle(pack.period),
    account,
    within: "overview",
    body: html`
<p class="lead">${days} · ${outside(claim.zone)} · ${settingsName(claim)} · account <a href="${accountLink(account)}">${outside(account)}</a></p>${verdictNotice(view.verdict, whatStands(view))}
<p class="actions">${openReport(account, pack)} ${pack.zipBytes === null ? null : buttonLink("secondary", zipLink(account, pack), "Download everything (ZIP)")} <span class="about">${sizeText(pack.bytes)} in ${counted(pack.files.length, "file")}</span></p>${claim.nets.length === 0 ? null : html`\n<div class="card">${netLine(claim.nets)}</div>`}${section("files", "Files", fileList(account, pack))}${otherVersions(view)}${section("details", "How it was made", claimFacts(view))}`,
  });
}

/** The pack's own report, which can run and load nothing. */
function openReport(account: string, pack: PackDetails): Html | null {
  return hasReport(pack) ? buttonLink("primary", reportLink(account, pack), "Open the report") : null;
}

function hasReport({ files }: PackDetails): boolean {
  return files.some(({ path }) => path.endsWith("report.html"));
}

/** What is said besides the points: gaps, what the records rest on, checks, and the way to a better version. */
function whatStands({ account, pack, current, checks, verdict }: PackView): Html {
  const { gaps, assumed } = pack.claim;
  const left = gaps.length - MOST_GAPS;
  return html`${
    gaps.length === 0
      ? null
      : html`<p>Not read:</p><ul class="gaps">${gaps.slice(0, MOST_GAPS).map(
          ({ from, to }) => html`
<li>${instantOf(from)} to ${instantOf(to)}</li>`,
        )}</ul>${left > 0 ? html`<p>And ${counted(left, "later gap")}: completeness.json has them all.</p>` : null}`
  }${assumptionLine(assumed)}<p>${checksText(checks)}</p>${
    current === null
      ? null
      : html`<p>Current version: <a href="${packLink(account, current)}">${versionTitle(current)}</a>.</p>`
  }${againForm(account, { pack, claim: pack.claim, verdict })}`;
}

/** Makes the same pack again, where something is known against it. */
export function againForm(
  account: string,
  { pack, claim, verdict }: Pick<PackLine, "pack" | "claim" | "verdict">,
): Html | null {
  return claim === null || objectionsOf(verdict).length === 0
    ? null
    : startForm(againRequest(account, { period: pack.period, claim }), "Make it again", { rank: "secondary" });
}

/** The request that makes the same period again with the same settings. */
function againRequest(account: string, { period, claim }: Pick<PackDetails, "period" | "claim">): MakeRequest {
  const { from, to, zone } = claim;
  const same = { account, kind: "export", zone, ...settingsOf(claim) } as const;
  const typed = readPackName(period)?.typed ?? null;
  return typed === null ? { ...same, from, to } : { ...same, period: typed };
}

function claimFacts({ account, pack }: PackView): Html {
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

function fact(name: string, value: Html | string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function otherVersions({ account, pack, others, paging }: PackView): Html | null {
  const links = pageLinks(paging, "versions", (page) => versionsLink(account, pack, page));
  const rows = others.map((other) => versionRow(account, other));
  const list = html`${links}
<ul class="rows packs">${rows}
</ul>${links}`;
  return rows.length === 0 ? null : section("versions", "Other versions of this period", list);
}
