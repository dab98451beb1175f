import { type Html, html, outside } from "../../pack/files/report/html.ts";
import type { JobState, MakeRequest, Role } from "../ports.ts";
import { moment, sentence, settingsName } from "./format.ts";
import { csrfField, type Frame, pageOf } from "./frame.ts";
import { accountLink, jobLink, jobsLink, packLink, zipLink } from "./links.ts";

/** Seconds after which a browser that runs no scripts looks again. */
const AGAIN_AFTER = 5;

/** One job, for somebody of this role. The parts that are marked `data-live` are what script.ts replaces while it runs. */
export function jobPage(frame: Frame, job: JobState, role: Role): string {
  const { account } = job.request;
  const isRunning = job.state === "running";
  return pageOf(frame, {
    title: `${STATES[job.state]}: a job of ${account}`,
    heading: requestName(job.request),
    account,
    ...(isRunning ? { againAfter: AGAIN_AFTER } : {}),
    body: html`
<p class="lead">Started ${moment(job.startedAt)} by ${outside(job.startedBy)}, for <a href="${accountLink(account)}">account ${outside(account)}</a>.</p>
<div id="bar" data-live>${bar(job)}</div>
<div id="note" data-live role="status" aria-live="polite">${note(job, role)}</div>
<div id="next" data-live>${next(frame, job, role)}</div>`,
  });
}

/** For a job that there is not, of an account that the user may see. */
export function unknownJobPage(frame: Frame, account: string): string {
  return pageOf(frame, {
    title: "No such job",
    account,
    body: html`
<p>This job is not known here, or not any more: jobs are forgotten when <code>fillbook serve</code> ends, and on AWS after 90 days. What they read and made is kept.</p>
<p><a class="button" href="${accountLink(account)}">To the account</a></p>`,
  });
}

const STATES: Readonly<Record<JobState["state"], string>> = { running: "Running", done: "Done", failed: "Failed" };

function bar(job: JobState): Html {
  if (job.state !== "running") {
    return html`<p>${stateTag(job)}</p>`;
  }
  const { covered } = job;
  return html`<p class="progress" data-running><label for="progress">Covered of what is asked</label><progress id="progress"${
    covered === null ? null : html` max="100" value="${Math.floor(covered * 100)}"`
  }></progress><span>${covered === null ? "not known yet" : percent(covered)}</span></p>`;
}

/** What went wrong is for whoever can mend it. */
function note(job: JobState, role: Role): Html {
  const said = html`<p>${sentence(job.note)}</p>`;
  return job.state === "failed" && role === "accountant"
    ? html`<p>It did not come to its end. Tell an operator of this account.</p><details><summary>What to tell them</summary>${said}</details>`
    : said;
}

function next(frame: Frame, job: JobState, role: Role): Html {
  const { account } = job.request;
  if (job.state === "running") {
    return html`<p class="note">You may leave: it goes on. <a href="${jobLink(account, job.id)}">Look again</a></p>`;
  }
  if (job.state === "done") {
    if (job.pack === null) {
      return html`<p><a class="button" href="${accountLink(account)}">To the account</a></p>`;
    }
    return job.request.kind === "zip"
      ? html`<p><a class="button" href="${zipLink(account, job.pack)}">Download the ZIP</a></p>`
      : html`<p><a class="button" href="${packLink(account, job.pack)}">To the pack of ${outside(job.pack.period)}</a></p>`;
  }
  const { kind, period, version } = job.request;
  if (kind === "zip" && period !== undefined && version !== undefined) {
    return html`<p><a class="button" href="${zipLink(account, { period, version })}">Try again</a></p>`;
  }
  const first =
    role === "accountant"
      ? "When they have mended it, start it again"
      : "Do what the sentence above says, then start it again";
  return html`<p>What was read so far is kept. ${first}: it goes on from where it stopped.</p>${startForm(frame, job.request, "Start it again")}`;
}

/** What was asked for: `Pack us-2025, fifo`. */
function requestName({ kind, period, from, to, zone, method, basis, currency }: MakeRequest): Html {
  if (kind === "sync") {
    return html`Read what is new`;
  }
  if (kind === "verify") {
    return html`Check what is kept`;
  }
  if (kind === "zip") {
    return html`ZIP of the pack ${outside(period ?? "")}`;
  }
  const time = period === undefined ? html`${outside(from ?? "…")} to ${outside(to ?? "…")}` : outside(period);
  const zoneName = zone === undefined ? null : html`, ${outside(zone)}`;
  const settings = method === undefined ? null : html`, ${settingsName({ method, basis, currency })}`;
  return html`Pack ${time}${zoneName}${settings}`;
}

export function jobList(account: string, jobs: readonly JobState[]): Html {
  if (jobs.length === 0) {
    return html`
<p class="empty">Nothing was started here yet.</p>`;
  }
  return html`
<ul class="rows jobs">${jobs.map(
    (job) => html`
<li><a class="name" href="${jobLink(account, job.id)}">${requestName(job.request)}</a> <span>${stateTag(job)}</span> <span>${moment(job.startedAt)}</span> <span class="about">by ${outside(job.startedBy)}</span></li>`,
  )}
</ul>`;
}

function stateTag({ state, covered }: JobState): Html {
  if (state === "running") {
    return html`<span class="tag newest">running${covered === null ? null : `, ${percent(covered)}`}</span>`;
  }
  return state === "done"
    ? html`<span class="tag"><span aria-hidden="true">✓</span> done</span>`
    : html`<strong class="tag warn"><span aria-hidden="true">▲</span> failed</strong>`;
}

/** Cut, so that 100 % is all of it. */
function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

/** A button that starts this. */
export function startForm(frame: Frame, request: MakeRequest, name: string): Html {
  const { account, kind, period, from, to, zone, method, basis, currency } = request;
  const fields = Object.entries({ kind, period, from, to, zone, method, basis, currency });
  return html`
<form class="start" method="post" action="${jobsLink(account)}">${csrfField(frame.csrf)}${fields.map(
    ([field, value]) => (value === undefined ? null : html`<input type="hidden" name="${field}" value="${value}">`),
  )}<button type="submit">${name}</button></form>`;
}
