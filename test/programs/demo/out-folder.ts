import { lstat, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";

/** In a folder that the demo made, and may therefore delete. */
const MARKER = "made-by-the-demo.txt";
const MARKER_TEXT = "npm run demo made this folder, and deletes it when it runs again.\n";

/** Whether to delete what is there; null: nobody can be asked. */
export type Ask = ((question: string) => Promise<boolean>) | null;

/**
 * An empty folder of the demo's own. Throws where something is there that the demo did not make and nobody
 * lets it delete that.
 */
export async function freshFolder(folder: string, ask: Ask): Promise<void> {
  const what = await contentOf(folder);
  const mayDelete = what === "nothing" || what === "own" || (await isAllowed(folder, ask));
  if (!mayDelete) {
    throw new Error(
      `${folder} is there, and the demo did not make it: nothing was deleted. Move it away, or delete it yourself, and run the demo again`,
    );
  }
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, MARKER), MARKER_TEXT);
}

async function isAllowed(folder: string, ask: Ask): Promise<boolean> {
  return (
    ask !== null && (await ask(`${folder} is there, and the demo did not make it. Delete it with all that is in it?`))
  );
}

async function contentOf(folder: string): Promise<"nothing" | "own" | "other"> {
  const found = await lstat(folder).catch(() => null);
  if (found === null) {
    return "nothing";
  }
  // A link leads to a folder that is not the demo's, whatever is in it.
  const names = found.isDirectory() ? await readdir(folder) : null;
  if (names?.length === 0) {
    return "nothing";
  }
  return names?.includes(MARKER) === true ? "own" : "other";
}
