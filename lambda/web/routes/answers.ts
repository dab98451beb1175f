import type { PageAnswer } from "../request.ts";
import { sizeText } from "../views/format.ts";
import { notFromHerePage, refusedPage, troublePage } from "../views/notices.ts";

export function page(markup: string, status = 200, headers: PageAnswer["headers"] = {}): PageAnswer {
  return { status, headers: { ...headers, "content-type": "text/html; charset=utf-8" }, body: markup };
}

/** To another page, by GET. */
export function seeOther(location: string): PageAnswer {
  return { status: 303, headers: { location }, body: "" };
}

/** The same for what there is not and for what is not theirs. */
export function notThere(why: string): PageAnswer {
  return { ...page(refusedPage(), 404), refused: why };
}

export function notFromThere(why: string): PageAnswer {
  return { ...page(notFromHerePage(), 403), refused: why };
}

export function wrongMethod(allowed: readonly string[]): PageAnswer {
  const advice = "This address does not take what was sent to it. Open the page again and go on from there.";
  const answer = page(troublePage("That cannot be done here", advice), 405, { allow: allowed.join(", ") });
  return { ...answer, refused: "wrong method" };
}

/** `mostFileBytes`: where a file was sent, how large it may be. */
export function tooLarge(mostFileBytes: number | null): PageAnswer {
  const advice =
    mostFileBytes === null
      ? "What was sent is larger than this page takes. Nothing was changed."
      : `The file is larger than ${sizeText(mostFileBytes)}, the most that this page takes. Nothing was changed. Go back and choose a smaller file, with what your periods need alone.`;
  return { ...page(troublePage("Too large", advice), 413), refused: "too large" };
}

/** Says nothing of what went wrong. */
export function fault(): PageAnswer {
  const advice = "The error was recorded for whoever runs this page. Try again in a minute.";
  return page(troublePage("Something went wrong", advice), 500);
}
