import { figureOf } from "../../accounting/cube/figures.ts";
import { type Amount, readAmount, ZERO } from "../../core/amount.ts";
import { roundToMinor } from "../../core/currency.ts";
import { count, counted, sizeText } from "../../core/text.ts";
import { type Html, type HtmlValue, html, outside, symbol } from "../../pack/report/html.ts";
import { money, result, signedMoney } from "../../pack/report/numbers.ts";
import { column, listTable, numberColumn } from "../../pack/report/table.ts";
import type { PackChange, PackComparison, SumChange } from "../data/comparison.ts";
import type { PackDetails, PackStatement } from "../packs.ts";
import { disclosure, emptyState, notice } from "./components.ts";
import { methodText, versionName } from "./format.ts";
import { type Frame, pageOf, section } from "./frame.ts";
import { packLink } from "./links.ts";
import { periodTitle, periodTitleText } from "./period-title.ts";
import { LONGEST, verdictTag } from "./verdict.ts";
import { noteOf, versionTitle } from "./version-title.ts";

export interface Comparison {
  readonly account: string;
  readonly before: PackDetails;
  readonly after: PackDetails;
  readonly changes: PackComparison;
}

/** Two versions of one period, and their differences. */
export function comparePage(frame: Frame, comparison: Comparison): string {
  const { account, before, after } = comparison;
  const { period } = before;
  return pageOf(frame, {
    title: `${periodTitleText(period)} of ${account}: two versions`,
    heading: html`${periodTitle(period)}: what changed`,
    account,
    within: "overview",
    body: html`
<dl class="facts">
${side(account, "Before", before)}
${side(account, "After", after)}
</dl>${changesOf(comparison)}`,
  });
}

function side(account: string, name: string, pack: PackDetails): Html {
  return html`<div><dt>${name}</dt><dd><a href="${packLink(account, pack)}">${versionTitle({ ...pack, note: noteOf(pack) })}</a> ${verdictTag(pack.claim.verdict)} <span class="about">${sizeText(pack.bytes)}</span></dd></div>`;
}

/** Money first, because accountants ask for it first; then how the two were made, late fills, and files. */
function changesOf({ before, after, changes: { sums, fills, files } }: Comparison): Html {
  const made = madeChanges(before, after);
  const differing = files.filter(({ state }) => state !== "same");
  const isSame = made.length === 0 && fills?.length === 0 && differing.length === 0;
  const list = html`
<ul class="rows">${files.map(
    ({ path, state }) => html`
<li><span class="name">${outside(path)}</span> <span class="${state === "same" ? "about" : "tag"}">${state}</span></li>`,
  )}
</ul>`;
  return html`${
    isSame
      ? notice("good", "Nothing differs.", html`<p>Both versions have the same figures and the same files.</p>`)
      : null
  }${section("totals", "Totals", sumTables(sums))}${
    isSame
      ? null
      : section("else", "What else differs", [
          changeTable("changes", counted(made.length, "difference"), made),
          fills === null
            ? emptyState("Late and changed fills cannot be compared here: restatements.csv of both versions has them.")
            : changeTable("restated", counted(fills.length, RESTATED, "fills that came late or changed"), fills),
          disclosure(`${counted(files.length, "file")}, of which ${differing.length} differ`, list),
        ])
  }${disclosure("Names of the two versions", html`<p>Before: ${versionName(before.version)}. After: ${versionName(after.version)}.</p>`)}`;
}

const RESTATED = "fill that came late or changed";

/** What completeness.json says of how a pack was made. */
const MADE: readonly (readonly [what: string, of: (claim: PackStatement) => string])[] = [
  ["Verdict", ({ verdict }) => verdict.claim],
  ["Method", ({ method }) => methodText(method)],
  ["The method was chosen", ({ isMethodChosen }) => (isMethodChosen ? "yes" : "no")],
  ["Period cut-off by the time of the", ({ basis }) => basis],
  ["Converted into", ({ currency }) => currency ?? "nothing"],
  ["Fills", ({ fills }) => count(fills)],
  ["Exceptions", ({ exceptions }) => count(exceptions)],
  ["Not read", ({ gaps }) => gaps.map(({ from, to }) => `${from} to ${to}`).join(", ")],
];

/** Also the points that only one of them has. */
function madeChanges({ claim: was }: PackDetails, { claim: is }: PackDetails): PackChange[] {
  const facts = MADE.map(([what, of]) => ({ what, before: of(was), after: of(is) }));
  const [before, after] = [was, is].map(({ verdict }) => verdict.points.map(({ text }) => text));
  const gone = before?.filter((text) => after?.includes(text) !== true) ?? [];
  const come = after?.filter((text) => before?.includes(text) !== true) ?? [];
  return [
    ...facts.filter((one) => one.before !== one.after),
    ...gone.map((text) => ({ what: "Point to note", before: text, after: "" })),
    ...come.map((text) => ({ what: "Point to note", before: "", after: text })),
  ];
}

/** At most this many currencies are shown. */
const MOST_CURRENCIES = 20;

/** A table for each currency. */
function sumTables(sums: readonly SumChange[] | null): Html {
  if (sums === null) {
    return emptyState(
      "The totals cannot be compared here: one of the versions has no summary files, or very large ones.",
    );
  }
  if (sums.length === 0) {
    return emptyState("Neither version has totals, because no trade is known.");
  }
  const totals = [...Map.groupBy(sums, ({ currency }) => currency)].slice(0, MOST_CURRENCIES);
  return html`${totals.map(([currency, own], at) =>
    listTable({
      id: `sums-${at + 1}`,
      caption: symbol(currency),
      columns: [
        column<SumChange>("Figure", ({ figure }) => figureOf(figure).name),
        numberColumn<SumChange>("Before", ({ before, figure }) => amount(before, currency, formatOf(figure))),
        numberColumn<SumChange>("After", ({ after, figure }) => amount(after, currency, formatOf(figure))),
        numberColumn<SumChange>("Difference", ({ difference }) => amount(difference ?? "", currency, signedMoney)),
      ],
      items: own,
      keyOf: ({ figure }) => figure,
    }),
  )}`;
}

const PLAIN: readonly SumChange["figure"][] = ["fees_recognised", "fees_paid", "rebates"];

/** With the signs that the tiles have. */
function formatOf(figure: SumChange["figure"]): typeof money {
  if (PLAIN.includes(figure)) {
    return money;
  }
  return figure === "funding" ? signedMoney : result;
}

/** The amount as the report shows it. An amount that would round to zero is shown with every digit. */
function amount(exact: string, currency: string, format: (value: Amount, currency: string) => Html): Html {
  const value = readAmount(exact);
  if (value === null) {
    return exact === "" ? html`<span class="unknown">not included</span>` : outside(exact);
  }
  return value.isZero() || !roundToMinor(value, currency).isZero()
    ? format(value, currency)
    : html`<data value="${String(value)}">${value.gt(ZERO) && format !== money ? "+" : ""}${String(value).replace("-", "−")}</data>`;
}

function changeTable(id: string, caption: string, changes: readonly PackChange[]): HtmlValue {
  return changes.length === 0
    ? null
    : listTable({
        id,
        caption,
        columns: [
          column<PackChange>("What", ({ what }) => outside(what)),
          column<PackChange>("Before", ({ before }) => shown(before)),
          column<PackChange>("After", ({ after }) => shown(after)),
        ],
        items: changes,
        keyOf: ({ what, before, after }) => `${what} ${before} ${after}`,
      });
}

function shown(text: string): Html {
  return text === "" ? html`<span class="unknown">nothing</span>` : outside(text, LONGEST);
}
