import { count, counted } from "../../core/text.ts";
import { type Html, type HtmlValue, html } from "../../pack/report/html.ts";
import { emptyState } from "./components.ts";
import type { ListPart } from "./links.ts";

/** One page of a long list. */
export interface Paging {
  /** From 1. */
  readonly number: number;
  /** How many pages there are, at least 1. */
  readonly pages: number;
  /** The part of the list that it shows, `[from, to)`. */
  readonly from: number;
  readonly to: number;
  /** Length of the list. */
  readonly total: number;
}

/**
 * The page that a query asks for. A text that is not a number gives the first page, a number beyond the end
 * the last. `size`: entries of a page.
 */
export function pagingOf(total: number, size: number, asked: string | undefined): Paging {
  const pages = Math.max(1, Math.ceil(total / size));
  const number = Math.min(pages, /^[1-9]\d{0,8}$/.test(asked ?? "") ? Number(asked) : 1);
  const from = (number - 1) * size;
  return { number, pages, from, to: Math.min(total, from + size), total };
}

/** Characters of a search text. */
export const LONGEST_FIND = 100;

/** What a list is of, and what is said about it. */
interface Listed {
  /** `period`; two or more with an s. */
  readonly one: string;
  readonly by: "by name" | "newest first";
  readonly paging: Paging;
  readonly linkOf: (part: ListPart) => string;
}

interface Found extends Listed {
  /** The search text; empty: all. */
  readonly find: string;
  /** Of the field above a long list. */
  readonly label: string;
  /** Shown where nothing is found. */
  readonly none: string;
  /** Shown where there is nothing to be found. */
  readonly empty: HtmlValue;
}

/** A list that may be long: one page of it, with a field to find something in it. `items`: that page's. */
export function foundList(list: Found, items: HtmlValue): Html {
  const { one, paging, find, label, none, empty, linkOf } = list;
  const all = html`<a href="${linkOf({ find: "", page: 1 })}">All ${one}s</a>`;
  const form = html`<form class="line" method="get" action="${linkOf({ find: "", page: 1 })}" role="search"><div class="field"><label for="find">${label}</label><input id="find" name="find" type="search" maxlength="${LONGEST_FIND}" value="${find}" autocomplete="off" spellcheck="false" autocapitalize="off"></div><button class="secondary" type="submit">Find</button></form>`;
  const missing = find === "" ? empty : html`${none} ${all}`;
  return html`${paging.pages === 1 && find === "" ? null : form}${
    find === "" || paging.total === 0 ? null : html`<p class="note">${counted(paging.total, one)} found. ${all}</p>`
  }${paging.total === 0 ? emptyState(missing) : pagedList({ ...list, find }, items)}`;
}

/** One page of a list, between links to the pages before and after. */
export function pagedList(
  { one, by, paging, linkOf, find = "" }: Listed & { readonly find?: string },
  items: HtmlValue,
): Html {
  const { number, pages, from, to, total } = paging;
  const [before, after] = by === "newest first" ? ["Newer", "Older"] : ["Previous", "Next"];
  const link = (rel: "prev" | "next", page: number, name: string) =>
    page < 1 || page > pages ? null : html` <a rel="${rel}" href="${linkOf({ find, page })}">${name} ${one}s</a>.`;
  const links =
    pages === 1
      ? null
      : html`<p class="note">${count(from + 1)} to ${count(to)} of ${count(total)} ${one}s, ${by}.${link("prev", number - 1, before)}${link("next", number + 1, after)}</p>`;
  return html`${links}${items}${links}`;
}
