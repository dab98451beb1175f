import { createHash } from "node:crypto";
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { FillbookError } from "../../core/errors.ts";
import type { PackFile } from "../../job/context.ts";
import { openFolderStore } from "../../storage/folder.ts";
import { removeTemporaries } from "../../storage/folder-files.ts";
import type { Store } from "../../storage/store.ts";
import { hashOf } from "./pack-files.ts";
import type { Pack } from "./publish.ts";

/**
 * Throws `usage` where the folder is a symbolic link, or lies within a store: the pack's files would lie
 * among those of the archive.
 */
export function checkOutFolder(outFolder: string | undefined, stores: readonly Pick<Store, "location">[]): void {
  if (outFolder === undefined) {
    return;
  }
  refuseLink(resolve(outFolder));
  const out = `${followed(outFolder)}${sep}`;
  const around = stores.find(({ location }) => out.startsWith(`${followed(location)}${sep}`));
  if (around !== undefined) {
    throw new FillbookError("usage", `--out ${outFolder} is within the store ${around.location}`, {
      hint: "the copy of the pack would be among the archive's own files: choose a folder elsewhere",
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
 * Whoever made the link decides where the files go, and who can read them. What is above the folder is its
 * user's own way there.
 */
function refuseLink(folder: string): void {
  let isLink = false;
  try {
    isLink = lstatSync(folder).isSymbolicLink();
  } catch {
    // What cannot be looked at is for the copy to refuse.
  }
  if (isLink) {
    throw new FillbookError("usage", `${folder} is a symbolic link, and --out does not follow links`, {
      hint: "give the folder that it points to, or move the link away",
    });
  }
}

/** Told of the file that is being copied, of the bytes that are in the copy so far, and of all. */
export type OnCopied = (path: string, copied: { readonly bytes: number; readonly of: number }) => void;

/**
 * Copies a pack into a plain folder, checking every hash on the way; several runs may copy into one folder at
 * once. What a killed copy left half written is gone in the end. Throws `usage`, and copies nothing, when a
 * file of another content is in the way, or a symbolic link; `untrusted` when the store's object is not what
 * the pack says.
 */
export async function copyPack(
  store: Store,
  { dir, files }: Pick<Pack, "dir" | "files">,
  outFolder: string,
  onCopied: OnCopied = () => undefined,
): Promise<void> {
  const of = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const counting = (path: string) => (bytes: number) => {
    done += bytes;
    onCopied(path, { bytes: done, of });
  };
  const folders = [...new Set(files.flatMap(({ path }) => parentsOf(path)))].map((name) =>
    join(resolve(outFolder), name),
  );
  for (const folder of folders) {
    refuseLink(folder);
  }
  const out = openFolderStore(outFolder);
  const missing: PackFile[] = [];
  for (const file of files) {
    if (!(await isThere(out, file, counting(file.path)))) {
      missing.push(file);
    }
  }
  for (const file of missing) {
    await copyFile(store, `${dir}/${file.path}`, { file, out, onRead: counting(file.path) });
  }
  for (const folder of folders) {
    await removeTemporaries(folder);
  }
}

/** The folders that a path leads through, from the top: "" and `imports`. */
function parentsOf(path: string): string[] {
  const names = path.split(sep).slice(0, -1);
  return ["", ...names.map((_, at) => names.slice(0, at + 1).join(sep))];
}

/** Whether the file is there already with the same bytes. */
async function isThere(out: Store, { path, sha256 }: PackFile, onRead?: (bytes: number) => void): Promise<boolean> {
  const found = await hashOf(out, path, undefined, onRead);
  if (found !== null && found !== sha256) {
    throw new FillbookError("usage", `${join(out.location, path)} already exists with other content`, {
      hint: "nothing was overwritten: give an empty folder with --out, or move the file away",
    });
  }
  return found !== null;
}

/** A file that the copy lacks. */
interface Missing {
  readonly file: PackFile;
  readonly out: Store;
  readonly onRead: (bytes: number) => void;
}

async function copyFile(store: Store, key: string, { file, out, onRead }: Missing): Promise<void> {
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
      onRead(chunk.length);
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
  // Another run may have written the file meanwhile, and removed what this one was writing.
  const outcome = await sink.finish().catch((error: unknown) => error);
  if (outcome !== "created" && !(await isThere(out, file))) {
    throw outcome instanceof Error
      ? outcome
      : new FillbookError("incomplete", `${join(out.location, file.path)} disappeared while it was used`, {
          hint: "run again",
        });
  }
}
