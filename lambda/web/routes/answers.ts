import { FillbookError } from "../../core/errors.ts";
import { sizeText } from "../../core/text.ts";
import type { Obstacle } from "../ports.ts";
import type { PageAnswer } from "../request.ts";
import type { Frame } from "../views/frame.ts";
import { formLink } from "../views/links.ts";
import { damagedPage, notFromHerePage, type Place, refusedPage, troublePage } from "../views/notices.ts";

export function page(markup: string, status = 200, headers: PageAnswer["headers"] = {}): PageAnswer {
  return { status, headers: { ...headers, "content-type": "text/html; charset=utf-8" }, body: markup };
}

/** Redirects to another page by GET. */
export function seeOther(location: string): PageAnswer {
  return { status: 303, headers: { location }, body: "" };
}

/** The same answer for what does not exist and for what the user may not see. */
export function notThere(why: string, frame: Frame): PageAnswer {
  return { ...page(refusedPage(frame), 404), refused: why };
}

/** `path`: where it was sent. */
export function notFromThere(why: string, place: Place | null = null, path = ""): PageAnswer {
  const form = place?.account === undefined ? null : formLink(path, place.account);
  return { ...page(notFromHerePage(place, form), 403), refused: why };
}

export function wrongMethod(allowed: readonly string[], place: Place | null = null): PageAnswer {
  const advice = "This address does not accept this kind of request. Open the page again and continue from there.";
  const answer = page(troublePage("That cannot be done here", advice, place), 405, { allow: allowed.join(", ") });
  return { ...answer, refused: "wrong method" };
}

/** `mostFileBytes`: where a file was sent, how large it may be. */
export function tooLarge(mostFileBytes: number | null, place: Place | null): PageAnswer {
  const advice =
    mostFileBytes === null
      ? "The request is larger than this page accepts. Nothing was changed."
      : `The file is larger than ${sizeText(mostFileBytes)}, the largest size that this page accepts. Nothing was changed. Go back and choose a smaller file with only what your periods need.`;
  return { ...page(troublePage("Too large", advice, place), 413), refused: "too large" };
}

/** What is damaged in a store, and what to do; null: the error is another one. */
export function damageOf(error: unknown): Obstacle | null {
  return error instanceof FillbookError && error.kind === "untrusted" ? error : null;
}

/** For users of the place's account. `path`: the page that cannot be shown. */
export function damaged(damage: Obstacle, place: Place, path: string): PageAnswer {
  return { ...page(damagedPage(damage, place, path), 500), refused: damage.message };
}

/** Tells the user nothing about the error. */
export function fault(): PageAnswer {
  const advice = "The error was recorded for whoever runs this page. Try again in a minute.";
  return page(troublePage("Something went wrong", advice), 500);
}
