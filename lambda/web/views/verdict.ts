import { objectionsOf, type Point, pointText, type Verdict } from "../../core/verdict.ts";
import { type Html, type HtmlValue, html, outside } from "../../pack/report/html.ts";
import { disclosure, notice } from "./components.ts";

/** The most characters of a claim or a point, as in the report. */
export const LONGEST = 2500;

/** The claim, with a sign that says whether anything is known against the pack. */
export function verdictTag(verdict: Verdict): Html {
  const claim = outside(verdict.claim, LONGEST);
  return objectionsOf(verdict).length === 0
    ? html`<span class="tag good"><span aria-hidden="true">✓</span> ${claim}</span>`
    : html`<strong class="tag warn"><span aria-hidden="true">▲</span> ${claim}</strong>`;
}

/** What is known against the pack, each with what to do. */
export function objectionList(verdict: Verdict): Html | null {
  const points = objectionsOf(verdict);
  return points.length === 0 ? null : pointList(points);
}

function pointList(points: readonly Point[]): Html {
  return html`
<ul class="points">${points.map(
    (point) => html`
<li>${outside(pointText(point), LONGEST)}</li>`,
  )}
</ul>`;
}

/** The whole verdict. `more`: shown at its end. */
export function verdictNotice(verdict: Verdict, more: HtmlValue): Html {
  const notes = verdict.points.filter(({ about }) => about === "note");
  const objections = objectionList(verdict);
  return notice(
    objections === null ? "good" : "warn",
    html`${outside(verdict.claim, LONGEST)}.`,
    html`<p>${outside(verdict.text, LONGEST)}</p>${objections}${
      notes.length === 0 ? null : disclosure("Points to note", pointList(notes))
    }${more}`,
  );
}
