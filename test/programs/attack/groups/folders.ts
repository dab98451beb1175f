import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { withoutSecret } from "../attack.ts";

/** Runs an attack in a new folder, which is removed afterwards. */
export async function inFolder(tried: (folder: string) => Promise<string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fillbook-attack-"));
  try {
    return await tried(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Every name below a folder: a file with the hash of its bytes, a link with its target. No file may contain
 * the token.
 */
export async function filesIn(folder: string): Promise<(readonly [path: string, content: string])[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = await Promise.all(
    names.map(async (one) => {
      const path = join(one.parentPath, one.name);
      const bytes = one.isFile() ? await readFile(path) : Buffer.from("");
      withoutSecret(bytes.toString("latin1"));
      return [relative(folder, path), createHash("sha256").update(bytes).digest("hex")] as const;
    }),
  );
  return found.sort(([a], [b]) => (a < b ? -1 : 1));
}
