import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Not in the project's own packages: the programs are installed where git and `npm ci` do not look. */
const CACHE = join(import.meta.dirname, "../../node_modules/.cache/fillbook-pack-readers");

/** How a program is called; or why it could not be had. */
export type Installed =
  | { readonly program: string; readonly environment: Readonly<Record<string, string>> }
  | { readonly missing: string };

/** What a virtual environment holds: no more than is called. */
const ENVIRONMENTS = {
  "beancount 2": ["beancount==2.3.6", "python-dateutil==4.0.0"],
  "beancount 3": ["beancount==3.2.3", "click==8.5.1", "python-dateutil==4.0.0", "regex==2026.11.15"],
  lxml: ["lxml==6.1.3"],
} as const;

/** The interpreter of a virtual environment with a package. */
export async function installPython(name: keyof typeof ENVIRONMENTS): Promise<Installed> {
  const packages = ENVIRONMENTS[name];
  const venv = folderOf(name.replace(" ", "-"), packages.join(" "));
  const program = join(venv, "bin/python");
  return await installed(venv, async () => {
    await run("python3", ["-m", "venv", venv]);
    const options = ["--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"];
    await run(program, ["-m", "pip", "install", ...options, ...packages]);
    return { program, environment: {} };
  });
}

/**
 * hledger of the Debian or Ubuntu that this is, with its libraries, unpacked into a folder: no rights over the system are needed. The lists of packages are
 * fetched into the folder too, since a fresh container has none.
 */
export async function installHledger(): Promise<Installed> {
  const folder = folderOf("hledger", "1");
  return await installed(folder, async () => {
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
  });
}

function folderOf(name: string, what: string): string {
  return join(CACHE, `${name}-${createHash("sha256").update(`${CACHE} ${what}`).digest("hex").slice(0, 16)}`);
}

async function installed(
  folder: string,
  install: () => Promise<Exclude<Installed, { missing: string }>>,
): Promise<Installed> {
  const marker = join(folder, "installed.json");
  try {
    if (!existsSync(marker)) {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
      await writeFile(marker, JSON.stringify(await install()));
    }
    return JSON.parse(await readFile(marker, "utf8"));
  } catch (error) {
    const lines = String(error instanceof Error ? error.message : error)
      .trim()
      .split("\n");
    // Without addresses: which package index a machine uses is its own affair.
    return { missing: `not installed: ${lines.at(-1)?.replaceAll(/https?:\S+/g, "…")}` };
  }
}
