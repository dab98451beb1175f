import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openFolderStore } from "../../../../lambda/storage/folder.ts";
import type { Store } from "../../../../lambda/storage/store.ts";
import { type Attack, endedIn, equal, type Group } from "../attack.ts";
import { openBench } from "../bench.ts";
import { filesIn, inFolder } from "./folders.ts";

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
  name: "Store keys that point elsewhere",
  must: "every call refuses them; nothing outside the store changes",
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
  name: "Names and options that point elsewhere",
  must: "exit 2 with a message; no folder is created",
  attacks: () =>
    Promise.resolve([
      ...Object.entries(OPTIONS).flatMap(([option, line]) =>
        WORDS.filter((word) => !isGood(option, word)).map((word) => named(option, word, line(word))),
      ),
      ...STORES.map((uri) => named("store", uri, ["status", `--store=${uri}`])),
    ]),
};

/** An empty --zone is valid, so it is not an attack. */
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
        equal(await readdir(folder), [], "folders created");
        return `exit ${ran.code}`;
      }),
  };
}
