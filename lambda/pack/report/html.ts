import { withNumbers } from "../../core/code-points.ts";

/** Markup that is already escaped. */
export interface Html {
  readonly markup: string;
}

export type HtmlValue = Html | string | number | null | readonly HtmlValue[];

/** Markup with values. Text and numbers are escaped, null is nothing, lists are joined. */
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
 * Escapes text for an element or a quoted attribute. Characters that HTML does not allow (lone surrogates,
 * control characters, noncharacters) become U+FFFD. A carriage return, which a parser would turn into a line
 * feed, becomes a space.
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

/** By default, text from outside is cut after this many UTF-16 units. */
const LONGEST = 120;

/** Text from outside within a line of ours: shortened, and its direction ends with it. */
export function outside(text: string, longest = LONGEST): Html {
  return html`<bdi>${cut(text, longest)}</bdi>`;
}

/**
 * A market or a currency. The code point follows each character that is not ASCII, so that names which look
 * alike can be told apart.
 */
export function symbol(name: string): Html {
  return outside(withNumbers(name));
}

/** `outside` for places without elements: in an attribute or a drawing. */
export function outsideText(text: string): string {
  return cut(text, LONGEST).replaceAll(DIRECTIONS, "");
}

/** `symbol` for places without elements. */
export function symbolText(name: string): string {
  return outsideText(withNumbers(name));
}

/** Marks, embeddings, overrides and isolates of the bidirectional algorithm. */
const DIRECTIONS = /\p{Bidi_Control}/gu;

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`;
}
