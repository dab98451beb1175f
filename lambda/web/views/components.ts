import { type Html, type HtmlValue, html, outside } from "../../pack/report/html.ts";
import type { ArchiveView } from "../data/archives.ts";
import { inPageWords } from "../page-words.ts";
import type { Obstacle } from "../ports.ts";
import { asSentence } from "./format.ts";
import { inputsLink } from "./links.ts";

// Parts that all pages share, besides the frame (frame.ts) and the report's tables.

/**
 * `good`: all is well. `plain`: information. `warn`: needs action; it has a sign, so that nothing depends on
 * colour alone.
 */
type Tone = "good" | "plain" | "warn";

const SIGNS: Readonly<Record<Tone, Html | null>> = {
  good: html`<span aria-hidden="true">✓</span> `,
  plain: null,
  warn: html`<span aria-hidden="true">▲</span> `,
};

/** The notice at the top of a page: one fact, and what to do about it. */
export function notice(tone: Tone, head: HtmlValue, body: HtmlValue = null): Html {
  return html`
<div class="notice ${tone}"><p><strong>${SIGNS[tone]}${head}</strong></p>${body}</div>`;
}

/** What is wrong, and what to do, in the page's words. */
export function problemNotice({ message, hint }: Obstacle): Html {
  const inWords = (text: string) => asSentence(inPageWords(text));
  return notice("warn", inWords(message), hint === undefined ? null : html`<p>${inWords(hint)}</p>`);
}

/** Says that the service cannot be reached for new fills. `archives`: those that packs could be made from. */
export function archiveOnlyNotice(
  { message, hint }: Obstacle,
  archives: readonly Pick<ArchiveView, "coverage">[],
): Html {
  const hasSome = archives.some(({ coverage }) => coverage.length > 0);
  return notice(
    "plain",
    hasSome ? "This page makes packs from the archive only." : "This page cannot read fills yet.",
    html`<p>${hasSome ? "It cannot read new fills. " : null}${asSentence(message)}${hint === undefined ? null : html` ${asSentence(hint)}`}</p>`,
  );
}

/** Says what must be removed from the user's files before a pack can be made. */
export function unusableNotice(account: string, names: readonly string[]): Html | null {
  const [what, them] = names.length === 1 ? ["is not a file", "it"] : ["are not files", "them"];
  return names.length === 0
    ? null
    : notice(
        "warn",
        html`No pack can be made: ${fileNames(names)} ${what} of a pack.`,
        html`<p>Remove ${them} first. <a href="${inputsLink(account)}">Your files</a></p>`,
      );
}

/** Shown while there is no content: what will appear here, and how to begin. */
export function emptyState(text: HtmlValue): Html {
  return html`
<p class="empty">${text}</p>`;
}

/** A link that looks like a button. `primary`: the main action of a page. */
export function buttonLink(rank: "primary" | "secondary", link: string, name: HtmlValue): Html {
  return html`<a class="button ${rank}" href="${link}">${name}</a>`;
}

/** `balances.csv, funding.csv` */
export function fileNames(names: readonly string[]): Html {
  return html`${names.map((name, at) => html`${at === 0 ? null : ", "}${outside(name)}`)}`;
}

/** Folded content that few people need. */
export function disclosure(summary: HtmlValue, body: HtmlValue): Html {
  return html`
<details><summary>${summary}</summary>${body}</details>`;
}

/** Characters of a search text. */
export const LONGEST_FIND = 100;

/** The field above a long list. `action`: the address of the whole list. */
export function findForm(action: string, label: string, find: string): Html {
  return html`
<form class="line" method="get" action="${action}" role="search">
<div class="field"><label for="find">${label}</label><input id="find" name="find" type="search" maxlength="${LONGEST_FIND}" value="${find}" autocomplete="off" spellcheck="false" autocapitalize="off"></div>
<button class="secondary" type="submit">Find</button></form>`;
}

export interface Field {
  readonly id: string;
  readonly label: HtmlValue;
  /** Renders the control with the attributes in `describedBy`. */
  readonly control: (describedBy: Html | null) => Html;
  readonly hint?: HtmlValue;
  readonly error: Obstacle | null;
}

/** A control with its label, hint and error. */
export function field({ id, label, control, hint = null, error }: Field): Html {
  const ids = [...(error === null ? [] : [`${id}-error`]), ...(hint === null ? [] : [`${id}-hint`])];
  const invalid = error === null ? null : html` aria-invalid="true"`;
  const describedBy = ids.length === 0 ? null : html` aria-describedby="${ids.join(" ")}"${invalid}`;
  return html`
<div class="field"><label for="${id}">${label}</label>${errorText(id, error)}${control(describedBy)}${
    hint === null ? null : html`<small id="${id}-hint">${hint}</small>`
  }</div>`;
}

/** The error of the control with this id. */
export function errorText(id: string, error: Obstacle | null): Html | null {
  return error === null
    ? null
    : html`<span class="error" id="${id}-error">${SIGNS.warn}${asSentence(error.message)}${
        error.hint === undefined ? null : html` ${asSentence(error.hint)}`
      }</span>`;
}
