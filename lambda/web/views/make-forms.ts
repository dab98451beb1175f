import { listPeriods, listTaxYears } from "../../core/period.ts";
import { isoTime } from "../../core/time.ts";
import { type Html, html } from "../../pack/files/report/html.ts";
import { csrfField, type Frame } from "./frame.ts";
import { jobsLink } from "./links.ts";

export interface Choices {
  /** Names of the methods; the first is the default. */
  readonly methods: readonly string[];
  /** Periods that end after this and by now are offered, ms UTC. */
  readonly since: number;
  readonly now: number;
}

/** "Make this period": a form for each way to say which. They post to the jobs of the account. */
export function makeForms(frame: Frame, account: string, choices: Choices): Html {
  const form = (id: string, fields: Html): Html => html`
<form class="make" method="post" action="${jobsLink(account)}">${csrfField(frame.csrf)}<input type="hidden" name="kind" value="export">${fields}${methodField(id, choices.methods)}
<button type="submit">Make this pack</button></form>`;
  return html`
<p>What the period still lacks is read first, so it may take a while. A period can be made once it is over.</p>
<details name="make" open><summary>A tax year</summary>${form(
    "tax",
    html`${field("tax-period", "Tax year", html`<select id="tax-period" name="period" required>${taxYears(choices)}</select>`)}${zoneField("tax", "Empty: the zone of the country.")}`,
  )}</details>
<details name="make"><summary>A month</summary>${form(
    "month",
    html`${field("month-period", "Month", html`<select id="month-period" name="period" required>${months(choices)}</select>`)}${zoneField("month", "Empty: UTC.")}`,
  )}</details>
<details name="make"><summary>Any days</summary>${form(
    "custom",
    html`${field("custom-from", "First day", html`<input id="custom-from" name="from" type="date" required>`)}${field(
      "custom-to",
      "Up to",
      html`<input id="custom-to" name="to" type="date" required aria-describedby="custom-to-hint">`,
      html`<small id="custom-to-hint">This day is no more in it.</small>`,
    )}${zoneField("custom", "Empty: UTC.")}`,
  )}</details>
<datalist id="zones">${zones().map((zone) => html`<option value="${zone}"></option>`)}</datalist>`;
}

function field(id: string, name: string, control: Html, hint: Html | null = null): Html {
  return html`
<p class="field"><label for="${id}">${name}</label>${control}${hint}</p>`;
}

function zoneField(id: string, hint: string): Html {
  return field(
    `${id}-zone`,
    "Time zone of its days",
    html`<input id="${id}-zone" name="zone" list="zones" maxlength="64" autocomplete="off" spellcheck="false" autocapitalize="off" placeholder="Europe/London" aria-describedby="${id}-zone-hint">`,
    html`<small id="${id}-zone-hint">${hint}</small>`,
  );
}

/** Whether the file is there is not known before the pack is made. */
const NEEDS_A_FILE = "specific";

function methodField(id: string, methods: readonly string[]): Html {
  return field(
    `${id}-method`,
    "Method",
    html`<select id="${id}-method" name="method" aria-describedby="${id}-method-hint">${methods.map(
      (method) => html`<option>${method}</option>`,
    )}</select>`,
    html`<small id="${id}-method-hint">How the cost of what is closed is calculated. Average cost always stands beside it.${
      methods.includes(NEEDS_A_FILE)
        ? ` The method ${NEEDS_A_FILE} needs matches.csv among the account's own files.`
        : null
    }</small>`,
  );
}

/** Newest first, by country. */
function taxYears(choices: Choices): readonly Html[] {
  const known = yearsOf(choices)
    .flatMap((year) => listTaxYears(year))
    .filter(({ example }) => isOver(example, choices));
  return [...Map.groupBy(known, ({ label }) => label)].map(
    ([label, years]) =>
      html`<optgroup label="${label}">${years.map(
        ({ example: { name, firstDay, lastDay } }) => html`
<option value="${name}">${name}: ${firstDay} to ${lastDay}</option>`,
      )}</optgroup>`,
  );
}

function months(choices: Choices): readonly Html[] {
  return yearsOf(choices).map((year) => {
    const over = Array.from({ length: 12 }, (_, at) => 12 - at).filter((month) =>
      isOver({ from: Date.UTC(year, month - 1), to: Date.UTC(year, month) }, choices),
    );
    const names = over.map((month) => `${year}-${String(month).padStart(2, "0")}`);
    return names.length === 0
      ? html``
      : html`<optgroup label="${year}">${names.map((name) => html`<option value="month-${name}">${name}</option>`)}</optgroup>`;
  });
}

function isOver({ from, to }: { readonly from: number; readonly to: number }, { since, now }: Choices): boolean {
  return from < now && to <= now && to > since;
}

/** Newest first: those in which a period that is offered can end. */
function yearsOf({ since, now }: Choices): readonly number[] {
  const last = Number(isoTime(now).slice(0, 4));
  const first = Math.max(Number(isoTime(since).slice(0, 4)), last - MOST_YEARS);
  return Array.from({ length: Math.max(last - first + 1, 1) }, (_, at) => last - at);
}

const MOST_YEARS = 20;

function zones(): readonly string[] {
  return [...new Set(listPeriods().map(({ zone }) => zone))].toSorted();
}
