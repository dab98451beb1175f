import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../leftovers.ts";
import { run } from "./run.ts";

// `fillbook open` with a real program to open files, or none.

let folder = "";
let report = "";

beforeEach(() => {
  folder = temporaryFolder();
  const pack = join(folder, "main/packs/us-2025/0123456789abcdef");
  report = join(pack, "report.html");
  mkdirSync(pack, { recursive: true });
  writeFileSync(report, "<html></html>");
  writeFileSync(join(pack, "SHA256SUMS"), "");
  vi.stubEnv("PATH", folder);
});

afterEach(() => vi.unstubAllEnvs());

const open = (tty: boolean, ...flags: readonly string[]) =>
  run(["open", "us-2025", "--store", folder, ...flags], { tty });

test.each([true, false])("no browser was opened, which is said with the file (a terminal: %s)", async (tty) => {
  const stderr = `No browser was opened; open this file: ${report}\n`;
  expect(await open(tty)).toEqual({ code: 0, stdout: `${report}\n`, stderr });
});

test.each(["--no-open", "--quiet", "--json"])("nothing is said with %s", async (flag) => {
  expect(await open(false, flag)).toMatchObject({ code: 0, stderr: "" });
});

test.runIf(process.platform === "linux")("a browser that was opened needs no word", async () => {
  const opener = join(folder, "xdg-open");
  writeFileSync(opener, `#!/bin/sh\necho "$1" > ${folder}/opened\n`);
  chmodSync(opener, 0o700);
  expect(await open(true)).toMatchObject({ code: 0, stderr: "" });
  await vi.waitFor(() => expect(existsSync(join(folder, "opened"))).toBe(true));
});
