import { type Html, type HtmlValue, html, outside } from "../../pack/report/html.ts";
import type { JobState, MakeRequest, Role } from "../ports.ts";
import { buttonLink, disclosure, type Tone, tag } from "./components.ts";
import { moment, sentence, settingsName } from "./format.ts";
import { button, startForm } from "./forms.ts";
import type { PageParts } from "./frame.ts";
import { accountLink, jobLink, packLink, stopLink } from "./links.ts";
import { daysText, periodTitle } from "./period-title.ts";

/** Seconds after which a browser without scripts reloads. */
const AGAIN_AFTER = 5;

/** The name of a sync: of the button that starts it, and of its job. */
export const READ_FILLS = "Read new fills";

/** A job, as a user of this role sees it. */
export interface JobView {
  readonly job: JobState;
  readonly role: Role;
}

const TONES: Readonly<Record<JobState["state"], Tone>> = {
  running: "plain",
  done: "good",
  failed: "warn",
  stopped: "plain",
};

/** One job. While it runs, script.ts replaces the parts marked `data-live`. */
export function jobPage(view: JobView): PageParts {
  const { job } = view;
  const { account } = job.request;
  return {
    title: `${job.state}: a job of ${account}`,
    heading: requestName(job.request),
    account,
    within: "overview",
    ...(job.state === "running" ? { againAfter: AGAIN_AFTER } : {}),
    body: html`
<div class="card job">
<div id="bar" data-live>${bar(job)}</div>
<div id="note" data-live role="status" aria-live="polite">${note(view)}</div>
<div id="next" data-live>${next(view)}</div>
</div>
<p class="note">Started ${moment(job.startedAt)} by ${outside(job.startedBy)} for <a href="${accountLink(account)}">account ${outside(account)}</a>.</p>`,
  };
}

function bar(job: JobState): Html {
  const { state, covered } = job;
  const share = covered === null ? null : html` max="100" value="${Math.floor(covered * 100)}"`;
  return state === "running"
    ? html`<p class="progress" data-running><label for="progress">Progress</label><progress id="progress"${share}></progress><span>${covered === null ? "not known yet" : percent(covered)}</span></p>`
    : html`<p>${stateTag(job)}</p>`;
}

/** Folds the error for accountants, because only an operator can repair it. */
function note({ job, role }: JobView): Html {
  const said = html`<p>${sentence(job.note)}</p>`;
  return job.state === "failed" && role === "accountant"
    ? html`<p>The job failed. Tell an operator of this account.</p>${disclosure("What to tell them", said)}`
    : said;
}

function next({ job: { request, pack, state, id }, role }: JobView): Html {
  const { account } = request;
  const may = mayStart(request, role);
  const again = may ? startForm(request, "Start again") : null;
  const stop = html`<form method="post" action="${stopLink(account, id)}">${button("Stop", { rank: "secondary" })}</form>`;
  switch (state) {
    case "running":
      return html`<p class="about">You may leave this page: the job continues. <a href="${jobLink(account, id)}">Look again</a></p>${may ? stop : null}`;
    case "done":
      return html`<p>${
        pack === null
          ? buttonLink("primary", accountLink(account), "To the account")
          : buttonLink("primary", packLink(account, pack), "Open the pack")
      }</p>`;
    case "stopped":
    case "failed":
      return html`<p>What was read so far is kept. Started again, it continues where it stopped.</p>${again}`;
  }
}

/** True if a user of this role may start and stop the job. */
export function mayStart({ kind }: MakeRequest, role: Role): boolean {
  return role === "operator" || kind === "export";
}

/** What was requested: `Pack: US tax year 2025, FIFO`. */
function requestName({ kind, period, from = "…", to = "…", zone, method, basis, currency }: MakeRequest): Html {
  if (kind !== "export") {
    return html`${kind === "sync" ? READ_FILLS : "Check the archive"}`;
  }
  const days = daysText(from, to) ?? html`${outside(from)} to ${outside(to)}`;
  const parts: readonly HtmlValue[] = [
    ...[period === undefined ? days : periodTitle(period)],
    ...(zone === undefined ? [] : [outside(zone)]),
    ...(method === undefined ? [] : [settingsName({ method, basis, currency })]),
  ];
  return html`Pack: ${parts.map((part, at) => html`${at === 0 ? null : ", "}${part}`)}`;
}

/** A running job says how far it is, a failed one why, in one sentence; a finished one links to its pack. */
export function jobList(account: string, jobs: readonly JobState[]): Html {
  const rows = jobs.map((job) => {
    const { id, request, startedAt, startedBy, state, note: said, pack } = job;
    const [first = ""] = said.split(/(?<=[.!?]) /);
    const shown = { running: said, failed: first, done: null, stopped: null }[state];
    return html`
<li><span class="name"><a href="${jobLink(account, id)}">${requestName(request)}</a> ${stateTag(job)}</span>
<span class="about">${moment(startedAt)} by ${outside(startedBy)}${shown === null ? null : html`. ${sentence(shown)}`}</span>
${pack && html`<a href="${packLink(account, pack)}">Open the pack</a>`}</li>`;
  });
  return html`<ul class="rows jobs">${rows}</ul>`;
}

function stateTag({ state, covered }: JobState): Html {
  return tag(TONES[state], html`${state}${state === "running" && covered !== null ? `, ${percent(covered)}` : null}`);
}

/** Rounded down, so that 100 % means complete. */
function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
