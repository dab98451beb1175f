/**
 * Of the page of a job: while it runs, the parts that are marked `data-live` are replaced by what the same address shows now. When
 * that cannot be had, the page is loaded again.
 */
export const SCRIPT = `"use strict";
const live = (page) => [...page.querySelectorAll("[data-live]")];
const running = () => document.querySelector("[data-running]") !== null;
async function look() {
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    const parts = live(next);
    if (!answer.ok || parts.length === 0) throw new Error("another page");
    for (const part of live(document)) {
      const now = parts.find((one) => one.id === part.id);
      if (now !== undefined && now.innerHTML !== part.innerHTML) part.replaceChildren(...now.childNodes);
    }
    document.title = next.title;
    if (running()) setTimeout(look, 2000);
  } catch {
    setTimeout(() => location.reload(), 5000);
  }
}
if (running()) setTimeout(look, 2000);
`;
