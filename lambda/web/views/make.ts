import { METHODS } from "../../accounting/method.ts";
import { TAX_YEARS } from "../../core/tax-years.ts";
import { counted } from "../../core/text.ts";
import { DAY_MS } from "../../core/time.ts";
import { type Html, html, outside } from "../../pack/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { InputNames } from "../data/input-files.ts";
import type { FormField } from "../make-request-form.ts";
import { monthOffers, type Offer, taxYearOffers } from "../offers.ts";
import type { Obstacle } from "../ports.ts";
import { archiveOnlyNotice, emptyState, errorText, field, fileNames, notice, unusableNotice } from "./components.ts";
import { asSentence, methodText } from "./format.ts";
import { type Frame, pageOf } from "./frame.ts";
import { inputsLink, jobsLink, makeLink } from "./links.ts";
import { daysText, periodTitle, periodTitleText } from "./period-title.ts";

/** A form that was sent and cannot be processed. It is shown again with its values. */
export interface Refused {
  readonly fields: URLSearchParams;
  readonly problem: Obstacle;
  /** Null if no single field is the cause. */
  readonly field: string | null;
  /**
   * Names of files that the period's newest pack was made with, and that are gone. The user may make the pack
   * without them all the same. Empty: it is not known with which. Null: something else is wrong.
   */
  readonly gone: readonly string[] | null;
}

/** `inputs`: with which each pack is made. */
export interface MakeView extends InputNames {
  readonly account: string;
  readonly archive: Pick<ArchiveView, "coverage" | "firstTrade">;
  /** Names of the methods; the first is the default. */
  readonly methods: readonly string[];
  /** The country whose tax years are offered: a code of `TAX_YEARS`. */
  readonly country: string;
  /** Null if missing fills can be read from the service. */
  readonly cannotAsk: Obstacle | null;
  readonly refused: Refused | null;
  /** ms UTC */
  readonly now: number;
}

/** The form of a pack, with three ways to state its period. */
export function makePage(frame: Frame, view: MakeView): string {
  const { account, cannotAsk, refused } = view;
  const shown = shownForm(refused);
  const part = (name: FormName, title: string, body: Html): Html => html`
<details name="make"${name === shown ? html` open` : null}><summary>${title}</summary>${body}</details>`;
  return pageOf(frame, {
    title: `Make a pack for ${account}`,
    heading: html`Make a pack`,
    account,
    here: "make",
    body: html`${refused === null ? null : refusedNotice(view, refused)}${unusableNotice(account, view.unusable)}${cannotAsk === null ? null : archiveOnlyNotice(cannotAsk, [view.archive])}
<p class="lead">A pack is the statement, the workbook and the files of account ${outside(account)} for one period that is over.${cannotAsk === null ? " Fills that the archive lacks are read first." : null}</p>${inputsUsed(view)}
<div class="card ways">${part("tax", "A tax year", taxForm(view))}${part("month", "A month", monthForm(view))}${part("days", "Other days", daysForm(view))}</div>
<datalist id="zones">${[...new Set(TAX_YEARS.map(({ zone }) => zone))].toSorted().map((zone) => html`<option value="${zone}"></option>`)}</datalist>`,
  });
}

function inputsUsed({ account, inputs }: MakeView): Html {
  const link = html`<a href="${inputsLink(account)}">${inputs.length === 0 ? "Upload a file" : "Change your files"}</a>`;
  return inputs.length === 0
    ? html`
<p>It is made without files of yours: no opening positions, no funding, no rates. ${link}</p>`
    : html`
<p>It is made with your ${inputs.length === 1 ? "file" : "files"} ${fileNames(inputs)}. ${link}</p>`;
}

type FormName = "tax" | "month" | "days";

/** The form that was sent. A button that makes a pack again sends only a period. */
function shownForm(refused: Refused | null): FormName {
  const period = refused?.fields.get("period") ?? "";
  if (refused !== null && period === "") {
    return "days";
  }
  return period.startsWith("month-") ? "month" : "tax";
}

function refusedNotice({ account }: MakeView, refused: Refused): Html {
  const { problem, field: named, fields, gone } = refused;
  if (gone !== null) {
    const advice =
      gone.length === 0
        ? html`The figures of this one may differ. Check <a href="${inputsLink(account)}">your files</a> first.`
        : html`Its figures may differ then. <a href="${inputsLink(account)}">Upload what is missing</a>, or make the pack without.`;
    return html`<div role="alert">${notice("warn", asSentence(problem.message), html`<p>${advice}</p>${withoutForm(account, fields, gone)}`)}</div>`;
  }
  const body = named === null ? (problem.hint ?? null) : "The field to change is marked.";
  return html`<div role="alert">${notice(
    "warn",
    named === null ? asSentence(problem.message) : "This pack was not made.",
    body === null ? null : html`<p>${asSentence(body)}</p>`,
  )}</div>`;
}

const SENT_AGAIN = ["kind", "country", "period", "from", "last", "to", "zone", "basis", "currency", "method"] as const;

/** Sends the same form, and says which files may be missing. */
function withoutForm(account: string, fields: URLSearchParams, gone: readonly string[]): Html {
  const sent = SENT_AGAIN.flatMap((name) => fields.getAll(name).map((value) => [name, value] as const));
  const hidden = [...sent, ["without", gone.join(" ")] as const].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`
<form method="post" action="${jobsLink(account)}">${hidden}<button class="secondary" type="submit">${gone.length === 0 ? "Make it all the same" : html`Make it without ${fileNames(gone)}`}</button></form>`;
}

/** The values typed into one form, and the error of each field. */
function answersOf({ refused }: MakeView, form: FormName) {
  const own = refused !== null && shownForm(refused) === form ? refused : null;
  return {
    typed: (name: FormField): string => own?.fields.get(name) ?? "",
    error: (...names: readonly FormField[]): Obstacle | null =>
      own !== null && names.some((name) => name === own.field) ? own.problem : null,
  };
}

type Answers = ReturnType<typeof answersOf>;

interface PeriodPart {
  readonly form: FormName;
  readonly fields: Html;
  /** False: no period of this form can be packed. */
  readonly canMake: boolean;
  readonly zoneHint: string;
}

function packForm(view: MakeView, { form, fields, canMake, zoneHint }: PeriodPart): Html {
  const answers = answersOf(view, form);
  return html`
<form class="make" method="post" action="${jobsLink(view.account)}"><input type="hidden" name="kind" value="export"><input type="hidden" name="country" value="${view.country}">${fields}${methodField(form, view, answers)}${currencyField(form, answers)}${zoneField(form, zoneHint, answers)}
<button class="primary" type="submit"${canMake ? null : html` disabled`}>Make this pack</button></form>`;
}

function taxForm(view: MakeView): Html {
  const { account, country } = view;
  const offers = taxYearOffers(view.archive, country, view.now);
  const zone = TAX_YEARS.find(({ code }) => code === country)?.zone ?? "UTC";
  return html`
<form class="line" method="get" action="${makeLink(account)}">${field({
    id: "country",
    label: "Country",
    control: () =>
      html`<select id="country" name="country">${TAX_YEARS.map(
        ({ code, label }) =>
          html`<option value="${code}"${code === country ? html` selected` : null}>${label}</option>`,
      )}</select>`,
    error: null,
  })}<button class="secondary" type="submit">Show its years</button></form>${packForm(view, {
    form: "tax",
    fields: yearChoice(view, offers),
    canMake: offers.some((offer) => isPossible(view, offer)),
    zoneHint: `If empty: ${zone}, where the tax year is.`,
  })}`;
}

function yearChoice(view: MakeView, offers: readonly Offer[]): Html {
  const { typed, error } = answersOf(view, "tax");
  const problem = error("period");
  const possible = offers.filter((offer) => isPossible(view, offer));
  const chosen = possible.find((offer) => offer.period.name === typed("period")) ?? possible[0];
  return html`
<fieldset id="tax-period"><legend>Year</legend>${errorText("tax-period", problem)}${
    possible.length > 0 ? null : emptyState("No pack can be made for these years yet.")
  }${offers.map(
    (offer) => html`
<label class="choice"><input type="radio" name="period" value="${offer.period.name}" required${offer === chosen ? html` checked` : null}${isPossible(view, offer) ? null : html` disabled`}><span><strong>${periodTitle(offer.period.name)}</strong> <span class="about">${offerDays(offer)}</span></span>${offerTag(offer)}</label>`,
  )}</fieldset>`;
}

function isPossible({ cannotAsk }: MakeView, { isOver, daysToRead }: Offer): boolean {
  return isOver && (cannotAsk === null || daysToRead === 0);
}

function offerDays({ period: { firstDay, lastDay } }: Offer): string {
  return daysText(Date.parse(firstDay), Date.parse(lastDay) + DAY_MS);
}

function offerTag(offer: Offer): Html {
  const isKept = offer.isOver && offer.daysToRead === 0;
  return html`<span class="tag${isKept ? " good" : ""}">${isKept ? html`<span aria-hidden="true">✓</span> ` : null}${offerState(offer)}</span>`;
}

function offerState({ isOver, daysToRead }: Offer): string {
  if (!isOver) {
    return "not over";
  }
  return daysToRead === 0 ? "in the archive" : `needs ${counted(daysToRead, "day")}`;
}

function monthForm(view: MakeView): Html {
  const { typed, error } = answersOf(view, "month");
  const all = monthOffers(view.archive, view.now);
  const years = Map.groupBy(all, ({ period }) => period.firstDay.slice(0, 4));
  const options = [...years].map(
    ([year, offers]) =>
      html`<optgroup label="${year}">${offers.map(
        (offer) => html`
<option value="${offer.typed}"${offer.typed === typed("period") ? html` selected` : null}${isPossible(view, offer) ? null : html` disabled`}>${periodTitleText(offer.typed)}: ${offerState(offer)}</option>`,
      )}</optgroup>`,
  );
  const month = field({
    id: "month-period",
    label: "Month",
    control: (describedBy) => html`<select id="month-period" name="period" required${describedBy}>${options}</select>`,
    error: error("period"),
  });
  const isAny = all.some((offer) => isPossible(view, offer));
  return packForm(view, { form: "month", fields: month, canMake: isAny, zoneHint: "If empty: UTC." });
}

function daysForm(view: MakeView): Html {
  const { typed, error } = answersOf(view, "days");
  const day = (name: "from" | "last", label: string, problem: Obstacle | null): Html =>
    field({
      id: `days-${name}`,
      label,
      control: (describedBy) =>
        html`<input id="days-${name}" name="${name}" type="date" required value="${dateOf(typed(name))}"${describedBy}>`,
      error: problem,
    });
  const days = html`${day("from", "First day", error("from", "period"))}${day("last", "Last day", error("last", "to"))}`;
  const isAny = view.cannotAsk === null || view.archive.coverage.length > 0;
  return packForm(view, { form: "days", fields: days, canMake: isAny, zoneHint: "If empty: UTC." });
}

/** A date field cannot hold a text that is not a date. */
function dateOf(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : "";
}

function zoneField(form: FormName, hint: string, { typed, error }: Answers): Html {
  const isOpen = typed("zone") !== "" || error("zone") !== null;
  const zone = field({
    id: `${form}-zone`,
    label: "Time zone",
    control: (describedBy) =>
      html`<input id="${form}-zone" name="zone" list="zones" maxlength="64" autocomplete="off" spellcheck="false" autocapitalize="off" placeholder="Europe/London" value="${typed("zone")}"${describedBy}>`,
    hint,
    error: error("zone"),
  });
  return html`
<details${isOpen ? html` open` : null}><summary>Another time zone</summary>${zone}</details>`;
}

function currencyField(form: FormName, { typed, error }: Answers): Html {
  return field({
    id: `${form}-currency`,
    label: "Currency (if amounts are to be converted too)",
    control: (describedBy) =>
      html`<input id="${form}-currency" name="currency" maxlength="5" autocomplete="off" spellcheck="false" autocapitalize="characters" placeholder="USD" value="${typed("currency")}"${describedBy}>`,
    hint: "Needs exchange rates among your files. Form 8949 needs USD.",
    error: error("currency"),
  });
}

/** Whether the file exists is not known until the pack is made. */
const NEEDS_A_FILE = "specific";

function methodField(form: FormName, { account, methods }: MakeView, { typed, error }: Answers): Html {
  const [first = METHODS[0]] = methods;
  return field({
    id: `${form}-method`,
    label: "Method",
    control: (describedBy) =>
      html`<select id="${form}-method" name="method"${describedBy}><option value="">Not chosen (${methodText(first).toLowerCase()}; United States: FIFO)</option>${methods.map(
        (method) =>
          html`<option value="${method}"${method === typed("method") ? html` selected` : null}>${methodText(method)}${method === NEEDS_A_FILE ? " (needs matches.csv)" : null}</option>`,
      )}</select>`,
    hint: html`How the cost of closed positions is calculated. A second method is shown for comparison. Specific identification needs matches.csv under <a href="${inputsLink(account)}">Files</a>.`,
    error: error("method"),
  });
}
