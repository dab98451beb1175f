import { type Html, type HtmlValue, html } from "../../pack/report/html.ts";
import type { MakeRequest } from "../ports.ts";
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

export interface Field {
  readonly name: string;
  readonly label: HtmlValue;
  readonly hint?: HtmlValue;
  /** Attributes of an input; for a choice, its options. */
  readonly input?: Html;
  readonly options?: HtmlValue;
  /** Null: a file's field shows none. */
  readonly value?: string | null;
}

/** A control with its label and hint. */
export function field({ name, label, hint = null, input = html``, options, value = "" }: Field): Html {
  const about = hint === null ? null : html` aria-describedby="${name}-hint"`;
  const control =
    options === undefined
      ? html`<input id="${name}" name="${name}"${input}${value === null ? null : html` value="${value}"`}${about}>`
      : html`<select id="${name}" name="${name}"${about}>${options}</select>`;
  return html`<div class="field"><label for="${name}">${label}</label>${control}${
    hint === null ? null : html`<small id="${name}-hint">${hint}</small>`
  }</div>`;
}

/** A choice's entry. `chosen`: the value that is. */
export function option(value: string, name: HtmlValue, chosen?: string | null, disabled = false): Html {
  return html`<option value="${value}"${value === chosen ? html` selected` : null}${disabled ? html` disabled` : null}>${name}</option>`;
}
