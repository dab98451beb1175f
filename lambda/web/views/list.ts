import { count } from "../../core/text.ts";
import { type Html, type HtmlValue, html } from "../../pack/report/html.ts";

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

/** What a list is of, and what is said about it. */
interface Listed {
  /** `period`; two or more with an s. */
  readonly one: string;
  readonly by: "by name" | "newest first";
  readonly paging: Paging;
  readonly linkOf: (page: number) => string;
}

/** One page of a list, between links to the pages before and after. */
export function pagedList({ one, by, paging, linkOf }: Listed, items: HtmlValue): Html {
  const { number, pages, from, to, total } = paging;
  const [before, after] = by === "newest first" ? ["Newer", "Older"] : ["Previous", "Next"];
  const link = (rel: "prev" | "next", page: number, name: string) =>
    page < 1 || page > pages ? null : html` <a rel="${rel}" href="${linkOf(page)}">${name} ${one}s</a>.`;
  const links =
    pages === 1
      ? null
      : html`<p class="note">${count(from + 1)} to ${count(to)} of ${count(total)} ${one}s, ${by}.${link("prev", number - 1, before)}${link("next", number + 1, after)}</p>`;
  return html`${links}${items}${links}`;
}
