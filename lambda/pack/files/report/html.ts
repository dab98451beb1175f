import { withNumbers } from "../../../core/look-alike.ts";

/** Markup that needs no escaping any more. */
export interface Html {
  readonly markup: string;
}

export type HtmlValue = Html | string | number | null | readonly HtmlValue[];

/** Markup with values in it: text and numbers are escaped, null is nothing, lists follow one another. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { markup: strings.map((text, at) => (at === 0 ? text : markupOf(values[at - 1] ?? null) + text)).join("") };
}

function markupOf(value: HtmlValue): string {
  if (value === null) {
    return "";
  }
  if (typeof value === "string" || typeof value === "number") {
    return escapeHtml(String(value));
  }
  return "markup" in value ? value.markup : value.map(markupOf).join("");
}

/**
 * Text for an element or a quoted attribute. What HTML has no place for (lone surrogates, control characters, noncharacters) is shown as U+FFFD; a carriage
 * return, which a parser would turn into a line feed, as a space.
 */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(FORBIDDEN, "\uFFFD")
    .replaceAll("\r", " ")
    .replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}

const FORBIDDEN = /[^\P{Cc}\t\n\r]|\p{Noncharacter_Code_Point}/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What is read of markup that is made here: without its elements, white space as one space. */
export function textOf(value: HtmlValue): string {
  return markupOf(value)
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => SIGNS[entity] ?? entity)
    .replaceAll(/\s+/g, " ")
    .trim();
}

const SIGNS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ENTITIES).map(([sign, entity]) => [entity, sign]),
);

/** Text of others is shown up to so many UTF-16 units, if nothing else is said. */
const LONGEST = 120;

/** Text of others in a line of ours: short, and its direction ends with it. */
export function outside(text: string, longest = LONGEST): Html {
  return html`<bdi>${cut(text, longest)}</bdi>`;
}

/** A market or a currency: the number of each sign that is not of ASCII stands behind it, so that names which look the same are told apart. */
export function symbol(name: string): Html {
  return outside(withNumbers(name));
}

/** The same where an element cannot stand: in an attribute, or in a drawing. */
export function outsideText(text: string): string {
  return cut(text, LONGEST).replaceAll(DIRECTIONS, "");
}

/** `symbol` where an element cannot stand. */
export function symbolText(name: string): string {
  return outsideText(withNumbers(name));
}

/** Marks, embeddings, overrides and isolates of the bidirectional algorithm. */
const DIRECTIONS = /\p{Bidi_Control}/gu;

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}
