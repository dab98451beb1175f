import { type Html, html, outside } from "../../pack/files/report/html.ts";
import type { JobState, MakeRequest } from "../ports.ts";
import { moment, settingsName } from "./format.ts";
import { csrfField, type Frame } from "./frame.ts";
import { jobLink, jobsLink } from "./links.ts";

/** What was asked for: `Pack us-2025, fifo`. */
export function requestName({ kind, period, from, to, zone, method, basis, currency }: MakeRequest): Html {
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

export function stateTag({ state, covered }: JobState): Html {
  if (state === "running") {
    return html`<span class="tag newest">running${covered === null ? null : `, ${percent(covered)}`}</span>`;
  }
  return state === "done"
    ? html`<span class="tag"><span aria-hidden="true">✓</span> done</span>`
    : html`<strong class="tag warn"><span aria-hidden="true">▲</span> failed</strong>`;
}

/** Cut, so that 100 % is all of it. */
export function percent(share: number): string {
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
