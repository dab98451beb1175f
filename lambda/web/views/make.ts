import { METHODS } from "../../accounting/method.ts";
import { DATE_BY_NAMES } from "../../pack/make/date-by.ts";
import { html, outside } from "../../pack/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { StoredInput } from "../data/inputs.ts";
import { type Offer, offersOf } from "../offers.ts";
import type { Obstacle } from "../ports.ts";
import { answer, archiveOnlyNotice, disclosure, fileNames, problemNotice, unusableNotice } from "./components.ts";
import { methodText } from "./format.ts";
import { button, field, hidden, option } from "./forms.ts";
import type { PageParts } from "./frame.ts";
import { inputsLink, jobsLink } from "./links.ts";
import { periodTitleText } from "./period-title.ts";

export interface MakeView {
  readonly account: string;
  readonly archive: Pick<ArchiveView, "coverage" | "firstTrade">;
  /** Names of all periods that have packs, newest first. */
  readonly periods: readonly string[];
  readonly inputs: readonly StoredInput[];
  /** Null if missing fills can be read from the service. */
  readonly cannotAsk: Obstacle | null;
  /** A form that was sent and cannot be processed: it is shown again with its values. */
  readonly refused: { readonly fields: URLSearchParams; readonly problem: Obstacle } | null;
  /** ms UTC */
  readonly now: number;
}

/** The form of a pack. */
export function makePage(view: MakeView): PageParts {
  const { account, archive, inputs, cannotAsk, refused } = view;
  const names = inputs.flatMap(({ name, refusal }) => (refusal === null ? [name] : []));
  const used =
    names.length === 0
      ? "It is made without files of yours: no opening positions, no funding, no rates."
      : html`It is made with your files ${fileNames(names)}.`;
  return {
    title: `Make a pack for ${account}`,
    heading: html`Make a pack`,
    account,
    here: "make",
    body: html`${refused && answer("alert", problemNotice(refused.problem))}${unusableNotice(account, inputs)}${archiveOnlyNotice(cannotAsk, [archive])}
<p class="lead">A pack is the statement, the workbook and the files of account ${outside(account)} for one period that is over.${cannotAsk === null ? " Fills that the archive lacks are read first." : null}</p>
<p>${used} <a href="${inputsLink(account)}">Change your files</a></p>
${packForm(view)}`,
  };
}

function packForm({ account, archive, periods, cannotAsk, refused, now }: MakeView) {
  const typed = (name: string) => refused?.fields.get(name) ?? "";
  const groups = offersOf(archive, periods, now);
  const isPossible = ({ isRead }: Offer) => isRead || cannotAsk === null;
  const first = groups.flatMap(({ offers }) => offers).find(isPossible);
  const chosen = refused === null ? first?.period.name : typed("period");
  const optionOf = (offer: Offer) => {
    const { name } = offer.period;
    const state = offer.isRead ? "in the archive" : "to be read";
    return option(name, `${periodTitleText(name)}: ${state}`, chosen, !isPossible(offer));
  };
  const options = groups.map(
    ({ label, offers }) => html`<optgroup label="${label}">${offers.map(optionOf)}</optgroup>`,
  );
  const isOffered = groups.some(({ offers }) => offers.some(({ period }) => period.name === chosen));
  const older = isOffered || !chosen ? null : option(chosen, periodTitleText(chosen), chosen); // of a pack made again
  const bases = DATE_BY_NAMES.map((name) => option(name, `By time of the ${name}`, typed("basis")));
  const methods = METHODS.map((method) => {
    const needs = method === "specific" ? " (needs matches.csv)" : "";
    return option(method, `${methodText(method)}${needs}`, typed("method"));
  });
  const day = (name: "from" | "last", label: string) =>
    field({ name, label, input: html` type="date"`, value: /^\d{4}-\d{2}-\d{2}$/.exec(typed(name))?.[0] ?? "" });
  const zone = field({
    ...{ name: "zone", label: "Time zone", value: typed("zone") },
    input: html` maxlength="64" autocomplete="off" spellcheck="false" autocapitalize="off" placeholder="Europe/London"`,
    hint: "If empty: that of the country for a tax year, otherwise UTC.",
  });
  return html`
<form class="card make" method="post" action="${jobsLink(account)}">${hidden({ kind: "export" })}
${field({ name: "period", label: "Period", options: [option("", "Other days, given below", chosen), older, options] })}
${disclosure("Other days, or another time zone", html`${day("from", "First day")}${day("last", "Last day")}${zone}`, refused !== null)}
${field({
  ...{ name: "method", label: "Method" },
  options: [option("", `Not chosen (${methodText(METHODS[0]).toLowerCase()}; United States: FIFO)`), methods],
  hint: "How the cost of closed positions is calculated. A second method is shown for comparison.",
})}
${typed("basis") === "" ? null : field({ name: "basis", label: "Period cut-off", options: bases })}
${field({
  ...{ name: "currency", label: "Currency (if amounts are to be converted too)", value: typed("currency") },
  input: html` maxlength="5" autocomplete="off" spellcheck="false" autocapitalize="characters" placeholder="USD"`,
  hint: "Needs exchange rates among your files. Form 8949 needs USD.",
})}
${button("Make this pack", { disabled: cannotAsk !== null && archive.coverage.length === 0 })}</form>`;
}
