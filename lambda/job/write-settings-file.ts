import { link, open, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { FillbookError } from "../core/errors.ts";
import { errorCode, folderError } from "../storage/folder-errors.ts";
import { PRIVATE_FILE } from "../storage/folder-files.ts";
import { SETTINGS_FILE } from "./settings.ts";

/**
 * Writes fillbook.json whole or not at all, readable by its user only. Resolves to its path. `replaces`: an
 * existing file may be replaced. Throws `usage` if one has appeared meanwhile.
 */
export async function writeSettingsFile(
  folder: string,
  values: Readonly<Record<string, unknown>>,
  replaces: boolean,
): Promise<string> {
  const path = join(folder, SETTINGS_FILE);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await unlink(temporary).catch(() => undefined); // of a process that was killed
    const handle = await open(temporary, "wx", PRIVATE_FILE);
    try {
      await handle.writeFile(`${JSON.stringify(values, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await (replaces ? rename(temporary, path) : link(temporary, path)); // link refuses to replace
  } catch (error) {
    if (errorCode(error) === "EEXIST") {
      throw new FillbookError("usage", `${path} was created meanwhile, and is unchanged`, {
        hint: "check it, then run fillbook init again",
        cause: error,
      });
    }
    throw folderError(error, "write", path);
  } finally {
    await unlink(temporary).catch(() => undefined); // renamed, it is gone already
  }
  return path;
}
