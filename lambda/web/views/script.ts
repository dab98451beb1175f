/**
 * Updates the page of a running job: it replaces the parts marked `data-live` with what the same address
 * shows now. While nobody answers, or the server answers with an error or is busy, it says so and keeps
 * asking; a reload would show the browser's own error page, which does not ask again. Any other answer (the
 * session has ended) is left to the browser by reloading.
 */
export const SCRIPT = `"use strict";
const LOST = "This page cannot be reached at the moment. It is asked again every few seconds.";
const live = (page) => [...page.querySelectorAll("[data-live]")];
const running = () => document.querySelector("[data-running]") !== null;
async function look() {
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    if (answer.status === 429 || answer.status >= 500) throw new Error("not now");
    const next = new DOMParser().parseFromString(await answer.text(), "text/html");
    const parts = live(next);
    if (!answer.ok || parts.length === 0) return location.reload();
    for (const part of live(document)) {
      const now = parts.find((one) => one.id === part.id);
      if (now !== undefined && now.innerHTML !== part.innerHTML) part.replaceChildren(...now.childNodes);
    }
    document.title = next.title;
    if (running()) setTimeout(look, 2000);
  } catch {
    const note = document.querySelector("#note p");
    if (note.textContent !== LOST) note.textContent = LOST;
    setTimeout(look, 5000);
  }
}
if (running()) setTimeout(look, 2000);
`;
