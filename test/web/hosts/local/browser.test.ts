import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { openBrowser } from "../../../../lambda/web/hosts/local/browser.ts";

test("the browser opens a file that only its user can read and that redirects, so the key is in no process list", async () => {
  const url = "http://127.0.0.1:4711/?key=abc-123";
  const opened: string[] = [];
  const forget = await openBrowser(url, (file) => opened.push(file));
  const [file = ""] = opened;
  expect(opened.join()).not.toContain("abc-123");
  expect(await readFile(file, "utf8")).toContain(`content="0; url=${url}"`);
  expect((await stat(file)).mode & 0o077).toBe(0);
  await forget();
  expect(existsSync(file)).toBe(false);
});
