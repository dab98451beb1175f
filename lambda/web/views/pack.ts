import { count, counted, sizeText } from "../../core/text.ts";
import type { Verdict } from "../../core/verdict.ts";
import { type Html, html, outside } from "../../pack/report/html.ts";
import type { LastChecks, Standing } from "../data/standing.ts";
import type { PackDetails } from "../packs.ts";
import { actions, buttonLink, disclosure, facts, moreLink, points, verdictNotice } from "./components.ts";
import { netTiles } from "./figures.ts";
import { instantOf, methodText, moment, settingsOfPack, versionName } from "./format.ts";
import { type PageParts, section } from "./frame.ts";
import { accountLink, fileLink, packLink, reportLink, versionsLink, zipLink } from "./links.ts";
import { fileList } from "./pack-files.ts";
import { againForm, versionRow } from "./packs.ts";
import { periodDays, periodTitle, periodTitleText } from "./period-title.ts";
import { assumptionLine, checksText } from "./status.ts";

export interface PackView {
  readonly account: string;
  readonly pack: PackDetails;
  readonly verdict: Verdict;
  /** Checks of this period, or of the whole archive. */
  readonly checks: LastChecks;
  /** Other versions of its period, newest first. */
  readonly others: readonly Standing[];
  /** How many more there are. */
  readonly left: number;
}

/** One version of a period: its completeness, the money, the report and the files. */
export function packPage(view: PackView): PageParts {
  const { account, pack, others, left } = view;
  const { claim, files } = pack;
  const accounts = html`account${claim.of.length > 1 ? "s" : null} <a href="${accountLink(account)}">${outside(claim.of.join(", "))}</a>`;
  const days = periodDays(pack.period) ?? html`${instantOf(claim.from)} – ${instantOf(claim.to)}`;
  const hasReport = files.some(({ path }) => path.endsWith("report.html"));
  const versions = html`<ul class="rows packs">${others.map((other) => versionRow(account, other))}</ul>${moreLink(versionsLink(account, pack), left, "version")}`;
  return {
    title: `${pack.complete ? "" : "INCOMPLETE: "}${periodTitleText(pack.period)} of ${account}`,
    heading: periodTitle(pack.period),
    account,
    within: "overview",
    body: html`
<p class="lead">${days} · ${outside(claim.zone)} · ${settingsOfPack(claim)} · ${accounts}</p>
${verdictNotice(view.verdict, whatStands(view))}
${actions(
  hasReport ? buttonLink("primary", reportLink(account, pack), "Open the report") : null,
  pack.zipBytes === null ? null : buttonLink("secondary", zipLink(account, pack), "Download everything (ZIP)"),
  html`<span class="about">${sizeText(pack.bytes)} in ${counted(files.length, "file")}</span>`,
)}
${claim.accounts.net_realised_pnl.length === 0 ? null : html`<div class="card">${netTiles(claim)}</div>`}
${section("files", "Files", fileList(account, pack))}
${others.length === 0 ? null : section("versions", "Other versions of this period", versions)}
${section("details", "How it was made", disclosure("Period, method, version and hashes", details(view)))}`,
  };
}

/** What is said besides the points: gaps, what the records rest on, checks, and the way to a better version. */
function whatStands({ account, pack, checks, verdict, others }: PackView): Html {
  const { claim } = pack;
  const { silence_days: silenceDays, vanished_fills: vanished } = claim.assumed;
  const missing = points(
    claim.gaps.map(({ from, to }) => html`${instantOf(from)} to ${instantOf(to)}`),
    (left) => `And ${counted(left, "later gap")}: completeness.json has them all.`,
  );
  const current = others.find((one) => one.pack.latest)?.pack;
  const better =
    current &&
    html`<p>This is not the current version, which was <a href="${packLink(account, current)}">made ${moment(current.madeAt)}</a>.</p>`;
  return html`${claim.gaps.length === 0 ? null : html`<p>Not read:</p>${missing}`}${assumptionLine({ silenceDays, vanished })}${claim.of.length > 1 ? null : html`<p>${checksText(checks)}</p>`}${better ?? null}${againForm(account, { pack, claim, verdict })}`;
}

/** A hash, two spaces and a path. */
const LONGEST_HASH_LINE = 300;

function details({ account, pack }: PackView): Html {
  const { period, claim, files, madeAt, version } = pack;
  const exceptions = files.find(({ path }) => path.endsWith("exceptions.csv"));
  const read =
    claim.totals.exceptions === 0 || exceptions === undefined
      ? null
      : html`: read <a href="${fileLink(account, pack, exceptions.path)}">exceptions.csv</a>`;
  const hashes = files.flatMap(({ path, sha256 }) => (sha256 === null ? [] : [`${sha256}  ${path}`]));
  const all = facts([
    ["Name", outside(period)],
    ["Period", html`from ${instantOf(claim.from)} up to ${instantOf(claim.to)}; days of ${outside(claim.zone)}`],
    ["Method", html`${methodText(claim.method)}${claim.method_chosen ? null : " (not chosen: the default)"}`],
    ["Period cut-off", html`by time of the ${outside(claim.basis)}`],
    ["Converted into", outside(claim.accounts.report_currency ?? "nothing: amounts are in their own currency")],
    ["Fills", count(claim.totals.fills)],
    ["Exceptions", html`${count(claim.totals.exceptions)}${read}`],
    ["Made", moment(madeAt)],
    ["Version", versionName(version)],
  ]);
  return html`${all}<h3>SHA-256 of each file</h3><pre class="hashes">${hashes.map((line) => html`${outside(line, LONGEST_HASH_LINE)}\n`)}</pre>`;
}
