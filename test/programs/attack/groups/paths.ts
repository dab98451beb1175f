import { createHash } from "node:crypto";
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import process from "node:process";
import { systemClock } from "../../../../lambda/core/clock.ts";
import { openFolderStore } from "../../../../lambda/storage/folder.ts";
import type { Store } from "../../../../lambda/storage/store.ts";
import { type Attack, endedIn, equal, type Group, law, withoutSecret } from "../attack.ts";
import { EXPORT, openBench } from "../bench.ts";
import { intactStore } from "../intact-store.ts";

const KEYS: readonly string[] = [
  "../victim",
  "main/../../victim",
  "/etc/passwd",
  "main//x",
  "main/./x",
  "main/x/..",
  "main/.lock",
  ".lock",
  "main\\..\\victim",
  "main/x\0y",
  "main/é",
  "main/x y",
  "main/",
  "",
  "C:/x",
  "main/CON:",
  "x".repeat(701),
  `main/${"x".repeat(201)}`,
  "main/%2e%2e/victim",
  "main/..\u2215victim",
];

const METHODS: Readonly<Record<string, (store: Store, key: string) => Promise<unknown>>> = {
  get: (store, key) => store.get(key),
  createNew: (store, key) => store.createNew(key, Buffer.from("x")),
  replaceIf: (store, key) => store.replaceIf(key, Buffer.from("x"), null),
  createStream: (store, key) => store.createStream(key),
  openStream: (store, key) => store.openStream(key),
};

export const STORE_KEYS: Group = {
  name: "Keys of the store that lead elsewhere",
  must: "refused by every call; no file beside the store is read, made or changed",
  attacks: () =>
    Promise.resolve(
      KEYS.flatMap((key) =>
        Object.entries(METHODS).map(([method, call]) => ({
          name: `${method} ${JSON.stringify(key.slice(0, 40))}`,
          run: () => inFolder((folder) => keyTried(folder, key, call)),
        })),
      ),
    ),
};

async function keyTried(folder: string, key: string, call: (store: Store, key: string) => Promise<unknown>) {
  await writeFile(join(folder, "victim"), "mine");
  const store = openFolderStore(join(folder, "store"));
  await store.createNew("main/there", Buffer.from("x"));
  const before = await filesIn(folder);
  const outcome = await call(store, key).then(
    () => "taken",
    () => "refused",
  );
  equal(outcome, "refused", "the call");
  equal(await filesIn(folder), before, "files");
  return outcome;
}

const WORDS: readonly string[] = [
  "../x",
  "..",
  ".",
  "a/b",
  "a\\b",
  "/etc/passwd",
  "",
  " ",
  "x".repeat(5000),
  "a\0b",
  "A",
  "é",
  "аdmin",
  "a b",
  "a;rm -rf /",
  "$(id)",
  "%2e%2e",
  "\u202Enimda",
  "\n",
  "main/packs",
  "us-2025/../../x",
  "month-2025-01/",
  "month-2025-13",
  "month-275760-01",
  "us-99999",
  "--json",
  "__proto__",
];

const OPTIONS: Readonly<Record<string, (word: string) => readonly string[]>> = {
  account: (word) => ["status", `--account=${word}`],
  period: (word) => ["export", `--period=${word}`],
  "verify's period": (word) => ["verify", `--period=${word}`],
  zone: (word) => ["export", "--period=us-2025", `--zone=${word}`],
  method: (word) => ["export", "--period=us-2025", `--method=${word}`],
  currency: (word) => ["export", "--period=us-2025", `--currency=${word}`],
  from: (word) => ["sync", `--from=${word}`],
  concurrency: (word) => ["sync", `--concurrency=${word}`],
  "max-rps": (word) => ["sync", `--max-rps=${word}`],
};

const STORES: readonly string[] = [
  "s3://../x",
  "s3://bucket/../x",
  "s3://bucket//x",
  "s3://BUCKET/x",
  "s3://bucket/x y",
  "s3://1.2.3.4/x",
  "s3://a..b/x",
  `s3://bucket/${"x".repeat(400)}`,
  "http://evil.example/x",
  "file:///etc",
  "s3://user:pw@bucket/x",
  "S3://bucket/x",
  "gs://bucket/x",
];

export const NAMES: Group = {
  name: "Names and options that lead elsewhere",
  must: "exit 2 with a message; no folder is made",
  attacks: () =>
    Promise.resolve([
      ...Object.entries(OPTIONS).flatMap(([option, line]) =>
        WORDS.filter((word) => !isGood(option, word)).map((word) => named(option, word, line(word))),
      ),
      ...STORES.map((uri) => named("store", uri, ["status", `--store=${uri}`])),
      ...STORES.map((uri) => named("pack-store", uri, ["status", `--pack-store=${uri}`])),
    ]),
};

/** `main`, a label like another. */
function isGood(option: string, word: string): boolean {
  return option === "zone" && word === "";
}

function named(option: string, word: string, line: readonly string[]): Attack {
  return {
    name: `--${option} ${JSON.stringify(word.slice(0, 40))}`,
    run: () =>
      inFolder(async (folder) => {
        const store = join(folder, "store");
        const environment: Record<string, string> = option === "store" ? {} : { FILLBOOK_STORE: store };
        const ran = await openBench().type(line, { environment, store: openFolderStore(store) });
        endedIn(ran, [2]);
        equal(await readdir(folder), [], "folders made");
        return `exit ${ran.code}`;
      }),
  };
}

interface Out {
  readonly folder: string;
  readonly out: string;
  readonly victim: string;
}

/** What is at the place of `--out`, before the export. */
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
  name: "Links and other things at the place of --out",
  must: "exit 2; what the link leads to, the store and what was there are as they were",
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
  // The export may have looked at the service again: what it adds is in the store.
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
  name: "A machine whose umask lets everybody read",
  must: "every folder of the store, the pack and --out is 0700, every file 0600",
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
    law(names.length > 50, "the export wrote its files");
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

/** The intact archive in a folder, written by the store itself. */
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

async function inFolder(tried: (folder: string) => Promise<string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fillbook-attack-"));
  try {
    return await tried(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Every name below a folder: of a file the hash of its bytes, of a link where it leads. None holds the token. */
async function filesIn(folder: string): Promise<(readonly [path: string, content: string])[]> {
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
