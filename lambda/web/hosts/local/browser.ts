import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/**
 * Opens an address in the user's browser, through a private file that leads there: everybody on the machine
 * can see a program's arguments, and this address contains a key. Resolves to a function that removes the
 * file. A missing browser is not an error.
 */
export async function openBrowser(
  url: string,
  start: (file: string) => unknown = openFile,
): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "fillbook-"));
  const file = join(folder, "open.html");
  const page = `<!DOCTYPE html>\n<meta charset="utf-8">\n<meta http-equiv="refresh" content="0; url=${url}">\n<title>fillbook</title>\n`;
  await writeFile(file, page, { mode: 0o600 });
  await start(file);
  return () => rm(folder, { recursive: true, force: true });
}

/** Opens a file with the user's program for its kind. Resolves to false if there is no such program. */
export async function openFile(file: string): Promise<boolean> {
  const [command, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const opener = spawn(command, [...args, file], { stdio: "ignore", detached: true });
  opener.unref();
  return await once(opener, "spawn").then(
    () => true,
    () => false,
  );
}
