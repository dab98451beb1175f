import type { FileMaker, PackContext } from "../../build/maker.ts";
import { type Html, html, outsideText } from "./html.ts";
import type { Section } from "./parts.ts";
import { feesSection, volumeSection } from "./sections/activity.ts";
import { closedTradesSection } from "./sections/closed-trades.ts";
import { coverSection } from "./sections/cover.ts";
import { exceptionsSection } from "./sections/exceptions.ts";
import { codesSection, matchesSection, methodStatementSection, restatementsSection } from "./sections/method.ts";
import { openPositionsSection } from "./sections/open-positions.ts";
import { proofSection } from "./sections/proof.ts";
import { ratesSection } from "./sections/rates.ts";
import { methodsSection, reconciliationSection } from "./sections/reconciliation.ts";
import { resultsSection } from "./sections/results.ts";
import { summarySection } from "./sections/summary.ts";
import { ShownTrades } from "./shown-trades.ts";
import { INCOMPLETE_STYLE, STYLE } from "./style.ts";
import { type View, viewOf } from "./view.ts";

/** report.html: the page that an accountant opens first. What it keeps until the end does not grow with fills. */
export function reportMaker(context: PackContext): FileMaker {
  const kept = new ShownTrades(context.period);
  return {
    path: "report.html",
    description:
      "The statement to read and to print: summary, months, markets, fees, positions, closed trades, exceptions, reconciliation, method, and the proof of completeness. One page without scripts; its digits may be cut, and the CSV files are the record.",
    mediatype: "text/html",
    begin: () => "",
    add: (batch) => {
      for (const booked of batch) {
        kept.add(booked);
      }
      return "";
    },
    end: (closing) => pageOf(viewOf(context, closing, kept)),
  };
}

/** Nothing is loaded and nothing runs: only the style sheet within the page counts. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** The cover is section 1; these follow it. */
function sectionsOf(view: View): readonly Section[] {
  return [
    summarySection(view),
    resultsSection(view),
    feesSection(view),
    volumeSection(view),
    openPositionsSection(view),
    closedTradesSection(view),
    matchesSection(view),
    methodsSection(view),
    exceptionsSection(view),
    reconciliationSection(view),
    ratesSection(view),
    codesSection(),
    methodStatementSection(view),
    proofSection(view),
    restatementsSection(view),
  ];
}

/** The whole page. */
function pageOf(view: View): string {
  const { account, period, complete } = view.context;
  const sections = sectionsOf(view).map((section, at) => ({ ...section, number: at + 2 }));
  const title = `${complete ? "" : "INCOMPLETE: "}Statement of ${outsideText(account)}, ${period.firstDay} to ${period.lastDay}, excl. funding`;
  const style: Html = { markup: complete ? STYLE : STYLE + INCOMPLETE_STYLE };
  const contents = [{ id: "cover", title: "Cover", number: 1 }, ...sections];
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>
${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the figures</a>
<div class="page">
${coverSection(view)}
<nav aria-labelledby="contents">
<h2 id="contents">Contents</h2>
<ol>${contents.map(
    ({ id, title: name, number }) => html`
<li><a href="#${id}"><span class="number">${number}</span>${name}</a></li>`,
  )}
</ol>
</nav>
<main id="main">${sections.map(
    ({ id, title: name, number, body }) => html`
<section id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading"><span class="number">${number}</span>${name}</h2>${body}
</section>`,
  )}
</main>
<footer>
<p>Made by fillbook from the service's completed orders. The CSV files of this pack are the record; this page is a view of them. It is no tax advice: it chooses dates and a method, never a treatment.</p>
</footer>
</div>
</body>
</html>
`.markup;
}
