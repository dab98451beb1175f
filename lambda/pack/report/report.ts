import type { FileFacts, FileMaker, PackContext } from "../make/maker.ts";
import { form8949Question } from "../tables/form-8949.ts";
import { type Html, type HtmlValue, html } from "./html.ts";
import { accountWords, fundingWords, type SectionId, TITLES, type View } from "./parts.ts";
import { accountsSection } from "./sections/accounts.ts";
import { exceptionsSection } from "./sections/exceptions.ts";
import { positionsSection } from "./sections/positions.ts";
import { basisSection, proofSection } from "./sections/proof.ts";
import { ratesSection } from "./sections/rates.ts";
import { reconciliationSection } from "./sections/reconciliation.ts";
import { resultsSection } from "./sections/results.ts";
import { statementSection } from "./sections/statement.ts";
import { STYLE, sheetStyle } from "./style.ts";

export const REPORT_PAGE: FileFacts = {
  path: "report.html",
  description:
    "The statement to read, print and sign: totals, also under the method for comparison, months with a chart, markets, positions, reconciliation, exceptions, basis of preparation, and proof of completeness. It is one page without scripts. Its amounts are rounded; the CSV files are the record.",
  mediatype: "text/html",
};

/** Makes the report that an accountant opens first. Its size does not grow with fills. `made`: what others add up. */
export function reportMaker(context: PackContext, made: Pick<View, "controls" | "transfers">): FileMaker {
  return {
    ...REPORT_PAGE,
    begin: () => "",
    add: () => "",
    end: (closing) => pageOf({ ...made, context, closing }),
  };
}

/** Loads nothing and runs nothing. Only the page's own style sheet is used. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** The statement is section 1. These follow it. Null: there is nothing to say. */
const SECTIONS: readonly (readonly [SectionId, (view: View) => HtmlValue])[] = [
  ["accounts", accountsSection],
  ["results", resultsSection],
  ["positions", positionsSection],
  ["reconciliation", reconciliationSection],
  ["exceptions", exceptionsSection],
  ["rates", ratesSection],
  ["basis", basisSection],
  ["proof", proofSection],
];

/** The whole page. */
function pageOf(view: View): string {
  const { context } = view;
  const { period, complete } = context;
  const sections = SECTIONS.map(([id, of]) => ({ id, body: of(view) })).filter(({ body }) => body !== null);
  const contents = ["statement" as const, ...sections.map(({ id }) => id)];
  const head = (id: SectionId) => html`<span class="number">${contents.indexOf(id) + 1}</span>${TITLES[id]}`;
  const whose = `${accountWords(context)}, ${period.firstDay} to ${period.lastDay}, ${fundingWords(context)}`;
  const style: Html = { markup: STYLE + sheetStyle(whose.replace(/^a/, "A"), complete) };
  const question = form8949Question(context);
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${complete ? "" : "INCOMPLETE: "}Trading statement: ${whose}</title>
<style>
${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the details</a>
<div class="page">
${statementSection(view)}
<nav aria-labelledby="contents">
<h2 id="contents">Contents</h2>
<ol>${contents.map(
    (id) => html`
<li><a href="#${id}">${head(id)}</a></li>`,
  )}
</ol>
</nav>
${question === null ? null : html`<p class="note" id="form-8949">${question}</p>`}
<main id="main">${sections.map(
    ({ id, body }) => html`
<section id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${head(id)}</h2>${body}
</section>`,
  )}
</main>
<footer>
<p>Made by fillbook from the venue's completed orders. The CSV files of this pack are the record; this page is a view of them. It is not tax advice: it uses dates and a cost method, but does not choose a tax treatment.</p>
</footer>
</div>
</body>
</html>
`.markup;
}
