import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { FillbookError } from "../errors.ts";
import type { PackFile } from "../job.ts";
import type { Store } from "../store/store.ts";
import type { Pack } from "./publish.ts";

/**
 * Copies a pack into a plain folder, checking every hash on the way. Throws `usage` when a file of another content is in the way: nothing is
 * overwritten; `untrusted` when the store's object is not what the pack says.
 */
export async function copyPack(
  store: Store,
  { dir, files }: Pick<Pack, "dir" | "files">,
  outFolder: string,
): Promise<void> {
  await mkdir(outFolder, { recursive: true });
  const missing: PackFile[] = [];
  for (const file of files) {
    if (!(await isThere(join(outFolder, file.path), file))) {
      missing.push(file);
    }
  }
  for (const file of missing) {
    await copyFile(store, `${dir}/${file.path}`, file, join(outFolder, file.path));
  }
}

/** Whether the file is there already with the same bytes. */
async function isThere(path: string, { sha256 }: PackFile): Promise<boolean> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk);
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return false;
    }
    throw error;
  }
  if (hash.digest("hex") === sha256) {
    return true;
  }
  throw new FillbookError("usage", `${path} is there already, with other content`, {
    hint: "nothing was overwritten: name an empty folder with --out, or move the file away",
  });
}

async function copyFile(store: Store, key: string, { sha256 }: PackFile, path: string): Promise<void> {
  const stream = await store.openStream(key);
  if (stream === null) {
    throw new FillbookError("untrusted", `${store.location}/${key} is missing`, { hint: "export again" });
  }
  await mkdir(dirname(path), { recursive: true });
  // Several runs may copy into one folder at once.
  const partial = `${path}.${process.pid}.partial`;
  const hash = createHash("sha256");
  const file = await open(partial, "w");
  try {
    for await (const chunk of stream) {
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  if (hash.digest("hex") !== sha256) {
    await rm(partial);
    throw new FillbookError("untrusted", `${store.location}/${key} is damaged: its sha256 is not ${sha256}`, {
      hint: "move the pack away and export again",
    });
  }
  await rename(partial, path);
}
