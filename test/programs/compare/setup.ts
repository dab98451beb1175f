import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { installPython } from "../../support/python-tool.ts";

const run = promisify(execFile);

/**
 * The other tools are not among the project's packages. They are installed where git and `npm ci` ignore
 * them.
 */
const CACHE = join(import.meta.dirname, "../../../node_modules/.cache/fillbook-compare");
const REQUIREMENTS = join(import.meta.dirname, "requirements.txt");
const CCXT_VERSION = "4.5.84";

/** Where a tool is installed, and its version; or why it could not be installed. */
export type Installed = { readonly path: string; readonly version: string } | { readonly missing: string };

/** Installs ccxt and returns the folder of its package. */
export async function installCcxt(): Promise<Installed> {
  const prefix = join(CACHE, `ccxt-${CCXT_VERSION}`);
  const path = join(prefix, "node_modules/ccxt");
  return await installed(path, CCXT_VERSION, async () => {
    const wanted = ["--prefix", prefix, "--no-save", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund"];
    await run("npm", ["install", ...wanted, `ccxt@${CCXT_VERSION}`]);
  });
}

/** Installs exactly requirements.txt into a virtual environment and returns its interpreter. */
export async function installDlt(): Promise<Installed> {
  const version = /^dlt==(.+)$/m.exec(await readFile(REQUIREMENTS, "utf8"))?.[1] ?? "";
  const tool = await installPython(REQUIREMENTS);
  return "missing" in tool ? tool : { path: tool.python, version };
}

async function installed(path: string, version: string, install: () => Promise<void>): Promise<Installed> {
  const marker = join(CACHE, `${createHash("sha256").update(path).digest("hex").slice(0, 16)}.done`);
  try {
    if (!(existsSync(marker) && existsSync(path))) {
      await rm(marker, { force: true });
      await mkdir(CACHE, { recursive: true });
      await install();
      await writeFile(marker, "");
    }
    return { path, version };
  } catch (error) {
    const lines = String(error instanceof Error ? error.message : error)
      .trim()
      .split("\n");
    // The message contains no addresses, because a machine's package index is private.
    return { missing: `not installed: ${lines.at(-1)?.replaceAll(/https?:\S+/g, "…")}` };
  }
}
