import { formatSetHash } from "../../../../archive/set-hash.ts";
import { overlaps } from "../../../../core/ranges.ts";
import { count, counted } from "../../../../core/text.ts";
import type { TimeRange } from "../../../../core/time.ts";
import type { Proof } from "../../../build/maker.ts";
import { type Html, html } from "../html.ts";
import { utc } from "../numbers.ts";
import { file, type Section } from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";
import type { View } from "../view.ts";
import { howToCheck } from "./how-to-check.ts";

/** The page shows so many stretches of time, and months; completeness.json has all. */
const MOST_RANGES = 50;
const MOST_MONTHS = 240;

/** What completeness rests on, what it means, what it cannot prove, and how to check it. */
export function proofSection(view: View): Section {
  const { context, closing } = view;
  const { proof } = closing;
  return {
    id: "proof",
    title: "Completeness, and how to check it",
    body: html`
<h3>What is proved</h3>
<p>${
      context.complete
        ? html`The service gives fills page by page. Its answers for every moment of this period were read until it said that nothing follows, and each fill was kept once, known by its match and order. ${counted(proof.fills, "fill")} ${proof.fills === 1 ? "is" : "are"} in this pack.`
        : html`This pack is <strong>INCOMPLETE</strong>: it was made before all of the period was known to be read to its end. ${counted(proof.fills, "fill")} ${proof.fills === 1 ? "is" : "are"} in it, and there may be more.`
    }</p>
${rangeTable(view, "coverage")}${rangeTable(view, "gaps")}
<h3>The fingerprint</h3>
<p>Each fill has a hash, and the hashes of a month add up to its fingerprint, as those of the months add up to that of the whole. Whoever reads the same fills gets the same numbers, in whatever order and by whatever program; one fill more, less or other gives another. ${file(context, "completeness.json")} says how to compute it from ${file(context, "fills.parquet")}.</p>
<p class="hash-line">${counted(proof.fills, "fill")}: <code class="hash">${proof.setHash}</code></p>
${monthTable(view)}
<h3>What it cannot prove</h3>
<ul>
<li>That the service itself told everything: completeness is measured against what it answers. Compare with its own statements and with the balances of the account.</li>
<li>That nothing changes later. A fill that the service adds or corrects after its time was read is a restatement, and makes a new pack.</li>
<li>That a position which the user declared, or a beginning without one, is right: fills alone do not show it.</li>
<li>Anything that is no fill: funding, deposits, withdrawals, other accounts.</li>
</ul>
${howToCheck(context, closing.converted?.currency ?? null)}`,
  };
}

function rangeTable({ context, closing: { proof } }: View, which: "coverage" | "gaps"): Html {
  if (proof[which].length === 0) {
    return html`<p>${which === "gaps" ? "There is no gap." : "Nothing of the period is covered."}</p>`;
  }
  return listTable<TimeRange>({
    id: `proof-${which}`,
    caption: which === "gaps" ? "Not read: gaps" : "Read to its end",
    columns: [column("From, UTC", ({ from }) => utc(from)), column("Up to, UTC", ({ to }) => utc(to))],
    items: proof[which],
    most: MOST_RANGES,
    more: (left) => html`${count(left)} more are in ${file(context, "completeness.json")}.`,
  });
}

function monthTable({ context, closing: { proof } }: View): Html {
  const isCovered = (month: TimeRange) => !proof.gaps.some((gap) => overlaps(gap, month));
  return listTable<Proof["months"][number]>({
    id: "proof-months",
    caption: "Fills and fingerprints by month",
    columns: [
      column("Month", ({ name }) => name),
      column("Read", (month) => (isCovered(month) ? "whole" : html`<strong>not whole</strong>`)),
      numberColumn("Fills", ({ rows }) => count(rows)),
      column(
        "First and last fill, UTC",
        ({ first, last }) =>
          html`<span class="ids">${[first, last].map((time) => (time === null ? null : html`<span>${utc(time)}</span>`))}</span>`,
      ),
      column("Fingerprint", ({ set }) => html`<code class="hash">${formatSetHash(set)}</code>`),
    ],
    items: proof.months,
    keyOf: ({ name }) => name,
    most: MOST_MONTHS,
    more: (left) => html`${count(left)} more months are in ${file(context, "completeness.json")}.`,
  });
}
