import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Folders that setup.ts removes after the tests of a file. Several test files may share the module that made
 * them.
 */
export const leftovers: string[] = [];

/** A new folder, which is removed after the file's tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "fillbook-test-"));
  leftovers.push(folder);
  return folder;
}
