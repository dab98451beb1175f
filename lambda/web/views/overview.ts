import { html, outside } from "../../pack/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { StoredInput } from "../data/inputs.ts";
import type { LastChecks } from "../data/standing.ts";
import type { JobState, Obstacle, Role } from "../ports.ts";
import { actions, archiveOnlyNotice, buttonLink, emptyState, fileNames, unusableNotice } from "./components.ts";
import { startForm } from "./forms.ts";
import { type PageParts, section } from "./frame.ts";
import { jobList, READ_FILLS } from "./jobs.ts";
import { inputsLink, makeLink } from "./links.ts";
import { againForm, type PackLine, packList } from "./packs.ts";
import { archiveState, checksText, daysBehind, gapList, gapsOf } from "./status.ts";

/** At most this many ended jobs are listed. */
const MOST_JOBS = 20;

export interface Overview {
  readonly archive: ArchiveView;
  readonly inputs: readonly StoredInput[];
  /** The newest pack of each period that is shown. */
  readonly packs: readonly PackLine[];
  /** How many periods are not shown. */
  readonly left: number;
  /** Newest first. */
  readonly jobs: readonly JobState[];
  readonly checks: LastChecks;
  /** Why missing fills cannot be read from the service; null if they can. */
  readonly cannotAsk: Obstacle | null;
  /** The user's role in this account. */
  readonly role: Role;
  /** ms UTC */
  readonly now: number;
}

/** Several accounts together: packs that were made on the command line. */
export function groupPage(account: string, packs: readonly PackLine[], left: number): PageParts {
  return {
    title: `Packs of ${account}`,
    heading: html`Packs of ${outside(account)}`,
    account,
    here: "overview",
    body: html`<p class="lead">There is no archive of this name: packs of several accounts are made on the command line.</p>
${section("packs", "Packs", packList(account, packs, left, null))}`,
  };
}

/** An account: its completeness, its packs, and what to do next. */
export function overviewPage({
  archive,
  inputs,
  packs,
  left,
  jobs,
  checks,
  cannotAsk,
  role,
  now,
}: Overview): PageParts {
  const { account, coverage } = archive;
  const running = jobs.filter(({ state }) => state === "running");
  const ended = jobs.filter(({ state }) => state !== "running").slice(0, MOST_JOBS);
  // The page's main action is to read new fills, or else to make a pack.
  const isBehind = coverage.length === 0 || daysBehind(archive, now) > 0 || gapsOf(archive).length > 0;
  const isReadingDue = role === "operator" && cannotAsk === null && isBehind;
  const read = startForm({ account, kind: "sync" }, READ_FILLS, {
    rank: isReadingDue ? "primary" : "secondary",
    disabled: cannotAsk !== null,
  });
  const check = startForm({ account, kind: "verify" }, "Check the archive", { rank: "secondary" });
  const make = buttonLink(isReadingDue ? "secondary" : "primary", makeLink(account), "Make a pack");
  const again = packs[0] === undefined ? null : againForm(account, packs[0]);
  const names = inputs.flatMap(({ name, refusal }) => (refusal === null ? [name] : []));
  const files =
    names.length === 0
      ? "Opening positions, funding, transfers and exchange rates, which the venue does not provide. No file has been uploaded yet."
      : html`Packs are made with ${fileNames(names)}.`;
  return {
    title: `Account ${account}`,
    heading: html`Account ${outside(account)}`,
    account,
    here: "overview",
    body: html`${archiveOnlyNotice(cannotAsk, [archive])}${unusableNotice(account, inputs)}
${running.length === 0 ? null : section("running", "Running now", jobList(account, running))}
${archiveState(archive, now, role === "operator" ? read : null)}
${section("packs", "Packs", packList(account, packs, left, actions(make, again)))}
${section("inputs", "Your files", html`<p>${files}</p>${actions(buttonLink("secondary", inputsLink(account), "See or change your files"))}`)}
${section("coverage", "What was read", html`${coverage.length === 0 ? emptyState("Nothing yet.") : gapList(archive)}<p>${checksText(checks)}</p>${role === "operator" ? check : null}`)}
${ended.length === 0 ? null : section("jobs", "Recent jobs", jobList(account, ended))}`,
  };
}
