import { lstat, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** A file that marks a folder as the demo's own, which the demo may delete. */
const MARKER = "made-by-the-demo.txt";
const MARKER_TEXT = "npm run demo made this folder, and deletes it when it runs again.\n";

/** Asks whether to delete the existing folder; null: nobody can be asked. */
export type Ask = ((question: string) => Promise<boolean>) | null;

/**
 * Creates an empty folder for the demo. Throws if the folder has content that the demo did not make and that
 * nobody allows it to delete.
 */
export async function freshFolder(folder: string, ask: Ask): Promise<void> {
  const what = await contentOf(folder);
  const mayDelete = what === "nothing" || what === "own" || (await isAllowed(folder, ask));
  if (!mayDelete) {
    throw new Error(
      `${folder} exists, and the demo did not make it: nothing was deleted. Move or delete it yourself, and run the demo again`,
    );
  }
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, MARKER), MARKER_TEXT);
}

async function isAllowed(folder: string, ask: Ask): Promise<boolean> {
  return (
    ask !== null && (await ask(`${folder} exists, and the demo did not make it. Delete it with everything in it?`))
  );
}

async function contentOf(folder: string): Promise<"nothing" | "own" | "other"> {
  const found = await lstat(folder).catch(() => null);
  if (found === null) {
    return "nothing";
  }
  // A link may lead to a folder that is not the demo's, whatever that contains.
  const names = found.isDirectory() ? await readdir(folder) : null;
  if (names?.length === 0) {
    return "nothing";
  }
  return names?.includes(MARKER) === true ? "own" : "other";
}
