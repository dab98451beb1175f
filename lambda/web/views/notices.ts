import { type Html, type HtmlValue, html, outside } from "../../pack/report/html.ts";
import type { Obstacle } from "../ports.ts";
import { actions, answer, buttonLink, problemNotice } from "./components.ts";
import type { PageParts } from "./frame.ts";
import { accountLink } from "./links.ts";

/** `account`: of theirs, to which the page leads back; undefined: none. */
function pageAt(account: string | undefined, title: string, text: Html): PageParts {
  const back =
    account === undefined
      ? buttonLink("primary", "/", "Go to your accounts")
      : buttonLink("primary", accountLink(account), html`<span>Back to account ${outside(account)}</span>`);
  return { title, body: html`${text}${actions(back)}`, ...(account === undefined ? {} : { account }) };
}

/**
 * The same page for what does not exist and for what this user may not see, so that it does not reveal which.
 */
export function refusedPage(): PageParts {
  return troublePage("Page not found", "This page does not exist, or you do not have access to it.");
}

/** For a request that another site sent, or a form of a session that has ended. */
export function notFromHerePage(account: string | undefined): PageParts {
  const advice =
    "This request did not come from a current page of fillbook: the form was opened before you signed in again, or another site sent it. To copy what you typed, go back in the browser. Then open the page again, and send the form from there.";
  return troublePage("Nothing was changed", advice, account);
}

/** A page for errors without a page of their own: what happened, and what to do. */
export function troublePage(title: string, advice: string, account?: string): PageParts {
  return pageAt(account, title, html`\n<p>${advice}</p>`);
}

/**
 * For what cannot be read of an account of theirs. `path`: the page that was asked for; it leads back to the
 * account, and the account's own page to all accounts.
 */
export function damagedPage(damage: Obstacle, account: string, path: string): PageParts {
  const isOwn = path === accountLink(account);
  return pageAt(
    isOwn ? undefined : account,
    isOwn ? "This account cannot be read" : "This page cannot be shown",
    html`${problemNotice(damage)}
<p>If somebody else runs fillbook for you, send them this message.</p>`,
  );
}

/** A request that cannot be done: why, and what to do. */
export function problemPage(account: string, problem: Obstacle): PageParts {
  return pageAt(account, "That cannot be done", answer("alert", problemNotice(problem)));
}

/** A page for a stranger: what happened, and what to do. */
function strangersNotice(title: string, ...paragraphs: readonly HtmlValue[]): PageParts {
  return { title, isPublic: true, body: html`${paragraphs.map((one) => html`<p>${one}</p>`)}` };
}

const TO_SIGN_IN = buttonLink("primary", "/sign-in", "Sign in");

/** For visitors without a session, where `fillbook serve` runs. */
export const signInNeededPage = () =>
  strangersNotice(
    "You are signed out",
    html`To sign in, open the newest link that <code>fillbook serve</code> printed in its terminal. Jobs that are running go on.`,
    "If others use this computer, close the browser too.",
  );

/** For visitors without a session, where Cognito signs people in. */
export const signInPage = () =>
  strangersNotice("Sign in", "You are not signed in, or your session has ended.", TO_SIGN_IN);

/** After signing out there. */
export const signedOutPage = () =>
  strangersNotice("Signed out", "You are signed out. If others use this computer, close the browser too.", TO_SIGN_IN);

/** A form was sent while its sender could not be determined. */
export const tryAgainPage = () =>
  strangersNotice(
    "Not done yet",
    "Your session could not be checked. Reload this page in a minute; your request is then sent again.",
  );

/** Signing in through Cognito failed. `to`: the page that the user wanted. */
export function signInFailedPage(to: string): PageParts {
  return strangersNotice(
    "Sign in again",
    "Sign-in failed. It may have taken too long, been started in another window, or been done already.",
    "If this happens again, tell whoever runs this page.",
    buttonLink("primary", `/sign-in?to=${encodeURIComponent(to)}`, "Sign in"),
  );
}

/** Leads on by itself: a redirect would still count as coming from the site before, and bring no cookie. */
export function leadingOnPage(title: "Signed in" | "Signing out" | "Opening", to: string): PageParts {
  return { title, isPublic: true, body: html`<p class="name"><a href="${to}">Go on</a></p>` };
}
