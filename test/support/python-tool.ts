import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A place that git and `npm ci` ignore. */
const CACHE = join(import.meta.dirname, "../../node_modules/.cache/fillbook-python");

/**
 * The interpreter of a virtual environment with exactly the packages of a requirements file, or the reason
 * why there is none.
 */
export async function installPython(
  requirements: string,
): Promise<{ readonly python: string } | { readonly missing: string }> {
  const digest = createHash("sha256")
    .update(CACHE)
    .update(await readFile(requirements))
    .digest("hex");
  const venv = join(CACHE, digest.slice(0, 16));
  try {
    if (!existsSync(venv)) {
      // Test files run in parallel. Each one builds its own environment, and the first complete one gets the
      // name.
      await mkdir(CACHE, { recursive: true });
      const own = await mkdtemp(join(CACHE, "new-"));
      try {
        await run("python3", ["-m", "venv", own]);
        const install = ["-m", "pip", "install", "--disable-pip-version-check", "--no-deps", "-r", requirements];
        await run(join(own, "bin/python"), install);
        await rename(own, venv).catch(() => undefined); // another test file was first
      } finally {
        await rm(own, { recursive: true, force: true });
      }
    }
    return { python: join(venv, "bin/python") };
  } catch (error) {
    return notInstalled(error);
  }
}

/** Without addresses, because each machine chooses its own package index. */
export function notInstalled(error: unknown): { readonly missing: string } {
  const [line = ""] = String(error instanceof Error ? error.message : error)
    .trim()
    .split("\n")
    .slice(-1);
  return { missing: `not installed: ${line.replaceAll(/https?:\S+/g, "…")}` };
}
