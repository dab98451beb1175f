import { relative } from "node:path";

/** Replaces what differs from run to run and between machines: folders, ports and times of the run. */
export function steadyText(text: string, root: string, today: string): string {
  const folder = relative("/", root);
  return text
    .replaceAll(`/${folder}/`, "")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080")
    .replaceAll(new RegExp(`${today}T\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z`, "g"), "2026-02-01T09:00:00.000Z")
    .replaceAll(new RegExp(`${today} \\d\\d:\\d\\d UTC`, "g"), "2026-02-01 09:00 UTC")
    .replaceAll(today, "2026-02-01");
}

/** The same for the page, which writes times for people and names the signed-in user. */
export function steadyPage(markup: string, user: string): string {
  return markup
    .replaceAll(/\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d UTC/g, "1 Feb 2026 09:00 UTC")
    .replaceAll(/\(\d+ days(?: \d+ hours?)?\)/g, "(30 days)")
    .replaceAll(`>${user}<`, ">ann<");
}
