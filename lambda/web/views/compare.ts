import { formatMinor, parseAmount, roundToMinor } from "../../accounting/amount.ts";
import { counted } from "../../core/text.ts";
import { type Html, type HtmlValue, html, outside, outsideText, symbol } from "../../pack/files/report/html.ts";
import { column, listTable, numberColumn } from "../../pack/files/report/table.ts";
import type { PackComparison } from "../data/comparison.ts";
import type { SumChange, SumFigure } from "../data/csv-changes.ts";
import type { PackChange, PackDetails, PackEntry } from "../packs.ts";
import { completeness, moment, momentText, sizeText, versionName } from "./format.ts";
import { type Frame, pageOf, section } from "./frame.ts";
import { compareLink, packLink } from "./links.ts";

export interface Comparison {
  readonly account: string;
  readonly before: PackDetails;
  readonly after: PackDetails;
  readonly changes: PackComparison;
}

/** So many versions can be chosen, and those that are compared; the page of a pack compares with each. */
const MOST_CHOICES = 50;

/** Two versions of one period: what differs. */
export function comparePage(frame: Frame, comparison: Comparison): string {
  const { account, before, after } = comparison;
  const { period } = before;
  return pageOf(frame, {
    title: `${period} of ${account}: two versions`,
    heading: html`${outside(period)}: what changed`,
    account,
    body: html`
<dl class="facts">
${side(account, "Before", before)}
${side(account, "After", after)}
</dl>${changesOf(comparison)}${otherPair(comparison)}`,
  });
}

function side(account: string, name: string, pack: PackEntry): Html {
  return html`<div><dt>${name}</dt><dd><a href="${packLink(account, pack)}">made ${moment(pack.madeAt)}</a> ${completeness(pack.complete)} <span class="size">${sizeText(pack.bytes)}</span>, version ${versionName(pack.version)}</dd></div>`;
}

/** What an accountant asks for first: the money, then what else was counted, then files; hashes are folded away. */
function changesOf({ before, after, changes }: Comparison): Html {
  const { sums, figures, fills, files } = changes;
  const differing = files.filter((file) => file.before !== file.after);
  const isSame = figures.length === 0 && fills.length === 0 && differing.length === 0;
  const hashes = figures.filter(isHash);
  const others = figures.filter((figure) => !isHash(figure));
  const state = html`
<p class="state"><strong><span aria-hidden="true">✓</span> Nothing differs.</strong> Both versions have the same figures and the same files.</p>`;
  return html`${isSame ? state : null}${section("totals", "Totals", [
    html`<p>By the method that each version was asked for: ${outside(before.claim.method)} before, ${outside(after.claim.method)} after.</p>`,
    sumTable(sums),
  ])}${isSame ? null : section("else", "What else differs", [changeTable("changes", counted(others.length, "difference"), others), changeTable("restated", counted(fills.length, "fill that came late or changed", "fills that came late or changed"), fills)])}${section(
    "files",
    "Files",
    [
      html`
<ul class="rows">${files.map(
        (file) => html`
<li><span class="name">${outside(file.path)}</span> ${fileTag(file)}</li>`,
      )}
</ul>`,
      differing.length + hashes.length === 0
        ? null
        : html`
<details><summary>Sizes and hashes of what differs</summary>${changeTable(
            "hashes",
            counted(differing.length + hashes.length, "difference"),
            [...differing.map(({ path, ...sides }) => ({ what: path, ...sides })), ...hashes],
          )}</details>`,
    ],
  )}`;
}

/** So many sums are shown. */
const MOST_SUMS = 100;

const SUM_NAMES: Readonly<Record<SumFigure, string>> = {
  realised_pnl_net_of_fees_excl_funding: "net PnL, excl. funding",
  gross_pnl: "gross PnL",
  fees_recognised: "fees recognised",
  fees_paid: "fees paid",
  rebates: "rebates",
  funding: "funding",
};

function sumTable(sums: readonly SumChange[] | null): Html {
  if (sums === null) {
    return html`
<p class="empty">The totals cannot be compared here: one of the versions has no summary files, or very large ones.</p>`;
  }
  if (sums.length === 0) {
    return html`
<p class="empty">Neither version has a total: nothing is known to be traded.</p>`;
  }
  return listTable({
    id: "sums",
    caption: "All of each currency, and what differs of each market",
    columns: [
      column<SumChange>(
        "What",
        ({ currency, market, figure }) =>
          html`${symbol(market === null ? currency : `${market}, ${currency}`)}: ${SUM_NAMES[figure]}`,
      ),
      numberColumn<SumChange>("Before", ({ before, currency }) => amount(before, currency)),
      numberColumn<SumChange>("After", ({ after, currency }) => amount(after, currency)),
      numberColumn<SumChange>("Difference", ({ difference, currency }) => signed(difference, currency)),
    ],
    items: sums,
    keyOf: ({ currency, market, figure }) => `${currency} ${market ?? ""} ${figure}`,
    most: MOST_SUMS,
    more: (left) => `And ${counted(left, "other sum")} that differ: summary-markets.csv has all.`,
  });
}

function signed(difference: string | null, currency: string): Html {
  return difference === null
    ? amount("", currency)
    : html`${/^[1-9]|^0.*[1-9]/.test(difference) ? "+" : ""}${amount(difference, currency)}`;
}

/** Rounded as the report rounds it, but for what is less than a minor unit; the exact amount is in the tooltip. */
function amount(exact: string, currency: string): Html {
  if (exact === "") {
    return html`<span class="unknown">not known</span>`;
  }
  const value = parseAmount(exact);
  const isShown = value !== null && (value === 0n || roundToMinor(value, currency) !== 0n);
  return html`<bdi title="${outsideText(exact)}">${isShown ? formatMinor(value, currency) : outsideText(exact)}</bdi>`;
}

/** Both sides are sha256 or nothing. */
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
  return text === "" ? html`<span class="unknown">nothing</span>` : html`<span class="value">${outside(text)}</span>`;
}

/** Asks for the comparison of two others. */
function otherPair({ account, before, after }: Comparison): Html {
  const versions = before.versions.filter(
    ({ version }, at) => at < MOST_CHOICES || version === before.version || version === after.version,
  );
  const choice = (name: "before" | "after", label: string, chosen: PackEntry): Html => html`
<p class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}">${versions.map(
    ({ version, madeAt, complete }) =>
      html`<option value="${version}"${version === chosen.version ? html` selected` : null}>${momentText(madeAt)}${complete ? null : ", INCOMPLETE"}, version ${outsideText(version)}</option>`,
  )}</select></p>`;
  const form = html`
<form class="make" method="get" action="${compareLink(account, before.period)}">${choice("before", "Before", before)}${choice("after", "After", after)}
<button type="submit">Compare</button></form>`;
  return section("others", "Compare others", form);
}
