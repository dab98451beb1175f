import { type Html, html, outside } from "../../pack/report/html.ts";
import type { InputNames } from "../data/input-files.ts";
import type { LastChecks } from "../data/standing.ts";
import type { Role } from "../ports.ts";
import { type KnownAccount, makeButtons } from "./accounts.ts";
import { actions, archiveOnlyNotice, buttonLink, emptyState, fileNames, unusableNotice } from "./components.ts";
import { startForm } from "./forms.ts";
import { type PageParts, section } from "./frame.ts";
import { jobList, READ_FILLS } from "./jobs.ts";
import { inputsLink, packLink } from "./links.ts";
import { againForm, type PackList, packList } from "./packs.ts";
import { periodTitle } from "./period-title.ts";
import { archiveLine, archiveState, checksText, daysBehind, gapList, gapsOf, readsNow } from "./status.ts";

/** At most this many ended jobs are listed. */
const MOST_JOBS = 20;

/** `leading` is null if the list shows other packs. */
export interface Overview extends InputNames, KnownAccount {
  /** The user's role in this account. */
  readonly role: Role;
  readonly packs: PackList;
  readonly checks: LastChecks;
  /** ms UTC */
  readonly now: number;
}

/** An account: its completeness, its packs, and what to do next. */
export function overviewPage(overview: Overview): PageParts {
  const { archive, jobs, cannotAsk, role, now, unusable, checks } = overview;
  const { account } = archive;
  const isReading = readsNow(jobs);
  const running = jobs.filter(({ state }) => state === "running");
  const ended = jobs.filter(({ state }) => state !== "running").slice(0, MOST_JOBS);
  // The page's main action is to read new fills, or else to make a pack.
  const isBehind = archive.coverage.length === 0 || daysBehind(archive, now) > 0 || gapsOf(archive).length > 0;
  const isReadingDue = role === "operator" && cannotAsk === null && !isReading && isBehind;
  const read = startForm({ account, kind: "sync" }, READ_FILLS, {
    rank: isReadingDue ? "primary" : "secondary",
    disabled: cannotAsk !== null,
  });
  const check = startForm({ account, kind: "verify" }, "Check the archive", { rank: "secondary" });
  const nothingRead = emptyState(archiveLine({ ...archive, lastRun: null }));
  return {
    title: `Account ${account}`,
    heading: html`Account ${outside(account)}`,
    account,
    here: "overview",
    body: html`${archiveOnlyNotice(cannotAsk, [archive])}${unusableNotice(account, unusable)}
${running.length === 0 ? null : section("running", "Running now", jobList(account, running))}
${archiveState(archive, now, isReading, role === "operator" && !isReading ? read : null)}
${section("packs", "Packs", packsOf(overview, isReadingDue ? "secondary" : "primary"))}
${section("inputs", "Your files", inputsOf(overview))}
${section("coverage", "What was read", html`${archive.coverage.length === 0 ? nothingRead : gapList(archive)}<p>${checksText(checks)}</p>`)}
${
  role === "operator"
    ? section(
        "work",
        "Upkeep",
        html`<p>Compare every file of the archive and of its packs with its recorded hash.</p>${check}`,
      )
    : null
}
${ended.length === 0 ? null : section("jobs", "Recent jobs", jobList(account, ended))}`,
  };
}

function packsOf(overview: Overview, rank: "primary" | "secondary"): Html {
  const { archive, packs, leading, now } = overview;
  const { account } = archive;
  const open =
    leading && buttonLink("secondary", packLink(account, leading.pack), html`Open ${periodTitle(leading.pack.period)}`);
  const again = leading && againForm(account, leading);
  return packList(account, packs, leading, actions(...makeButtons(account, overview, rank, now), open, again));
}

function inputsOf({ archive: { account }, inputs }: Overview): Html {
  const [about, action] =
    inputs.length === 0
      ? [
          "Opening positions, funding, transfers and exchange rates, which the venue does not provide. No file has been uploaded yet.",
          "Upload a file",
        ]
      : [html`Packs are made with ${fileNames(inputs)}.`, "See or change your files"];
  return html`<p>${about}</p>${actions(buttonLink("secondary", inputsLink(account), action))}`;
}
