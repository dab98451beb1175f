import type { FileFacts, FileMaker, PackContext } from "../make/maker.ts";
import type { FillSums } from "../tables/fill-sums.ts";
import { form8949Question } from "../tables/form-8949-lines.ts";
import type { MatchedTransfer } from "../tables/match-transfers.ts";
import { type Html, html } from "./html.ts";
import type { Section } from "./parts.ts";
import { accountsSection } from "./sections/accounts.ts";
import { basisSection } from "./sections/basis.ts";
import { chartsSection } from "./sections/charts.ts";
import { closedTradesSection } from "./sections/closed-trades.ts";
import { exceptionsSection } from "./sections/exceptions.ts";
import { positionsSection } from "./sections/positions.ts";
import { proofSection } from "./sections/proof.ts";
import { ratesSection } from "./sections/rates.ts";
import { reconciliationSection } from "./sections/reconciliation.ts";
import { resultsSection } from "./sections/results.ts";
import { statementSection } from "./sections/statement-sheet.ts";
import { ShownFills } from "./shown-trades.ts";
import { footerStyle, INCOMPLETE_STYLE, STYLE } from "./style.ts";
import { documentTitle, footerText, TITLES } from "./titles.ts";
import { type View, viewOf } from "./view.ts";

export const REPORT_PAGE: FileFacts = {
  path: "report.html",
  description:
    "The statement to read, print and sign: totals, also under the method for comparison, charts, months, markets, positions, closed trades, reconciliation, exceptions, basis of preparation, and proof of completeness. It is one page without scripts. Its amounts are rounded; the CSV files are the record.",
  mediatype: "text/html",
};

/** What the report shows that others add up. */
interface Material {
  readonly sums: FillSums;
  readonly transfers: readonly MatchedTransfer[];
}

/** Makes the report that an accountant opens first. Its size does not grow with fills. */
export function reportMaker(context: PackContext, { sums, transfers }: Material): FileMaker {
  const kept = new ShownFills(context.period);
  return {
    ...REPORT_PAGE,
    begin: () => "",
    add: (batch) => {
      for (const posted of batch) {
        kept.add(posted);
      }
      return "";
    },
    end: (closing) => pageOf(viewOf(context, closing, kept, sums), transfers),
  };
}

/** Loads nothing and runs nothing. Only the page's own style sheet is used. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** The statement is section 1. These follow it. */
function sectionsOf(view: View, transfers: readonly MatchedTransfer[]): readonly Section[] {
  return [
    accountsSection(view, transfers),
    chartsSection(view),
    resultsSection(view),
    positionsSection(view),
    closedTradesSection(view),
    reconciliationSection(view),
    exceptionsSection(view),
    ratesSection(view),
    basisSection(view),
    proofSection(view),
  ].filter((section) => section !== null);
}

/** The whole page. */
function pageOf(view: View, transfers: readonly MatchedTransfer[]): string {
  const { context } = view;
  const sections = sectionsOf(view, transfers).map((section, at) => ({
    ...section,
    number: at + 2,
    title: TITLES[section.id],
  }));
  const style: Html = { markup: STYLE + footerStyle(footerText(context)) + (context.complete ? "" : INCOMPLETE_STYLE) };
  const contents = [{ id: "statement", title: TITLES.statement, number: 1 }, ...sections];
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${documentTitle(context)}</title>
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
    ({ id, title: name, number }) => html`
<li><a href="#${id}"><span class="number">${number}</span>${name}</a></li>`,
  )}
</ol>
</nav>
${form8949Question(context) === null ? null : html`<p class="note" id="form-8949">${form8949Question(context)}</p>`}
<main id="main">${sections.map(
    ({ id, title: name, number, body }) => html`
<section id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading"><span class="number">${number}</span>${name}</h2>${body}
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
