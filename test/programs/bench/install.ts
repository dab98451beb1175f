import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { installPython } from "../../support/python-tool.ts";

/** Where other tools are installed: git and `npm ci` ignore it. */
const CACHE = join(import.meta.dirname, "../../../node_modules/.cache");
export const CCXT_VERSION = "4.5.84";

/** The folder of ccxt's package. */
export async function installCcxt(): Promise<string> {
  const folder = join(CACHE, `fillbook-ccxt-${CCXT_VERSION}`);
  if (!existsSync(folder)) {
    await mkdir(CACHE, { recursive: true });
    const own = await mkdtemp(join(CACHE, "new-ccxt-"));
    const wanted = ["--prefix", own, "--no-save", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund"];
    await promisify(execFile)("npm", ["install", ...wanted, `ccxt@${CCXT_VERSION}`]);
    await rename(own, folder);
  }
  return join(folder, "node_modules/ccxt");
}

/** The interpreter that has the packages of a requirements file; its path is relative to test/. */
export async function pythonWith(requirements: string): Promise<string> {
  const installed = await installPython(join(import.meta.dirname, "../..", requirements));
  if ("missing" in installed) {
    throw new Error(`${requirements}: ${installed.missing}`);
  }
  return installed.python;
}
