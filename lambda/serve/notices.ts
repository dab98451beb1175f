import { strangersPage } from "../page/views/frame.ts";

/** Leads on to the page by itself: a redirect would still count as coming from wherever the link stood, and bring no cookie along. */
export function signedInPage(): string {
  return strangersPage({ title: "Signed in", body: { markup: '\n<p><a href="/">To your accounts</a></p>' } });
}
