import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** hledger is not among the project's packages. It is unpacked in a place that git and `npm ci` ignore. */
const FOLDER = join(import.meta.dirname, "../../../../node_modules/.cache/fillbook-hledger-1");

/** How to call it, or why it is not available. */
export type Hledger =
  | { readonly program: string; readonly environment: Readonly<Record<string, string>> }
  | { readonly missing: string };

export async function installHledger(): Promise<Hledger> {
  const marker = join(FOLDER, "installed.json");
  try {
    if (!existsSync(marker)) {
      await rm(FOLDER, { recursive: true, force: true });
      await mkdir(FOLDER, { recursive: true });
      await writeFile(marker, JSON.stringify(await install(FOLDER)));
    }
    return JSON.parse(await readFile(marker, "utf8"));
  } catch (error) {
    const lines = String(error instanceof Error ? error.message : error)
      .trim()
      .split("\n");
    // Without addresses, because each machine chooses its own package index.
    return { missing: `not installed: ${lines.at(-1)?.replaceAll(/https?:\S+/g, "…")}` };
  }
}

/**
 * Unpacks hledger of this Debian or Ubuntu with its libraries into a folder, which needs no system rights.
 * The package lists are downloaded into the folder too, because a fresh container has none.
 */
async function install(folder: string): Promise<Hledger> {
  const state = ["lists/partial", "cache/archives/partial", "packages"].map((name) => join(folder, name));
  await Promise.all(state.map((path) => mkdir(path, { recursive: true })));
  const packages = join(folder, "packages");
  const options = [
    `Dir::State::lists=${join(folder, "lists")}`,
    `Dir::Cache=${join(folder, "cache")}`,
    "APT::Sandbox::User=",
    "Acquire::Languages=none",
  ].flatMap((option) => ["-o", option]);
  const apt = (...args: string[]) => run("apt-get", [...options, ...args], { cwd: packages });
  await apt("update");
  await apt("download", "hledger");
  const [hledger = ""] = await readdir(packages);
  const { stdout } = await run("dpkg-deb", ["--field", join(packages, hledger), "Depends"]);
  const libraries = [...stdout.matchAll(/\b(?!libc6\b)lib[a-z0-9.+-]+/g)].map(([name]) => name);
  await apt("download", ...libraries);
  for (const name of await readdir(packages)) {
    await run("dpkg-deb", ["--extract", join(packages, name), folder]);
  }
  const { stdout: places } = await run("find", [folder, "-name", "lib*.so.*", "-printf", "%h\n"]);
  const environment = { LD_LIBRARY_PATH: [...new Set(places.trim().split("\n"))].join(":"), LANG: "C.UTF-8" };
  const program = join(folder, "usr/bin/hledger");
  await run(program, ["--version"], { env: { ...process.env, ...environment } });
  await rm(join(folder, "lists"), { recursive: true });
  return { program, environment };
}
