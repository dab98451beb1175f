import { html } from "../../pack/files/report/html.ts";
import { sentence } from "./format.ts";
import { type Frame, pageOf, strangersPage } from "./frame.ts";

/** For what there is not and for what this user may not see alike: it does not tell which. */
export function refusedPage(): string {
  return strangersPage({
    title: "Nothing here for you",
    body: html`
<p>There is nothing at this address, or it is not yours to see.</p>
<p><a href="/">To your accounts</a></p>`,
  });
}

/** For whoever comes without a session, on the machine that `fillbook serve` runs on. */
export function signInNeededPage(): string {
  return strangersPage({
    title: "Sign in",
    body: html`
<p>Open the newest link that <code>fillbook serve</code> printed in its terminal. It works once, and signs in this browser.</p>
<p>If it was used already, open it all the same: the program then prints a new one, at most once a minute. No work that is going on stops for that.</p>`,
  });
}

/** The same where Cognito signs people in. */
export function signInPage(): string {
  return strangersPage({
    title: "Sign in",
    body: html`
<p>You are not signed in, or not any more.</p>${TO_SIGN_IN}`,
  });
}

/** The way back from Cognito led nowhere. `to`: where the user wanted to go. */
export function signInFailedPage(to: string): string {
  return strangersPage({
    title: "Sign in again",
    body: html`
<p>Signing in did not come to its end. It may have taken too long, been begun in another window, or been done already.</p>
<p>If this comes again, tell whoever runs this page.</p>
<p><a class="button" href="/sign-in?to=${encodeURIComponent(to)}">Sign in</a></p>`,
  });
}

/** A form was sent while it could not be told who sends it. */
export function tryAgainPage(): string {
  return strangersPage({
    title: "Not done yet",
    body: html`
<p>Whether you are still signed in cannot be told at this moment. Load this page again in a minute: what you sent is sent again.</p>`,
  });
}

/** Leads on by itself: a redirect would still count as coming from wherever the user was before, and bring no cookie along. */
export function leadingOnPage(title: "Signed in" | "Signing out" | "Opening", to: string): string {
  return strangersPage({ title, body: html`\n<p><a href="${to}">Go on</a></p>` });
}

export function signedOutPage(): string {
  return strangersPage({
    title: "Signed out",
    body: html`
<p>You are signed out. Where others use this computer, close the browser as well.</p>${TO_SIGN_IN}`,
  });
}

const TO_SIGN_IN = html`
<p><a class="button" href="/sign-in">Sign in</a></p>`;

export interface Problem {
  readonly message: string;
  /** What to do about it. */
  readonly hint: string | null;
  readonly account: string;
  /** Where the user came from. */
  readonly back: string;
}

/** What was asked cannot be done: why, and what to do. */
export function problemPage(frame: Frame, { message, hint, account, back }: Problem): string {
  return pageOf(frame, {
    title: "That cannot be done",
    account,
    body: html`
<div class="state incomplete" role="alert"><p><strong><span aria-hidden="true">▲</span> ${sentence(message)}</strong></p>${
      hint === null ? null : html`<p>${sentence(hint)}</p>`
    }</div>
<p><a class="button" href="${back}">Back</a></p>`,
  });
}
