import type { ContentfulStatusCode } from "hono/utils/http-status";
import { accountsIn } from "../../core/account-name.ts";
import { FillbookError } from "../../core/errors.ts";
import { sizeText } from "../../core/text.ts";
import type { PageContext, Visitor } from "../page-context.ts";
import type { Obstacle, Role } from "../ports.ts";
import { documentOf, type PageParts } from "../views/frame.ts";
import { damagedPage, notFromHerePage, refusedPage, troublePage } from "../views/notices.ts";

/** Null: nobody is signed in. */
export function visitorOf(c: PageContext): Visitor | null {
  return c.get("visitor") ?? null;
}

/** Of theirs; undefined: the page is of none. */
function accountOf(c: PageContext): string | undefined {
  return c.get("account");
}

/** In an account, or in each of several together; null: the user may not see it, or one of them. */
export function roleOf({ user }: Visitor, account: string): Role | null {
  const roles = accountsIn(account).map((one) => user.roleIn(one));
  return roles.includes(null) ? null : (roles[0] ?? null);
}

/**
 * The page's own addresses in attributes; they begin with a slash. Text from outside cannot match, because
 * its quotes are escaped.
 */
const ADDRESS = / (?:href|action|src)="(?=\/)/g;

export function page(c: PageContext, parts: PageParts, status: ContentfulStatusCode = 200): Response {
  const visitor = visitorOf(c);
  return c.html(
    documentOf(parts, visitor, c.get("isGroup")).replaceAll(ADDRESS, (start) => start + (visitor?.root ?? "")),
    status,
  );
}

/** `why`: a few words, for the log only. */
export function refuse(c: PageContext, why: string, parts: PageParts, status: ContentfulStatusCode): Response {
  c.set("refused", why);
  return page(c, parts, status);
}

/** Redirects to another page by GET. */
export function seeOther(c: PageContext, path: string): Response {
  return c.redirect(`${c.var.visitor.root}${path}`, 303);
}

/** The same answer for what does not exist and for what the user may not see. */
export function notThere(c: PageContext, why: string): Response {
  return refuse(c, why, refusedPage(), 404);
}

export function notFromThere(c: PageContext, why: string): Response {
  return refuse(c, why, notFromHerePage(accountOf(c)), 403);
}

export function wrongMethod(c: PageContext, allowed: readonly string[]): Response {
  const advice = "This address does not accept this kind of request. Open the page again and continue from there.";
  c.header("allow", allowed.join(", "));
  return refuse(c, "wrong method", troublePage("That cannot be done here", advice, accountOf(c)), 405);
}

/** `mostFileBytes`: where a file was sent, how large it may be. */
export function tooLarge(c: PageContext, mostFileBytes: number | null): Response {
  const advice =
    mostFileBytes === null
      ? "The request is larger than this page accepts. Nothing was changed."
      : `The file is larger than ${sizeText(mostFileBytes)}, the largest size that this page accepts. Nothing was changed. Go back and choose a smaller file with only what your periods need.`;
  return refuse(c, "too large", troublePage("Too large", advice, accountOf(c)), 413);
}

/** What a form says of a usage error, without a hint that is for a command line. Throws any other error. */
export function obstacleIn(error: unknown): Obstacle {
  if (!(error instanceof FillbookError && error.kind === "usage")) {
    throw error;
  }
  const { message, hint } = error;
  return hint?.includes("--") === true ? { message } : { message, hint };
}

/** What is damaged in a store, and what to do; null: the error is another one. */
export function damageOf(error: unknown): Obstacle | null {
  return error instanceof FillbookError && error.kind === "untrusted" ? error : null;
}

/** Users of the account learn what is damaged; nobody else learns anything of an error. Null: it is none of theirs. */
export function damaged(c: PageContext, error: Error): Response | null {
  const account = accountOf(c);
  const damage = damageOf(error);
  return damage === null || account === undefined
    ? null
    : refuse(c, damage.message, damagedPage(damage, account, c.req.path), 500);
}

/** Tells the user nothing about the error. */
export const FAULT = troublePage(
  "Something went wrong",
  "The error was recorded for whoever runs this page. Try again in a minute.",
);
