import { lstat, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import process from "node:process";
import { systemClock } from "../../../../lambda/core/clock.ts";
import { openFolderStore } from "../../../../lambda/storage/folder.ts";
import type { Store } from "../../../../lambda/storage/store.ts";
import { endedIn, equal, type Group, law } from "../attack.ts";
import { EXPORT, openBench } from "../bench.ts";
import { intactStore } from "../intact-store.ts";
import { filesIn, inFolder } from "./folders.ts";

interface Out {
  readonly folder: string;
  readonly out: string;
  readonly victim: string;
}

/** What is at the place of `--out` before the export. */
const OUTS: Readonly<Record<string, (place: Out) => Promise<string>>> = {
  "a link to a folder": async ({ out, victim }) => {
    await symlink(victim, out);
    return out;
  },
  "a link to a folder, with a slash": async ({ out, victim }) => {
    await symlink(victim, out);
    return `${out}/`;
  },
  "a folder whose imports/ is a link": async ({ out, victim }) => {
    await mkdir(out);
    await symlink(victim, join(out, "imports"));
    return out;
  },
  "a folder whose inputs/ is a link": async ({ out, victim }) => {
    await mkdir(out);
    await symlink(victim, join(out, "inputs"));
    return out;
  },
  "a folder whose fills.csv is a link": async ({ out, victim }) => {
    await mkdir(out);
    await symlink(join(victim, "mine"), join(out, "fills.csv"));
    return out;
  },
  "a folder whose fills.csv is a link to nothing": async ({ out, victim }) => {
    await mkdir(out);
    await symlink(join(victim, "new"), join(out, "fills.csv"));
    return out;
  },
  "a folder whose fills.csv is another's": async ({ out }) => {
    await mkdir(out);
    await writeFile(join(out, "fills.csv"), "another's");
    return out;
  },
  "a file": async ({ out }) => {
    await writeFile(out, "a letter");
    return out;
  },
  "the store itself": ({ folder }) => Promise.resolve(join(folder, "store")),
  "a folder of the store": ({ folder }) => Promise.resolve(join(folder, "store", "main", "packs", "x")),
  "the store by way of ..": ({ folder }) => Promise.resolve(`${folder}/x/../store/main`),
  "the store through a link": async ({ folder }) => {
    await symlink(join(folder, "store"), join(folder, "way"));
    return join(folder, "way", "main", "out");
  },
  nothing: () => Promise.resolve(""),
};

export const OUT_FOLDERS: Group = {
  name: "Links and files at the place of --out",
  must: "exit 2; the link's target, the store and existing files stay unchanged",
  attacks: () =>
    Promise.resolve(
      Object.entries(OUTS).map(([name, prepare]) => ({
        name,
        run: () => inFolder((folder) => outTried(folder, prepare)),
      })),
    ),
};

async function outTried(folder: string, prepare: (place: Out) => Promise<string>): Promise<string> {
  const store = await storeIn(folder);
  const [out, victim] = [join(folder, "out"), join(folder, "victim")];
  await mkdir(victim);
  await writeFile(join(victim, "mine"), "mine");
  const typed = await prepare({ folder, out, victim });
  const before = await filesIn(folder);
  const ran = await openBench({ history: (await intactStore()).history }).type([...EXPORT, `--out=${typed}`], {
    store,
    clock: systemClock,
  });
  endedIn(ran, [2]);
  const after = await filesIn(folder);
  // The export may have requested fills again; what it adds is in the store.
  const isStores = (path: string) => path === "store" || path.startsWith("store/");
  const isRewritten = (path: string) => /^store\/(main\/head\.json|\.lock)$/.test(path);
  const left = after.filter((file) => !isStores(file[0]) || before.some(([path]) => path === file[0]));
  equal(
    left.filter(([path]) => !isRewritten(path)),
    before.filter(([path]) => !isRewritten(path)),
    "files",
  );
  return `exit ${ran.code}`;
}

const UMASKS: readonly number[] = [0, 0o002, 0o022, 0o077];

export const MODES: Group = {
  name: "A umask that lets everybody read",
  must: "folders are 0700, files 0600",
  attacks: () =>
    Promise.resolve(
      UMASKS.map((umask) => ({
        name: `umask ${umask.toString(8).padStart(3, "0")}`,
        run: () => inFolder((folder) => modesTried(folder, umask)),
      })),
    ),
};

async function modesTried(folder: string, umask: number): Promise<string> {
  const before = process.umask(umask);
  try {
    const store = await storeIn(folder);
    const history = (await intactStore()).history;
    const line = [...EXPORT, `--out=${join(folder, "out")}`];
    endedIn(await openBench({ history }).type(line, { store, clock: systemClock }), [0]);
    const names = await readdir(folder, { recursive: true, withFileTypes: true });
    law(names.length > 50, "the export wrote too few files");
    for (const one of names) {
      const path = join(one.parentPath, one.name);
      const mode = (await lstat(path)).mode & 0o777;
      equal(mode.toString(8), one.isDirectory() ? "700" : "600", `the mode of ${relative(folder, path)}`);
    }
    return `${names.length} names`;
  } finally {
    process.umask(before);
  }
}

/** The intact archive in a folder, written through the store. */
async function storeIn(folder: string): Promise<Store> {
  const store = openFolderStore(join(folder, "store"));
  const { objects } = await intactStore();
  for (const [key, body] of objects) {
    if (key.startsWith("main/") && !key.startsWith("main/packs/")) {
      await store.createNew(key, body);
    }
  }
  return store;
}
