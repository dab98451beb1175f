import { count } from "../../core/text.ts";
import { type Html, html } from "../../pack/files/report/html.ts";
import type { Paging } from "../paging.ts";

/** Where in a list this page is, and the way on. `things`: what is listed, newest first. Nothing where all of it is shown. */
export function pageLinks(
  { number, pages, from, to, total }: Paging,
  things: string,
  linkOf: (page: number) => string,
): Html | null {
  return pages === 1
    ? null
    : html`
<p class="note">${count(from + 1)} to ${count(to)} of ${count(total)} ${things}, newest first.${
        number === 1 ? null : html` <a rel="prev" href="${linkOf(number - 1)}">Newer ${things}</a>.`
      }${number === pages ? null : html` <a rel="next" href="${linkOf(number + 1)}">Older ${things}</a>.`}</p>`;
}
