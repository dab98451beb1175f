import { RATES } from "../../inputs/files.ts";
import { type Html, type HtmlValue, html, outside } from "../../pack/report/html.ts";
import { INPUT_KINDS } from "../input-kinds.ts";
import { inPageWords } from "../page-words.ts";
import type { JobState, MakeRequest, Role } from "../ports.ts";
import { buttonLink, disclosure } from "./components.ts";
import { instant, moment, sentence, settingsName } from "./format.ts";
import { type Frame, pageOf } from "./frame.ts";
import { accountLink, inputsLink, jobLink, jobsLink, packLink, stopLink } from "./links.ts";
import { daysText, periodTitle } from "./period-title.ts";

/** Seconds after which a browser without scripts reloads. */
const AGAIN_AFTER = 5;

/** The name of a sync: of the button that starts it, and of its job. */
export const READ_FILLS = "Read new fills";

/** A job, as a user of this role sees it. */
export interface JobView {
  readonly job: JobState;
  readonly role: Role;
  /**
   * The end of the contiguous part that was read from the beginning of the request, ms UTC; null if it is not
   * known or nothing was read.
   */
  readonly reached: number | null;
}

/** One job. While it runs, script.ts replaces the parts marked `data-live`. */
export function jobPage(frame: Frame, view: JobView): string {
  const { job } = view;
  const { account } = job.request;
  const isRunning = job.state === "running";
  return pageOf(frame, {
    title: `${STATES[job.state]}: a job of ${account}`,
    heading: requestName(job.request),
    account,
    within: "overview",
    ...(isRunning ? { againAfter: AGAIN_AFTER } : {}),
    body: html`
<div class="card job">
<div id="bar" data-live>${bar(job)}</div>
<div id="note" data-live role="status" aria-live="polite">${note(view)}</div>
<div id="next" data-live>${next(view)}</div>
</div>
<p class="note">Started ${moment(job.startedAt)} by ${outside(job.startedBy)} for <a href="${accountLink(account)}">account ${outside(account)}</a>.</p>`,
  });
}

/** For a job that does not exist, of an account that the user may see. */
export function unknownJobPage(frame: Frame, account: string): string {
  return pageOf(frame, {
    title: "No such job",
    account,
    within: "overview",
    body: html`
<p>This job never existed or is no longer listed. Jobs are listed until <code>fillbook serve</code> ends, and on AWS for 90 days. What they read and made is kept.</p>
<p class="actions">${buttonLink("primary", accountLink(account), "To the account")}</p>`,
  });
}

const STATES: Readonly<Record<JobState["state"], string>> = {
  running: "Running",
  done: "Done",
  failed: "Failed",
  stopped: "Stopped",
};

const PHASES: Readonly<Record<NonNullable<JobState["phase"]>, string>> = {
  reading: "Progress of reading",
  packing: "Progress of making the files",
  checking: "Progress of checking",
};

function bar(job: JobState): Html {
  if (job.state !== "running") {
    return html`<p>${stateTag(job)}</p>`;
  }
  const { covered, phase } = job;
  return html`<p class="progress" data-running><label for="progress">${phase === undefined ? "Progress" : PHASES[phase]}</label><progress id="progress"${
    covered === null ? null : html` max="100" value="${Math.floor(covered * 100)}"`
  }></progress><span>${covered === null ? "not known yet" : percent(covered)}</span></p>`;
}

/** Folds the error for accountants, because only an operator can repair it. */
function note({ job, role, reached }: JobView): Html {
  const text = inPageWords(job.note);
  const isOfFiles = INPUT_KINDS.some(({ name }) => job.note.includes(name ?? RATES));
  const files = isOfFiles
    ? html`<p><a class="button secondary" href="${inputsLink(job.request.account)}">Your files</a></p>`
    : null;
  const said = html`<p>${sentence(text)}</p>${files}`;
  if (job.state === "failed" && role === "accountant") {
    return html`<p>The job failed. Tell an operator of this account.</p>${disclosure("What to tell them", said)}`;
  }
  return reached === null ? said : html`${said}<p class="about">Read without a gap up to ${instant(reached)}.</p>`;
}

function next({ job, role }: JobView): Html {
  const { account } = job.request;
  switch (job.state) {
    case "running":
      return html`<p class="about">You may leave this page: the job continues. <a href="${jobLink(account, job.id)}">Look again</a></p>${
        mayStart(job.request, role)
          ? html`<form method="post" action="${stopLink(account, job.id)}">${
              job.stopping === true
                ? html`<button class="secondary" type="submit" disabled>Stopping…</button>`
                : html`<button class="secondary" type="submit">Stop</button>`
            }</form>`
          : null
      }`;
    case "done":
      return html`<p class="actions">${afterwards(job)}</p>`;
    case "stopped":
      return html`<p>If you start it again, it continues where it stopped.</p>${againForm(job.request, role)}`;
    case "failed":
      return afterFailure(job.request, role);
  }
}

/** True if a user of this role may start and stop the job. */
export function mayStart({ kind }: MakeRequest, role: Role): boolean {
  return role === "operator" || kind === "export";
}

function afterwards({ request: { account }, pack }: JobState): Html {
  if (pack === null) {
    return buttonLink("primary", accountLink(account), "To the account");
  }
  return buttonLink("primary", packLink(account, pack), "Open the pack");
}

function afterFailure(request: MakeRequest, role: Role): Html {
  const first = role === "accountant" ? "When the operator has fixed the cause" : "When the cause is fixed";
  return html`<p>What was read so far is kept. ${first}, start the job again: it continues where it stopped.</p>${againForm(request, role)}`;
}

function againForm(request: MakeRequest, role: Role): Html | null {
  return mayStart(request, role) ? startForm(request, "Start again") : null;
}

/** What was requested: `Pack: US tax year 2025, FIFO`. */
function requestName({ kind, period, from, to, zone, method, basis, currency }: MakeRequest): Html {
  if (kind === "sync") {
    return html`${READ_FILLS}`;
  }
  if (kind === "verify") {
    return html`Check the archive`;
  }
  const time = period === undefined ? daysTitle(from, to) : periodTitle(period);
  const zoneName = zone === undefined ? null : html`, ${outside(zone)}`;
  const settings = method === undefined ? null : html`, ${settingsName({ method, basis, currency })}`;
  return html`Pack: ${time}${zoneName}${settings}`;
}

/** As the pack of these days is titled: from the first to the last one. `to`: exclusive. */
function daysTitle(from = "…", to = "…"): Html {
  const isDays = [from, to].every((text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)));
  return isDays ? html`${daysText(Date.parse(from), Date.parse(to))}` : html`${outside(from)} to ${outside(to)}`;
}

/** A running job says how far it is; a finished one links to its pack. */
export function jobList(account: string, jobs: readonly JobState[]): Html {
  return html`
<ul class="rows jobs">${jobs.map(
    (job) => html`
<li><span class="name"><a href="${jobLink(account, job.id)}">${requestName(job.request)}</a> ${stateTag(job)}</span> <span class="about">${moment(job.startedAt)} by ${outside(job.startedBy)}${job.state === "running" ? html`. ${sentence(job.note)}` : null}</span>${
      job.pack === null ? null : html` <a href="${packLink(account, job.pack)}">Open the pack</a>`
    }</li>`,
  )}
</ul>`;
}

function stateTag({ state, covered }: JobState): Html {
  switch (state) {
    case "running":
      return html`<span class="tag">running${covered === null ? null : `, ${percent(covered)}`}</span>`;
    case "done":
      return html`<span class="tag good"><span aria-hidden="true">✓</span> done</span>`;
    case "stopped":
      return html`<span class="tag">stopped</span>`;
    case "failed":
      return html`<strong class="tag warn"><span aria-hidden="true">▲</span> failed</strong>`;
  }
}

/** Rounded down, so that 100 % means complete. */
function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

/** A button that starts this request. */
export function startForm(
  request: MakeRequest,
  name: HtmlValue,
  { rank = "primary", disabled = false }: { readonly rank?: "primary" | "secondary"; readonly disabled?: boolean } = {},
): Html {
  const { account, kind, period, from, to, zone, method, basis, currency } = request;
  const fields = Object.entries({ kind, period, from, to, zone, method, basis, currency });
  const hidden = fields.map(
    ([field, value]): HtmlValue =>
      value === undefined ? null : html`<input type="hidden" name="${field}" value="${value}">`,
  );
  return html`
<form class="start" method="post" action="${jobsLink(account)}">${hidden}<button class="${rank}" type="submit"${disabled ? html` disabled` : null}>${name}</button></form>`;
}
