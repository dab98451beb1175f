import { join } from "node:path";
import { expect } from "vitest";
import { type ErrorKind, EXIT_CODES } from "../../lambda/core/errors.ts";
import { covers } from "../../lambda/core/ranges.ts";
import { openFolderStore } from "../../lambda/storage/folder.ts";
import { type Ran, run } from "../cli/commands/run.ts";
import { SAMPLE_TOKEN } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";
import { temporaryFolder } from "../leftovers.ts";
import { audit, SOUND } from "../support/auditor.ts";
import { IN_PROCESS_URL } from "../support/client-job.ts";
import { makeBench } from "../support/job.ts";

const FROM = Date.UTC(2025, 0, 1);
const TO = Date.UTC(2025, 3, 1);
/** The three months of the test account. */
export const RANGE = ["--from", "2025-01-01", "--to", "2025-04-01"] as const;
const FILLS = 400;

export type World = ReturnType<typeof openWorld>;

/** A person's machine: a folder, the emulated service, and the command line, all in this process. */
export function openWorld() {
  const path = join(temporaryFolder(), "store");
  const history = makeHistory({ seed: 11, fills: FILLS, from: FROM, to: TO });
  const { job, emulator } = makeBench({ history });
  return {
    emulator,
    /** The store's folder. It may not exist yet. */
    path,
    store: openFolderStore(path),
    /** Runs a command line, with `--json --quiet`. */
    type: (line: readonly string[], more: Readonly<Record<string, string>> = {}) => {
      const environment = {
        FILLBOOK_STORE: path,
        FILLBOOK_ACCOUNT_URL: IN_PROCESS_URL,
        FILLBOOK_TOKEN: SAMPLE_TOKEN,
        FILLBOOK_HURRY: "1",
        FILLBOOK_JSON: "1",
        FILLBOOK_QUIET: "1",
        ...more,
      };
      return run(line, { environment, components: { reader: () => Promise.resolve(job.reader) } });
    },
  };
}

export interface Told {
  readonly kind: ErrorKind;
  /** Parts of the message that a person needs. */
  readonly says: readonly (string | RegExp)[];
  /** Part of the hint: what to do. */
  readonly hint: string | RegExp;
}

/**
 * Checks the exit code, the message and the hint. Both must be the same on stderr and in the object on
 * stdout. The token must be in neither.
 */
export function expectTold(ran: Ran, { kind, says, hint }: Told, token = SAMPLE_TOKEN): Record<string, unknown> {
  const shown = JSON.parse(ran.stdout);
  const { error } = shown;
  expect(error).toMatchObject({ kind });
  for (const words of says) {
    expect(error.message).toMatch(words);
  }
  expect(error.hint).toMatch(hint);
  expect(ran.code).toBe(EXIT_CODES[kind]);
  expect(ran.stderr).toMatch(/^fillbook [a-z-]+: /);
  expect(ran.stderr.slice(ran.stderr.indexOf(": ") + 2)).toBe(`${error.message}\n  ${error.hint}\n`);
  expect(ran.stdout + ran.stderr).not.toContain(token);
  return shown;
}

/**
 * The next run, undisturbed, must end complete, with every fill once and no false claim of coverage, by an
 * independent reader.
 */
export async function expectRecovers({ type, path, emulator }: World): Promise<void> {
  const ran = await type(["sync", ...RANGE]);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(ran.stdout)).toMatchObject({ complete: true, fills: FILLS });
  const report = await audit(openFolderStore(path), "main", emulator.truth());
  expect(report).toMatchObject({ ...SOUND, rows: FILLS });
  expect(covers(report.coverage, { from: FROM, to: TO })).toBe(true);
}
