import { type Html, type HtmlValue, html, outside, outsideText } from "../../pack/report/html.ts";
import type { User } from "../ports.ts";
import { SCRIPT_ASSET, STYLE_ASSET } from "./assets.ts";
import { accountLink, historyLink, inputsLink, makeLink } from "./links.ts";

type Entry = "accounts" | "overview" | "make" | "files" | "history";

/** What a page shows. */
export interface PageParts {
  /** Plain text, for the browser's window and history. */
  readonly title: string;
  /** Absent: the title. */
  readonly heading?: HtmlValue;
  /** Absent: the page is of no account. */
  readonly account?: string;
  /** The navigation entry of this page; absent: none. */
  readonly here?: Entry;
  /** The navigation entry that this page lies below; absent: none. */
  readonly within?: Entry;
  /** Seconds after which a browser without scripts reloads a page that changes by itself. */
  readonly againAfter?: number;
  /** True: it shows nothing of who is signed in. */
  readonly isPublic?: boolean;
  readonly body: HtmlValue;
}

/** A part of a page with its own heading. */
export function section(id: string, name: string, body: HtmlValue): Html {
  return html`
<section id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${name}</h2>${body}
</section>`;
}

function navigation({ account, here, within }: PageParts, isGroup: boolean): Html {
  const entry = (own: Entry, link: string, name: HtmlValue): Html => {
    const above = own === within ? html` aria-current="true"` : null;
    return html`<li><a href="${link}"${own === here ? html` aria-current="page"` : above}>${name}</a></li>`;
  };
  return html`
<nav aria-label="Pages"><ul>${entry("accounts", "/", "Accounts")}${
    account === undefined
      ? null
      : [
          entry(
            "overview",
            accountLink(account),
            html`<span class="wide">${isGroup ? "Packs of" : "Account"} </span>${outside(account)}`,
          ),
          isGroup ? null : entry("make", makeLink(account), "Make a pack"),
          isGroup ? null : entry("files", inputsLink(account), "Files"),
          entry("history", historyLink(account), "Downloads"),
        ]
  }</ul></nav>`;
}

/**
 * The whole page. `visitor`: who is signed in; of nobody, it reveals nothing. `isGroup`: it is of several accounts
 * together.
 */
export function documentOf(
  parts: PageParts,
  visitor: { readonly user: Pick<User, "name"> } | null,
  isGroup = false,
): string {
  const { title, heading = title, againAfter, body, isPublic = false } = parts;
  const top =
    visitor === null || isPublic
      ? null
      : html`
<form class="who" method="post" action="/sign-out"><span>${outside(visitor.user.name)}</span> <button class="quiet" type="submit">Sign out</button></form>${navigation(parts, isGroup)}`;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${outsideText(title)} · fillbook</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE_ASSET.path}">${
    againAfter === undefined
      ? null
      : html`
<script src="${SCRIPT_ASSET.path}" defer></script>
<noscript><meta http-equiv="refresh" content="${againAfter}"></noscript>`
  }
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><div class="inner">
<p class="brand"><a href="/">fillbook</a></p>${top}
</div></header>
<main id="main" tabindex="-1">
<h1>${heading}</h1>${body}
</main>
<footer><p>Times are UTC unless a zone is given. Nothing here can trade, or see the token.</p></footer>
</body>
</html>
`.markup;
}
