import { count, counted } from "../../../core/text.ts";
import type { TimeRange } from "../../../core/time.ts";
import { isReadTwice } from "../../catalogue/completeness.ts";
import type { Proof } from "../../make/maker.ts";
import { MADE_BY } from "../../make/version.ts";
import { type Html, html } from "../html.ts";
import { utc } from "../numbers.ts";
import { file, type Section, stacked } from "../parts.ts";
import { column, listTable, numberColumn, opened } from "../table.ts";
import type { View } from "../view.ts";
import { howToCheck } from "./how-to-check.ts";

/** The page shows this many ranges and months. completeness.json has all. */
const MOST_RANGES = 20;
const MOST_MONTHS = 240;

type Range = TimeRange & Partial<Proof["coverage"][number]>;

/** The evidence for completeness: what it means, what it cannot prove, and how to check it. */
export function proofSection(view: View): Section {
  const { context, closing } = view;
  const { proof } = closing;
  return {
    id: "proof",
    body: html`
<h3>What is proved</h3>
<p>${
      context.complete
        ? html`The venue reports fills page by page. The whole period was read twice, in two different ways: first page after page until the venue reported no further page, then by dates alone, from one known fill to another. Both readings agree${proof.readTwiceAt === null ? "" : html` since ${utc(proof.readTwiceAt)} UTC`}. Each fill was kept once, identified by its match and order. ${counted(proof.fills, "fill")} ${proof.fills === 1 ? "is" : "are"} in this pack.`
        : html`This pack is <strong>INCOMPLETE</strong>: it was made before the whole period was known to be complete. ${counted(proof.fills, "fill")} ${proof.fills === 1 ? "is" : "are"} in it, and there may be more.`
    }</p>
${rangeTable(view, "coverage")}${rangeTable(view, "gaps")}
${opened("Fills by month", monthTable(view))}
<h3>What it cannot prove</h3>
<ul>
<li>That the venue reports everything: completeness is measured against its answers. Compare the figures with the venue's own statements and with the balances of the account.</li>
<li>That nothing changes later. A fill that the venue adds or corrects after its time was read is a restatement. It leads to a new version of the pack.</li>
<li>That a declared opening position, or one assumed to be nil, is right: fills alone do not show it.</li>
<li>Anything that is not a fill: funding, deposits, withdrawals, other accounts.</li>
</ul>
${restatementTable(view)}
${howToCheck(context, closing.sums.currency)}
<p class="note">Made by ${MADE_BY}.</p>`,
  };
}

function rangeTable({ context, closing: { proof } }: View, which: "coverage" | "gaps"): Html {
  if (proof[which].length === 0) {
    return html`<p>${which === "gaps" ? "There are no gaps." : "Nothing of the period was read."}</p>`;
  }
  const times = column("Read", ({ readings }: Range) => (readings === 2 ? "twice" : html`<strong>once</strong>`));
  return listTable<Range>({
    id: `proof-${which}`,
    caption: which === "gaps" ? "Gaps: not read" : "Read in full",
    columns: [
      column("From, UTC", ({ from }) => utc(from)),
      column("Up to, UTC", ({ to }) => utc(to)),
      ...(which === "gaps" ? [] : [times]),
    ],
    items: proof[which],
    most: MOST_RANGES,
    more: (left) =>
      html`${counted(left, "more range")} ${left === 1 ? "is" : "are"} in ${file(context, "completeness.json")}.`,
  });
}

function monthTable({ context, closing: { proof } }: View): Html {
  return listTable<Proof["months"][number]>({
    id: "proof-months",
    caption: "Fills by month",
    columns: [
      column("Month", ({ name }) => name),
      column("Read", (month) => (isReadTwice(proof.coverage, month) ? "in full" : html`<strong>not in full</strong>`)),
      numberColumn("Fills", ({ rows }) => count(rows)),
      column("First and last fill, UTC", ({ first, last }) =>
        stacked([first, last].map((time) => (time === null ? null : utc(time)))),
      ),
    ],
    items: proof.months,
    keyOf: ({ name }) => name,
    most: MOST_MONTHS,
    more: (left) =>
      html`${counted(left, "more month")} ${left === 1 ? "is" : "are"} in ${file(context, "completeness.json")}.`,
  });
}

/** What the venue reported differently after the time had been read. */
function restatementTable({ context, closing: { proof } }: View): Html {
  const { late, changed, enriched } = proof.restatements;
  const kinds = [
    ["late", "Late: the venue did not report the fill when its time was first read", late],
    ["changed", "Changed: a value differs", changed],
    ["enriched", "Enriched: a missing value was added", enriched],
  ] as const;
  const text = html`
<h3>Restatements</h3>
<p>Fills of the period that the venue added or changed after their time was first read: ${count(late + changed + enriched)}. Figures use the newer version; ${file(context, "restatements.csv")} has both versions.</p>`;
  return late + changed + enriched === 0
    ? text
    : html`${text}${listTable<(typeof kinds)[number]>({
        id: "restatements-table",
        caption: "Restatements of the period",
        columns: [column("Kind", ([, meaning]) => meaning), numberColumn("Fills", ([, , fills]) => count(fills))],
        items: kinds,
        keyOf: ([kind]) => kind,
      })}`;
}
