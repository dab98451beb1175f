import { type Amount, readAmount, ZERO } from "../../core/amount.ts";
import { roundToMinor } from "../../core/currency.ts";
import { counted } from "../../core/text.ts";
import { type Html, type HtmlValue, html, outside, symbol } from "../../pack/report/html.ts";
import { money, result, signedMoney } from "../../pack/report/numbers.ts";
import { column, listTable, numberColumn } from "../../pack/report/table.ts";
import type { FileChange, PackComparison } from "../data/comparison.ts";
import type { SumChange, SumFigure } from "../data/csv-changes.ts";
import type { PackChange, PackDetails, PackEntry } from "../packs.ts";
import { disclosure, emptyState, notice } from "./components.ts";
import { sizeText, versionName } from "./format.ts";
import { type Frame, pageOf, section } from "./frame.ts";
import { compareLink, packLink } from "./links.ts";
import { periodTitle, periodTitleText } from "./period-title.ts";
import { plainChanges } from "./plain-change.ts";
import { verdictTag } from "./verdict.ts";
import { noteOf, versionTitle } from "./version-title.ts";

export interface Comparison {
  readonly account: string;
  readonly before: PackDetails;
  readonly after: PackDetails;
  readonly changes: PackComparison;
}

/**
 * At most this many versions can be chosen, plus the two that are shown. The pack's own page offers the
 * comparison with every version.
 */
const MOST_CHOICES = 50;

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
</dl>${changesOf(comparison)}${otherPair(comparison)}`,
  });
}

function side(account: string, name: string, pack: PackDetails): Html {
  return html`<div><dt>${name}</dt><dd><a href="${packLink(account, pack)}">${versionTitle({ ...pack, note: noteOf(pack) })}</a> ${verdictTag(pack.claim.verdict)} <span class="about">${sizeText(pack.bytes)}</span></dd></div>`;
}

/** Money first, because accountants ask for it first; then the other counts. Files and hashes are folded. */
function changesOf({ before, after, changes: { sums, figures: stated, fills, files } }: Comparison): Html {
  const figures = plainChanges(stated);
  const differing = files.filter((file) => file.before !== file.after);
  const isSame = stated.length === 0 && fills.length === 0 && differing.length === 0;
  const others = figures.filter((figure) => !isHash(figure));
  return html`${
    isSame
      ? notice("good", "Nothing differs.", html`<p>Both versions have the same figures and the same files.</p>`)
      : null
  }${section("totals", "Totals", sumTables(sums))}${
    isSame
      ? null
      : section("else", "What else differs", [
          changeTable("changes", counted(others.length, "difference"), others),
          changeTable(
            "restated",
            counted(fills.length, "fill that came late or changed", "fills that came late or changed"),
            fills,
          ),
          filesPart(files, [
            ...differing.map(({ path, ...sides }) => ({ what: path, ...sides })),
            ...figures.filter(isHash),
          ]),
        ])
  }${disclosure("Names of the two versions", html`<p>Before: ${versionName(before.version)}. After: ${versionName(after.version)}.</p>`)}`;
}

function filesPart(files: readonly FileChange[], hashes: readonly PackChange[]): Html {
  const differing = files.filter((file) => file.before !== file.after).length;
  const list = html`
<ul class="rows">${files.map(
    (file) => html`
<li><span class="name">${outside(file.path)}</span> ${fileTag(file)}</li>`,
  )}
</ul>`;
  return html`${disclosure(`${counted(files.length, "file")}, of which ${differing} differ`, list)}${
    hashes.length === 0
      ? null
      : disclosure(
          "Sizes and hashes of what differs",
          changeTable("hashes", counted(hashes.length, "difference"), hashes),
        )
  }`;
}

/** At most this many sums are shown. */
const MOST_SUMS = 100;
const FEW_SUMS = 8;

const SUM_NAMES: Readonly<Record<SumFigure, string>> = {
  net_incl_funding: "Net realised PnL, incl. funding",
  net_with_funding_added: "Net realised PnL: excl. funding before, incl. funding after",
  net_with_funding_dropped: "Net realised PnL: incl. funding before, excl. funding after",
  realised_pnl_net_of_fees_excl_funding: "Net realised PnL, excl. funding",
  gross_pnl: "Gross PnL",
  fees_recognised: "Fees on closed positions",
  fees_paid: "Fees paid",
  rebates: "Rebates",
  funding: "Funding",
};

/** A table for each currency, then the differing figures of months. */
function sumTables(sums: readonly SumChange[] | null): Html {
  if (sums === null) {
    return emptyState(
      "The totals cannot be compared here: one of the versions has no summary files, or very large ones.",
    );
  }
  if (sums.length === 0) {
    return emptyState("Neither version has totals, because no trade is known.");
  }
  const totals = Map.groupBy(
    sums.filter(({ month }) => month === null),
    ({ currency }) => currency,
  );
  const months = sums.filter(({ month }) => month !== null);
  const some = [...totals].slice(0, MOST_SUMS);
  return html`${some.map(([currency, own], at) => sumTable(`sums-${at + 1}`, symbol(currency), own))}${
    months.length === 0 ? null : monthTable(months)
  }`;
}

/** Folded if there are many. */
function monthTable(months: readonly SumChange[]): Html {
  const table = sumTable("sums-months", "Figures of single months that differ", months);
  return months.length <= FEW_SUMS
    ? table
    : disclosure(counted(months.length, "figure of single months differs", "figures of single months differ"), table);
}

function sumTable(id: string, caption: HtmlValue, sums: readonly SumChange[]): Html {
  return listTable({
    id,
    caption,
    columns: [
      column<SumChange>("Figure", ({ currency, month, figure }) =>
        month === null ? SUM_NAMES[figure] : html`${symbol(`${month}, ${currency}`)}: ${SUM_NAMES[figure]}`,
      ),
      numberColumn<SumChange>("Before", ({ before, currency, figure }) => amount(before, currency, formatOf(figure))),
      numberColumn<SumChange>("After", ({ after, currency, figure }) => amount(after, currency, formatOf(figure))),
      numberColumn<SumChange>("Difference", ({ difference, currency }) =>
        amount(difference ?? "", currency, signedMoney),
      ),
    ],
    items: sums,
    keyOf: ({ currency, month, figure }) => `${currency} ${month ?? ""} ${figure}`,
    most: MOST_SUMS,
    more: (left) => `And ${counted(left, "other sum")} that differ: summary-months.csv has all.`,
  });
}

const PLAIN: readonly SumFigure[] = ["fees_recognised", "fees_paid", "rebates"];

/** With the signs that the tiles have. */
function formatOf(figure: SumFigure): typeof money {
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

/** True if each side is a SHA-256 or empty. */
function isHash({ before, after }: PackChange): boolean {
  return [before, after].every((text) => /^(?:[0-9a-f]{64})?$/.test(text));
}

function fileTag({ before, after }: Pick<PackChange, "before" | "after">): Html {
  if (before === after) {
    return html`<span class="about">same</span>`;
  }
  const only = before === "" ? "only after" : "only before";
  return html`<span class="tag">${before === "" || after === "" ? only : "differs"}</span>`;
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
        keyOf: ({ what }) => what,
      });
}

function shown(text: string): Html {
  return text === "" ? html`<span class="unknown">nothing</span>` : outside(text);
}

/** For a period whose versions were not chosen yet. `versions`: newest first. */
export function comparisonChoicePage(frame: Frame, account: string, versions: readonly PackEntry[]): string {
  const [after, before] = versions;
  const period = after?.period ?? "";
  return pageOf(frame, {
    title: `${periodTitleText(period)} of ${account}: compare two versions`,
    heading: html`${periodTitle(period)}: compare two versions`,
    account,
    within: "overview",
    body:
      before === undefined || after === undefined
        ? emptyState("There is one version of this period alone. Make the pack again to compare.")
        : pairForm(account, versions, { before, after }, "primary"),
  });
}

/** A form that compares two other versions. */
function otherPair({ account, before, after }: Comparison): Html {
  const noted = (pack: PackDetails): PackEntry => ({ ...pack, note: pack.note ?? noteOf(pack) });
  const pair = { before: noted(before), after: noted(after) };
  return section("others", "Compare others", pairForm(account, before.versions, pair, "secondary"));
}

function pairForm(
  account: string,
  all: readonly PackEntry[],
  { before, after }: Readonly<Record<"before" | "after", PackEntry>>,
  rank: "primary" | "secondary",
): Html {
  const versions = all.filter(
    ({ version }, at) => at < MOST_CHOICES || version === before.version || version === after.version,
  );
  const known = new Map([before, after].map(({ version, note }) => [version, note]));
  const titled = (one: PackEntry): PackEntry => ({ ...one, note: one.note ?? known.get(one.version) ?? null });
  const choice = (name: "before" | "after", label: string, chosen: PackEntry): Html => html`
<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${versions.map(
    (one) =>
      html`<option value="${one.version}"${one.version === chosen.version ? html` selected` : null}>${versionTitle(titled(one))}${one.complete ? null : " · INCOMPLETE"}</option>`,
  )}</select></div>`;
  return html`
<form class="make" method="get" action="${compareLink(account, before.period)}">${choice("before", "Before", before)}${choice("after", "After", after)}
<button class="${rank}" type="submit">Compare</button></form>`;
}
