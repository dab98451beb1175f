import type { PageAnswer } from "../request.ts";
import { refusedPage } from "../views/notices.ts";

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
  return { ...words(403, "Not from there. Open the page again, and go on from it."), refused: why };
}

export function wrongMethod(allowed: readonly string[]): PageAnswer {
  return { ...words(405, "Not in this way.", { allow: allowed.join(", ") }), refused: "wrong method" };
}

/** Words alone: for what no link and no form of the page leads to. */
export function words(status: number, text: string, headers: PageAnswer["headers"] = {}): PageAnswer {
  return { status, headers: { ...headers, "content-type": "text/plain; charset=utf-8" }, body: `${text}\n` };
}
