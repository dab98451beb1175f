import { type Html, type HtmlValue, html } from "../../pack/report/html.ts";
import type { MakeRequest, Obstacle } from "../ports.ts";
import { answer, notice, SIGNS, said } from "./components.ts";
import { asSentence } from "./format.ts";
import { jobsLink } from "./links.ts";

/** `primary`: the main action of a page. */
export type Rank = "primary" | "secondary";

/** Of a button. */
interface Look {
  readonly rank?: Rank;
  readonly disabled?: boolean;
}

/** What a form sends without showing it. */
export function hidden(fields: Readonly<Record<string, string | undefined>>): Html {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined);
  return html`${sent.map(([name, value = ""]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

export function button(name: HtmlValue, { rank = "primary", disabled = false }: Look = {}): Html {
  return html`<button class="${rank}" type="submit"${disabled ? html` disabled` : null}>${name}</button>`;
}

/** A button that starts this request. */
export function startForm({ account, ...request }: MakeRequest, name: HtmlValue, look: Look = {}): Html {
  return html`<form class="start" method="post" action="${jobsLink(account)}">${hidden({ ...request })}${button(name, look)}</form>`;
}

/** What a form was sent with, and what is wrong with one of its fields. */
export interface SentBack {
  readonly fields: URLSearchParams;
  /** Null if no single field is the cause. */
  readonly field: string | null;
  readonly problem: Obstacle | null;
}

/** At the top of the page. `what`: was not done, because of a field. */
export function refusedNotice({ field: named, problem }: SentBack, what: string): Html {
  const [head, body] =
    named === null && problem !== null
      ? [asSentence(problem.message), problem.hint ?? null]
      : [what, "The field to change is marked."];
  return answer("alert", notice("warn", head, body && html`<p>${asSentence(body)}</p>`));
}

export interface Field {
  readonly name: string;
  /** Of the control; absent: the name. */
  readonly id?: string;
  readonly label: HtmlValue;
  readonly hint?: HtmlValue;
  /** Attributes of an input; for a choice, its options. */
  readonly input?: Html;
  readonly options?: HtmlValue;
  /** The values and the error that it shows again. */
  readonly sent: SentBack | null;
  /** Absent: what was typed. Null: a file's field shows none. */
  readonly value?: string | null;
}

/** A control with its label, hint and error. */
export function field({ name, id = name, label, hint = null, input = html``, options, sent, value }: Field): Html {
  const error = sent?.field === name ? sent.problem : null;
  const ids = [...(error === null ? [] : [`${id}-error`]), ...(hint === null ? [] : [`${id}-hint`])];
  const about = html`${ids.length === 0 ? null : html` aria-describedby="${ids.join(" ")}"`}${error === null ? null : html` aria-invalid="true"`}`;
  const typed = value === undefined ? (sent?.fields.get(name) ?? "") : value;
  const control =
    options === undefined
      ? html`<input id="${id}" name="${name}"${input}${typed === null ? null : html` value="${typed}"`}${about}>`
      : html`<select id="${id}" name="${name}"${input}${about}>${options}</select>`;
  return html`<div class="field"><label for="${id}">${label}</label>${errorText(id, error)}${control}${
    hint === null ? null : html`<small id="${id}-hint">${hint}</small>`
  }</div>`;
}

/** A choice's entry. `chosen`: the value that is. */
export function option(value: string, name: HtmlValue, chosen: string | null | undefined, disabled = false): Html {
  return html`<option value="${value}"${value === chosen ? html` selected` : null}${disabled ? html` disabled` : null}>${name}</option>`;
}

/** Attributes of a field for a code or a name that no dictionary has. */
export const CODE = html` autocomplete="off" spellcheck="false" autocapitalize="off"`;

/** The error of the control with this id. */
export function errorText(id: string, error: Obstacle | null): Html | null {
  return error && html`<span class="error" id="${id}-error">${SIGNS.warn}${said(error)}</span>`;
}
