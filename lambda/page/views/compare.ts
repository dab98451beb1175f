import { type Html, html, outside, outsideText } from "../../pack/report/html.ts";
import { counted } from "../../pack/report/numbers.ts";
import { table } from "../../pack/report/table.ts";
import type { PackChange, PackDetails, PackEntry } from "../ports.ts";
import { type Frame, pageOf } from "./frame.ts";
import { compareLink, packLink } from "./links.ts";
import { completeness, moment, momentText, sizeText, versionName } from "./words.ts";

export interface Comparison {
  readonly account: string;
  readonly before: PackDetails;
  readonly after: PackDetails;
  readonly changes: readonly PackChange[];
}

/** So many versions can be chosen, and those that are compared; the page of a pack compares with each. */
const MOST_CHOICES = 50;

/** Two versions of one period: what differs. */
export function comparePage(frame: Frame, comparison: Comparison): string {
  const { account, before, after, changes } = comparison;
  const { period } = before;
  return pageOf(frame, {
    title: `${period} of ${account}: two versions`,
    heading: html`${outside(period)}: what changed`,
    account,
    here: null,
    body: html`
<dl class="facts">
${side(account, "Before", before)}
${side(account, "After", after)}
</dl>${changeTable(changes)}${otherPair(comparison)}`,
  });
}

function side(account: string, name: string, pack: PackEntry): Html {
  return html`<div><dt>${name}</dt><dd><a href="${packLink(account, pack)}">made ${moment(pack.madeAt)}</a> ${completeness(pack.complete)} <span class="size">${sizeText(pack.bytes)}</span>, version ${versionName(pack.version)}</dd></div>`;
}

function changeTable(changes: readonly PackChange[]): Html {
  if (changes.length === 0) {
    return html`
<p class="state"><strong><span aria-hidden="true">✓</span> Nothing differs.</strong> Both versions have the same figures and the same files.</p>`;
  }
  return html`${table({
    id: "changes",
    caption: counted(changes.length, "difference"),
    columns: [{ head: "What" }, { head: "Before" }, { head: "After" }],
    rows: changes.map(({ what, before, after }) => ({
      key: what,
      cells: [outside(what), shown(before), shown(after)],
    })),
  })}`;
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
  return html`
<section id="others" aria-labelledby="others-heading">
<h2 id="others-heading">Compare others</h2>
<form class="make" method="get" action="${compareLink(account, before.period)}">${choice("before", "Before", before)}${choice("after", "After", after)}
<button type="submit">Compare</button></form>
</section>`;
}
