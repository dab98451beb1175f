import { METHODS } from "../../accounting/method.ts";
import { TAX_YEARS } from "../../core/tax-years.ts";
import { counted } from "../../core/text.ts";
import { type Html, type HtmlValue, html, outside } from "../../pack/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { InputNames } from "../data/input-files.ts";
import { monthOffers, type Offer, taxYearOffers } from "../offers.ts";
import type { Obstacle } from "../ports.ts";
import {
  answer,
  archiveOnlyNotice,
  disclosure,
  emptyState,
  fileNames,
  notice,
  said,
  unusableNotice,
} from "./components.ts";
import { methodText } from "./format.ts";
import { button, CODE, field, hidden, option, refusedNotice, type SentBack } from "./forms.ts";
import type { PageParts } from "./frame.ts";
import { inputsLink, jobsLink, makeLink } from "./links.ts";
import { periodTitleText } from "./period-title.ts";

/** Of a form that says that the pack is to be made without the files that its problem names. */
export const WITHOUT = "without";

/** `inputs`: with which each pack is made. */
export interface MakeView extends InputNames {
  readonly account: string;
  readonly archive: Pick<ArchiveView, "coverage" | "firstTrade">;
  /** The country whose tax years are offered: a code of `TAX_YEARS`. */
  readonly country: string;
  /** Null if missing fills can be read from the service. */
  readonly cannotAsk: Obstacle | null;
  /** A form that was sent and cannot be processed: it is shown again with its values. */
  readonly refused: SentBack | null;
  /** ms UTC */
  readonly now: number;
}

/** The form of a pack. */
export function makePage(view: MakeView): PageParts {
  const { account, cannotAsk, refused, country, unusable, archive } = view;
  const countries = TAX_YEARS.map(({ code, label }) => option(code, label, country));
  const read = cannotAsk === null ? " Fills that the archive lacks are read first." : null;
  return {
    title: `Make a pack for ${account}`,
    heading: html`Make a pack`,
    account,
    here: "make",
    body: html`${refused && shownRefusal(account, refused)}${unusableNotice(account, unusable)}${archiveOnlyNotice(cannotAsk, [archive])}
<p class="lead">A pack is the statement, the workbook and the files of account ${outside(account)} for one period that is over.${read}</p>
${inputsUsed(view)}
<form class="line" method="get" action="${makeLink(account)}">${field({ name: "country", label: "Tax years of", options: countries, sent: null })}${button("Show its years", { rank: "secondary" })}</form>
${packForm(view)}
<datalist id="zones">${[...new Set(TAX_YEARS.map(({ zone }) => zone))].toSorted().map((zone) => html`<option value="${zone}"></option>`)}</datalist>`,
  };
}

function inputsUsed({ account, inputs }: MakeView): Html {
  const [text, next] =
    inputs.length === 0
      ? ["It is made without files of yours: no opening positions, no funding, no rates.", "Upload a file"]
      : [
          html`It is made with your ${inputs.length === 1 ? "file" : "files"} ${fileNames(inputs)}.`,
          "Change your files",
        ];
  return html`<p>${text} <a href="${inputsLink(account)}">${next}</a></p>`;
}

function shownRefusal(account: string, refused: SentBack): Html {
  const { field: named, problem, fields } = refused;
  if (named !== WITHOUT || problem === null) {
    return refusedNotice(refused, "This pack was not made.");
  }
  const sent = { ...Object.fromEntries(fields), [WITHOUT]: problem.message };
  const form = html`
<form method="post" action="${jobsLink(account)}">${hidden(sent)}${button("Make it all the same", { rank: "secondary" })}</form>`;
  return answer("alert", notice("warn", said(problem), form));
}

function packForm(view: MakeView): Html {
  const { account, country, refused, archive, cannotAsk } = view;
  const sent = refused && { ...refused, field: refused.field === "to" ? "last" : refused.field };
  const zone = TAX_YEARS.find(({ code }) => code === country)?.zone ?? "UTC";
  const isTyped = (...names: readonly string[]) =>
    sent !== null && names.some((name) => sent.field === name || (sent.fields.get(name) ?? "") !== "");
  const [periods, canMake] = periodChoice(view);
  const day = (name: "from" | "last", label: string) =>
    field({ name, label, input: html` type="date"`, value: dateOf(sent?.fields.get(name) ?? ""), sent });
  const zoneField = field({
    ...{ name: "zone", label: "Time zone", sent },
    input: html` list="zones" maxlength="64"${CODE} placeholder="Europe/London"`,
    hint: `If empty: ${zone} for a tax year, otherwise UTC.`,
  });
  return html`
<form class="card make" method="post" action="${jobsLink(account)}">${hidden({ kind: "export", country })}
${canMake ? null : emptyState("No pack can be made of these periods yet.")}
${field({ name: "period", label: "Period", options: periods, sent })}
${disclosure("Other days", html`${day("from", "First day")}${day("last", "Last day")}`, isTyped("from", "last"))}
${methodField(view)}
${field({
  ...{ name: "currency", label: "Currency (if amounts are to be converted too)", sent },
  input: html` maxlength="5" autocomplete="off" spellcheck="false" autocapitalize="characters" placeholder="USD"`,
  hint: "Needs exchange rates among your files. Form 8949 needs USD.",
})}
${disclosure("Another time zone", zoneField, isTyped("zone"))}
${button("Make this pack", { disabled: !canMake && cannotAsk !== null && archive.coverage.length === 0 })}</form>`;
}

/** The options; and whether a pack can be made of one of them. */
function periodChoice({ archive, country, now, cannotAsk, refused }: MakeView): readonly [HtmlValue, boolean] {
  const isPossible = ({ isOver, daysToRead }: Offer) => isOver && (cannotAsk === null || daysToRead === 0);
  const years = taxYearOffers(archive, country, now);
  const months = monthOffers(archive, now);
  const all = [...years, ...months];
  const first = all.find(isPossible);
  const chosen = refused === null ? first?.period.name : (refused.fields.get("period") ?? "");
  const isOffered = chosen === "" || chosen === undefined || all.some(({ period }) => period.name === chosen);
  const optionOf = (offer: Offer) => {
    const { name } = offer.period;
    return option(name, `${periodTitleText(name)}: ${stateOf(offer)}`, chosen, !isPossible(offer));
  };
  const group = (label: string, offers: readonly Offer[]) =>
    html`<optgroup label="${label}">${offers.map(optionOf)}</optgroup>`;
  const asked = isOffered ? null : option(chosen, periodTitleText(chosen), chosen);
  const days = option("", "Other days, given below", chosen);
  return [[asked, group("Tax years", years), group("Months", months), days], first !== undefined];
}

function stateOf({ isOver, daysToRead }: Offer): string {
  if (!isOver) {
    return "not over";
  }
  return daysToRead === 0 ? "in the archive" : `needs ${counted(daysToRead, "day")}`;
}

/** A date field cannot hold a text that is not a date. */
function dateOf(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : "";
}

/** Whether the file exists is not known until the pack is made. */
const NEEDS_A_FILE = "specific";

function methodField({ account, refused: sent }: MakeView): Html {
  const chosen = sent?.fields.get("method");
  const needs = (method: string) => (method === NEEDS_A_FILE ? " (needs matches.csv)" : null);
  return field({
    ...{ name: "method", label: "Method", sent },
    options: [
      option("", `Not chosen (${methodText(METHODS[0]).toLowerCase()}; United States: FIFO)`, chosen),
      METHODS.map((method) => option(method, html`${methodText(method)}${needs(method)}`, chosen)),
    ],
    hint: html`How the cost of closed positions is calculated. A second method is shown for comparison. Specific identification needs matches.csv under <a href="${inputsLink(account)}">Files</a>.`,
  });
}
