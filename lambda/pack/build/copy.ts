import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { FillbookError } from "../../core/errors.ts";
import type { PackFile } from "../../job/context.ts";
import { openFolderStore } from "../../storage/folder.ts";
import { removeTemporaries } from "../../storage/folder-files.ts";
import type { Store, StoreSink } from "../../storage/store.ts";
import { hashOf } from "./pack-file-writer.ts";
import type { Pack } from "./publish.ts";

/** Throws `usage` where the folder is a symbolic link, or lies within a store: the pack's files would lie among those of the archive. */
export function checkOutFolder(outFolder: string | undefined, stores: readonly Pick<Store, "location">[]): void {
  if (outFolder !== undefined) {
    refuseLink(resolve(outFolder));
  }
  const out = outFolder === undefined ? "" : `${resolve(outFolder)}${sep}`;
  const around = stores.find(({ location }) => out.startsWith(`${resolve(location)}${sep}`));
  if (around !== undefined) {
    throw new FillbookError("usage", `--out ${outFolder} is within the store ${around.location}`, {
      hint: "a copy of a pack would lie among the archive's own files: name a folder elsewhere",
    });
  }
}

/** Whoever made the link decides where the files go, and who can read them. What is above the folder is its user's own way there. */
function refuseLink(folder: string): void {
  if (isLink(folder)) {
    throw new FillbookError("usage", `${folder} is a symbolic link: --out follows none`, {
      hint: "name the folder that it leads to, or move the link away",
    });
  }
}

/** What cannot be looked at is for the copy to refuse. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The folder, and each that a path leads through below it. */
function foldersTo(folder: string, path: string): readonly string[] {
  const names = path.split("/");
  return names.map((_, at) => join(folder, ...names.slice(0, at)));
}

/**
 * Copies a pack into a plain folder, or one below it, checking every hash on the way; several runs may copy into one folder at once. What a killed copy left half written is
 * gone in the end. Throws `usage` when a file of another content is in the way, or a symbolic link: nothing is overwritten; `untrusted` when the store's object is not what the
 * pack says.
 */
export async function copyPack(
  store: Store,
  { dir, files }: Pick<Pack, "dir" | "files">,
  outFolder: string,
  below = "",
): Promise<void> {
  const within = below === "" ? "" : `${below}/`;
  for (const folder of new Set(files.flatMap(({ path }) => foldersTo(resolve(outFolder), within + path)))) {
    refuseLink(folder);
  }
  const out = openFolderStore(join(outFolder, below));
  const missing: PackFile[] = [];
  for (const file of files) {
    if (!(await isThere(out, file))) {
      missing.push(file);
    }
  }
  for (const file of missing) {
    await copyFile(store, `${dir}/${file.path}`, file, out);
  }
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) {
    await removeTemporaries(join(out.location, folder));
  }
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
