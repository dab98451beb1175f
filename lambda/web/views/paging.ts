import { count } from "../../core/text.ts";
import { type Html, html } from "../../pack/report/html.ts";

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

/** The order of a list, and what the links to the pages before and after are called. */
interface Order {
  readonly by: string;
  readonly before: string;
  readonly after: string;
}

const NEWEST_FIRST: Order = { by: "newest first", before: "Newer", after: "Older" };
export const BY_NAME: Order = { by: "by name", before: "Previous", after: "Next" };

/**
 * The position in a list, and links to the entries before and after. `things`: what is listed. Empty if one
 * page shows the whole list.
 */
export function pageLinks(
  { number, pages, from, to, total }: Paging,
  things: string,
  linkOf: (page: number) => string,
  { by, before, after } = NEWEST_FIRST,
): Html | null {
  return pages === 1
    ? null
    : html`
<p class="note">${count(from + 1)} to ${count(to)} of ${count(total)} ${things}, ${by}.${
        number === 1 ? null : html` <a rel="prev" href="${linkOf(number - 1)}">${before} ${things}</a>.`
      }${number === pages ? null : html` <a rel="next" href="${linkOf(number + 1)}">${after} ${things}</a>.`}</p>`;
}
