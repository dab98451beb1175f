import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { installPython } from "../../../support/python-tool.ts";

const run = promisify(execFile);

const REQUIREMENTS = join(import.meta.dirname, "requirements.txt");
const SCRIPT = join(import.meta.dirname, "read.py");
const MOST_BYTES = 400_000_000;

/** The interpreter that has openpyxl; or why it could not be had. */
export function installOpenpyxl(): ReturnType<typeof installPython> {
  return installPython(REQUIREMENTS);
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
