import { count, counted } from "../../core/text.ts";
import { objectionsOf, type Point, pointText, type Verdict } from "../../core/verdict.ts";
import { type Html, type HtmlValue, html, outside } from "../../pack/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import type { StoredInput } from "../data/inputs.ts";
import type { Obstacle } from "../ports.ts";
import { asSentence } from "./format.ts";
import { inputsLink } from "./links.ts";

// What all pages are written in, besides their frame (frame.ts), lists (list.ts) and forms (forms.ts).

/** `good`: all is well. `plain`: information. `warn`: needs action. */
export type Tone = "good" | "plain" | "warn";

/** So that nothing depends on colour alone. */
export const SIGNS: Readonly<Record<Tone, Html | null>> = {
  good: html`<span aria-hidden="true">✓</span> `,
  plain: null,
  warn: html`<span aria-hidden="true">▲</span> `,
};

/** A word or two about what stands before it. */
export function tag(tone: Tone, text: HtmlValue): Html {
  return tone === "warn"
    ? html`<strong class="tag warn">${SIGNS.warn}${text}</strong>`
    : html`<span class="tag ${tone}">${SIGNS[tone]}${text}</span>`;
}

/** What is wrong, within a sentence. */
export function warning(text: HtmlValue): Html {
  return html`<strong class="warn">${SIGNS.warn}${text}</strong>`;
}

/** The notice at the top of a page: one fact, and what to do about it. */
export function notice(tone: Tone, head: HtmlValue, body: HtmlValue = null): Html {
  return html`<div class="notice ${tone}"><p><strong>${SIGNS[tone]}${head}</strong></p>${body}</div>`;
}

/** A notice of what the user just did: it is read aloud. */
export function answer(role: "alert" | "status", shown: Html): Html {
  return html`<div role="${role}">${shown}</div>`;
}

/** What is wrong, and what to do. */
export function problemNotice({ message, hint }: Obstacle): Html {
  return notice("warn", asSentence(message), hint === undefined ? null : html`<p>${asSentence(hint)}</p>`);
}

/** Says that the service cannot be reached for new fills. `archives`: those that packs could be made from. */
export function archiveOnlyNotice(
  cannotAsk: Obstacle | null,
  archives: readonly Pick<ArchiveView, "coverage">[],
): Html | null {
  const hasSome = archives.some(({ coverage }) => coverage.length > 0);
  const head = hasSome ? "This page makes packs from the archive only." : "This page cannot read fills yet.";
  const { message, hint } = cannotAsk ?? { message: "" };
  const why = html`${asSentence(message)}${hint === undefined ? null : html` ${asSentence(hint)}`}`;
  return cannotAsk && notice("plain", head, html`<p>${hasSome ? "It cannot read new fills. " : null}${why}</p>`);
}

/** Says what must be removed from the user's files before a pack can be made. */
export function unusableNotice(account: string, inputs: readonly StoredInput[]): Html | null {
  const names = inputs.flatMap(({ name, refusal }) => (refusal === null ? [] : [name]));
  const head = html`No pack can be made while this is among your files: ${fileNames(names)}.`;
  const body = html`<p>Remove it first. <a href="${inputsLink(account)}">Your files</a></p>`;
  return names.length === 0 ? null : notice("warn", head, body);
}

/** Shown while there is no content: what will appear here, and how to begin. */
export function emptyState(text: HtmlValue): Html {
  return html`<p class="empty">${text}</p>`;
}

/** A link that looks like a button. `primary`: the main action of a page. */
export function buttonLink(rank: "primary" | "secondary", link: string, name: HtmlValue): Html {
  return html`<a class="button ${rank}" href="${link}">${name}</a>`;
}

/** What can be done, in a row. */
export function actions(...all: readonly HtmlValue[]): Html {
  return html`<div class="actions">${all.map((one) => html`${one} `)}</div>`;
}

/** `balances.csv, funding.csv` */
export function fileNames(names: readonly string[]): Html {
  return html`${names.map((name, at) => html`${at === 0 ? null : ", "}${outside(name)}`)}`;
}

/** Folded content that few people need. */
export function disclosure(summary: HtmlValue, body: HtmlValue, isOpen = false): Html {
  return html`<details${isOpen ? html` open` : null}><summary>${summary}</summary>${body}</details>`;
}

/** Names and what is said of each. */
export function facts(all: readonly (readonly [name: HtmlValue, value: HtmlValue])[]): Html {
  return html`<dl class="facts">${all.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** At most this many points or gaps are shown. */
const MOST_POINTS = 50;

/** `left`: the rest, by their number. */
export function points(all: readonly HtmlValue[], left: (more: number) => HtmlValue): Html {
  const more = all.length - MOST_POINTS;
  return html`<ul class="points">${all.slice(0, MOST_POINTS).map((one) => html`<li>${one}</li>`)}</ul>${more > 0 ? html`<p class="note">${left(more)}</p>` : null}`;
}

/** Leads to a list's entries that are not shown. */
export function moreLink(link: string, left: number, what: string): Html | null {
  return left === 0 ? null : html`<p class="note"><a href="${link}">${counted(left, `older ${what}`)}</a></p>`;
}

/** The most characters of a claim or a point, as in the report. */
const LONGEST = 2500;

/** The claim, with a sign that says whether anything is known against the pack. */
export function verdictTag(verdict: Verdict): Html {
  return tag(objectionsOf(verdict).length === 0 ? "good" : "warn", outside(verdict.claim, LONGEST));
}

/** What is known against the pack, each with what to do. */
export function objectionList(verdict: Verdict): Html | null {
  const all = objectionsOf(verdict);
  return all.length === 0 ? null : pointList(all);
}

function pointList(all: readonly Point[]): Html {
  return points(
    all.map((point) => outside(pointText(point), LONGEST)),
    (left) => `And ${count(left)} more: the report has them all.`,
  );
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
