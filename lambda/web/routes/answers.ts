import type { PageAnswer } from "../request.ts";
import { refusedPage } from "../views/notices.ts";
import type { Refused } from "./route-context.ts";

export function page(markup: string, status = 200): PageAnswer {
  return { status, headers: { "content-type": "text/html; charset=utf-8" }, body: markup };
}

/** To another page, by GET. */
export function seeOther(location: string): PageAnswer {
  return { status: 303, headers: { location }, body: "" };
}

/** The same for what there is not and for what is not theirs. */
export function notThere(why: string): Refused {
  return { refused: why, answer: page(refusedPage(), 404) };
}

/** Words alone: for what no link and no form of the page leads to. */
export function words(status: number, text: string, headers: PageAnswer["headers"] = {}): PageAnswer {
  return { status, headers: { ...headers, "content-type": "text/plain; charset=utf-8" }, body: `${text}\n` };
}
