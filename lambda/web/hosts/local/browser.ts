import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/**
 * Opens an address in the person's browser, by a file of theirs that leads there: arguments are seen by everybody on the machine, and this address holds a
 * key. Resolves to what takes the file away again. That there is no browser is no error.
 */
export async function openBrowser(url: string, start = openFile): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "fillbook-"));
  const file = join(folder, "open.html");
  const page = `<!DOCTYPE html>\n<meta charset="utf-8">\n<meta http-equiv="refresh" content="0; url=${url}">\n<title>fillbook</title>\n`;
  await writeFile(file, page, { mode: 0o600 });
  start(file);
  return () => rm(folder, { recursive: true, force: true });
}

/** Opens a file with the program that the person has chosen for its kind. That there is none is no error. */
export function openFile(file: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const opener = spawn(command, [...args, file], { stdio: "ignore", detached: true });
  opener.on("error", () => undefined);
  opener.unref();
}
