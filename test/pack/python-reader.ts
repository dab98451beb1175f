import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { installPython } from "../support/python-tool.ts";

const run = promisify(execFile);
const MOST_BYTES = 400_000_000;

export interface PythonReader {
  /** Why it cannot read; empty if it can. */
  readonly missing: string;
  /** The script's output for these files, parsed as JSON. */
  read(files: readonly (string | Uint8Array)[]): Promise<unknown>;
}

/**
 * A script in a folder, with the packages of that folder's requirements.txt, for files whose names end with
 * `suffix`.
 */
export async function pythonReader(folder: string, script: string, suffix: string): Promise<PythonReader> {
  const installed = await installPython(join(folder, "requirements.txt"));
  return {
    missing: "missing" in installed ? ` (skipped: ${installed.missing})` : "",
    read: async (files) => {
      if ("missing" in installed) {
        throw new Error(installed.missing);
      }
      const own = await mkdtemp(join(tmpdir(), "fillbook-reader-"));
      try {
        const paths = files.map((_, at) => join(own, `${at}${suffix}`));
        await Promise.all(files.map((file, at) => writeFile(paths[at] ?? "", file)));
        const { stdout } = await run(installed.python, ["-W", "error", join(folder, script), ...paths], {
          maxBuffer: MOST_BYTES,
        });
        return JSON.parse(stdout);
      } finally {
        await rm(own, { recursive: true });
      }
    },
  };
}
