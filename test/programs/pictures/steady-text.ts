import { relative } from "node:path";

/** Makes the same what differs from run to run and from machine to machine: folders, ports, times of the run. */
export function steadyText(text: string, root: string, today: string): string {
  const folder = relative("/", root);
  return text
    .replaceAll(`/${folder}/`, "")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:8080")
    .replaceAll(new RegExp(`${today}T\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z`, "g"), "2026-02-01T09:00:00.000Z")
    .replaceAll(today, "2026-02-01");
}
