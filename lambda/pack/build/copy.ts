import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { FillbookError } from "../../core/errors.ts";
import type { PackFile } from "../../job/context.ts";
import { openFolderStore } from "../../storage/folder.ts";
import { removeTemporaries } from "../../storage/folder-files.ts";
import type { Store, StoreSink } from "../../storage/store.ts";
import { hashOf } from "./pack-file-writer.ts";
import type { Pack } from "./publish.ts";

/** Throws `usage` where the folder lies within a store: the pack's files would lie among those of the archive. */
export function checkOutFolder(outFolder: string | undefined, stores: readonly Pick<Store, "location">[]): void {
  const out = outFolder === undefined ? "" : `${followed(outFolder)}${sep}`;
  const around = stores.find(({ location }) => out.startsWith(`${followed(location)}${sep}`));
  if (around !== undefined) {
    throw new FillbookError("usage", `--out ${outFolder} is within the store ${around.location}`, {
      hint: "a copy of a pack would lie among the archive's own files: name a folder elsewhere",
    });
  }
}

/** Where a path leads, links followed as far as it is there. */
function followed(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    const parent = dirname(whole);
    return parent === whole ? whole : join(followed(parent), basename(whole));
  }
}

/**
 * Copies a pack into a plain folder, checking every hash on the way; several runs may copy into one folder at once. What a killed copy left half written is
 * gone in the end. Throws `usage` when a file of another content is in the way: nothing is overwritten; `untrusted` when the store's object is not what the
 * pack says.
 */
export async function copyPack(
  store: Store,
  { dir, files }: Pick<Pack, "dir" | "files">,
  outFolder: string,
): Promise<void> {
  const out = openFolderStore(outFolder);
  for (const file of await missingIn(files, out)) {
    await copyFile(store, `${dir}/${file.path}`, file, out);
  }
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) {
    await removeTemporaries(join(out.location, folder));
  }
}

/** Throws `usage` when a file of another content is in the way of a pack's copy. */
export async function checkCopy({ files }: Pick<Pack, "files">, outFolder: string): Promise<void> {
  await missingIn(files, openFolderStore(outFolder));
}

async function missingIn(files: readonly PackFile[], out: Store): Promise<PackFile[]> {
  const missing: PackFile[] = [];
  for (const file of files) {
    if (!(await isThere(out, file))) {
      missing.push(file);
    }
  }
  return missing;
}

/** Whether the file is there already with the same bytes. */
async function isThere(out: Store, { path, sha256 }: PackFile): Promise<boolean> {
  const found = await hashOf(out, path);
  if (found !== null && found !== sha256) {
    throw new FillbookError("usage", `${join(out.location, path)} is there already, with other content`, {
      hint: "nothing was overwritten: name an empty folder with --out, or move the file away",
    });
  }
  return found !== null;
}

async function copyFile(store: Store, key: string, file: PackFile, out: Store): Promise<void> {
  const stream = await store.openStream(key);
  if (stream === null) {
    throw new FillbookError("untrusted", `${store.location}/${key} is missing`, { hint: "export again" });
  }
  const sink = await out.createStream(file.path);
  try {
    const hash = createHash("sha256");
    for await (const chunk of stream) {
      hash.update(chunk);
      await sink.write(chunk);
    }
    if (hash.digest("hex") !== file.sha256) {
      throw new FillbookError("untrusted", `${store.location}/${key} is damaged: its sha256 is not ${file.sha256}`, {
        hint: "move the pack away and export again",
      });
    }
  } catch (error) {
    await sink.abort();
    throw error;
  }
  await land(sink, file, out);
}

/** Another run may have written the file meanwhile, and removed what this one was writing. */
async function land(sink: StoreSink, file: PackFile, out: Store): Promise<void> {
  const outcome = await sink.finish().catch((error: unknown) => error);
  if (outcome === "created" || (await isThere(out, file))) {
    return;
  }
  throw outcome instanceof Error
    ? outcome
    : new FillbookError("incomplete", `${join(out.location, file.path)} was there and is gone`, { hint: "run again" });
}
