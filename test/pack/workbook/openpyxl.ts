import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Where git and `npm ci` do not look. */
const CACHE = join(import.meta.dirname, "../../../node_modules/.cache/fillbook-openpyxl");
const REQUIREMENTS = join(import.meta.dirname, "requirements.txt");
const SCRIPT = join(import.meta.dirname, "read.py");
const MOST_BYTES = 400_000_000;

/** The interpreter of a virtual environment that holds exactly requirements.txt; or why it could not be had. */
export async function installOpenpyxl(): Promise<{ readonly python: string } | { readonly missing: string }> {
  const digest = createHash("sha256")
    .update(await readFile(REQUIREMENTS))
    .digest("hex");
  const venv = join(CACHE, digest.slice(0, 16));
  const python = join(venv, process.platform === "win32" ? "Scripts" : "bin", "python");
  const marker = join(venv, "done");
  try {
    if (!existsSync(marker)) {
      await mkdir(CACHE, { recursive: true });
      await run("python3", ["-m", "venv", "--clear", venv]);
      await run(python, ["-m", "pip", "install", "--disable-pip-version-check", "--no-deps", "-r", REQUIREMENTS]);
      await writeFile(marker, "");
    }
    return { python };
  } catch (error) {
    const lines = String(error instanceof Error ? error.message : error)
      .trim()
      .split("\n");
    // Without addresses: which package index a machine uses is its own affair.
    return { missing: `not installed: ${lines.at(-1)?.replaceAll(/https?:\S+/g, "…")}` };
  }
}

export interface ReadCell {
  readonly at: string;
  /** s: text, n: number, f: formula, d: time, as openpyxl calls them */
  readonly type: string;
  /** Of a formula the value that is stored with it; a time without a zone. */
  readonly value: string | null;
  readonly formula: string | null;
  readonly format: string;
  readonly bold: boolean;
}

export interface ReadSheet {
  readonly name: string;
  readonly frozen: string | null;
  readonly titles: string | null;
  readonly landscape: boolean;
  readonly fit: readonly unknown[];
  readonly filter: string | null;
  readonly cells: readonly ReadCell[];
}

export interface ReadWorkbook {
  readonly sheets: readonly ReadSheet[];
  readonly entries: readonly { readonly name: string; readonly time: readonly number[] }[];
  readonly broken: string | null;
  readonly title: string;
  readonly creator: string;
  readonly created: string;
  readonly modified: string;
}

export async function readWorkbook(python: string, bytes: Uint8Array): Promise<ReadWorkbook> {
  const folder = await mkdtemp(join(tmpdir(), "fillbook-workbook-"));
  try {
    const path = join(folder, "workbook.xlsx");
    await writeFile(path, bytes);
    const { stdout } = await run(python, ["-W", "error", SCRIPT, path], { maxBuffer: MOST_BYTES });
    return JSON.parse(stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
}
