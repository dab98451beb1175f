import { EXIT_CODES } from "../../../../lambda/core/errors.ts";
import type { Ran } from "../../../cli/commands/run.ts";
import { type MemoryStore, memoryStore } from "../../../support/memory-store.ts";
import { hash32, hashText, type Prng, prng } from "../../../support/prng.ts";
import { type Attack, type Draw, endedIn, equal, type Group, law } from "../attack.ts";
import { EXPORT, openBench, S3, SYNC } from "../bench.ts";
import { type Intact, intactStore } from "../intact-store.ts";

type Snapshot = ReadonlyMap<string, Uint8Array>;

interface Kind {
  /** Names relative to the account's folder. */
  readonly names: RegExp;
  /**
   * Present if another object holds their hash. `verify` must then notice every change, except those listed.
   */
  readonly hashed?: { readonly but: readonly string[] };
}

const HASHED = { but: [] };

const IS_CHECK = /^[^/]+\/checks\//;

/**
 * Kinds of stored objects. Of the kinds that manifests name, only objects that the current manifest names are
 * used.
 */
const KINDS: Readonly<Record<string, Kind>> = {
  head: { names: /^head\.json$/ },
  // Uses the store whose head does not repeat the manifest (`intact-store.ts`).
  manifest: { names: /^manifests\//, hashed: HASHED },
  "index node": { names: /^index\//, hashed: HASHED },
  "data file": { names: /^fills\//, hashed: HASHED },
  "raw response": { names: /^pages\//, hashed: HASHED },
  restatement: { names: /^restatements\//, hashed: HASHED },
  // If the record is missing, it is requested again.
  "contracts record": { names: /^contracts\//, hashed: { but: ["deleted"] } },
  "latest pack": { names: /^packs\/[^/]+\/latest\.json$/ },
  "pack's checksums": { names: /^packs\/.*\/SHA256SUMS$/, hashed: HASHED },
  "pack's completeness": { names: /^packs\/.*\/completeness\.json$/, hashed: HASHED },
  "pack file": { names: /^packs\/(?!.*(SHA256SUMS|completeness|latest)).*$/, hashed: HASHED },
  "input file": { names: /^inputs\// },
};

interface Victim {
  readonly key: string;
  readonly body: Uint8Array;
  /** Other objects of the same kind: one of the same account, and one of another account. */
  readonly own: Uint8Array | undefined;
  readonly foreign: Uint8Array | undefined;
}

/**
 * The bytes that replace an object; undefined deletes it. Null: this object cannot be changed in this way.
 */
type Change = (victim: Victim, draw: Prng) => Uint8Array | undefined | null;

const CHANGES: Readonly<Record<string, Change>> = {
  "a bit flipped": ({ body }, draw) => {
    const changed = Uint8Array.from(body);
    const at = draw.int(changed.length);
    changed[at] = (changed[at] ?? 0) ^ (1 << draw.int(8));
    return changed;
  },
  truncated: ({ body }, draw) => body.subarray(0, draw.int(body.length)),
  emptied: () => new Uint8Array(),
  "made longer": ({ body }, draw) => Buffer.concat([body, body.subarray(0, 1 + draw.int(64))]),
  zeros: ({ body }) => new Uint8Array(body.length),
  "another value": ({ body }, draw) => otherValue(body, draw),
  "deep JSON": () => Buffer.from("[".repeat(100_000)),
  "another's of this account": ({ own }) => own ?? null,
  "another account's": ({ foreign }) => foreign ?? null,
  deleted: () => undefined,
};

export const MUTATIONS: Group = {
  name: "Changed objects in the store",
  must: "exit 0, 2, 4 or 5; `verify` sees it; a complete result has the intact bytes; restored, all is well",
  async attacks(draw: Draw) {
    const intact = await intactStore();
    const attacks: Attack[] = [];
    for (const kind of Object.keys(KINDS)) {
      for (const name of Object.keys(CHANGES)) {
        for (let nth = 0; nth < draw.each; nth += 1) {
          const attack = mutationOf({ kind, name, draw: prng(hash32(draw.seed, hashText(kind + name), nth)) }, intact);
          attacks.push(...(attack === null ? [] : [attack]));
        }
      }
    }
    return attacks;
  },
};

interface Mutation {
  readonly kind: string;
  readonly name: string;
  readonly draw: Prng;
}

function mutationOf({ kind, name, draw }: Mutation, intact: Intact): Attack | null {
  const { names, hashed } = KINDS[kind] ?? { names: /^$/ };
  const objects = kind === "manifest" ? intact.unrepeated : intact.objects;
  const all = keysOf(objects, "main", names);
  const keys = all.filter((key) => intact.isCurrent(key));
  law(keys.length > 0, `the archive has no ${kind}`);
  const key = keys[draw.int(keys.length)] ?? "";
  const body = objects.get(key) ?? new Uint8Array();
  const pick = (from: readonly string[]) => {
    const others = from.filter((one) => isDifferent(objects.get(one), body));
    return objects.get(others[draw.int(others.length)] ?? "");
  };
  const changed = CHANGES[name]?.({ key, body, own: pick(all), foreign: pick(keysOf(objects, "other", names)) }, draw);
  if (changed === null || !isDifferent(changed, body)) {
    return null;
  }
  const isSeen = hashed !== undefined && !hashed.but.includes(name);
  const trial = { objects, key, changed, isSeen, isInput: kind === "input file" };
  return { name: `${kind}, ${name}: ${key}`, run: () => tried(trial, intact) };
}

interface Trial {
  readonly objects: Snapshot;
  readonly key: string;
  readonly changed: Uint8Array | undefined;
  readonly isSeen: boolean;
  readonly isInput: boolean;
}

function keysOf(objects: Snapshot, account: string, pattern: RegExp): string[] {
  return [...objects.keys()].filter(
    (key) => key.startsWith(`${account}/`) && pattern.test(key.slice(account.length + 1)),
  );
}

const CODES = [0, 2, 4, 5];

async function tried(trial: Trial, intact: Intact): Promise<string> {
  const { objects, key, changed } = trial;
  const store = memoryStore(S3);
  for (const [one, body] of objects) {
    store.put(one, body);
  }
  store.delete(key);
  if (changed !== undefined) {
    store.put(key, changed);
  }
  const bench = openBench({ store, history: intact.history });
  const seen: string[] = [];
  for (const command of ["status", "verify"]) {
    const before = store.snapshot();
    const ran = await bench.type([command]);
    endedIn(ran, command === "verify" && trial.isSeen ? [EXIT_CODES.untrusted] : CODES);
    seen.push(`${command} ${ran.code}`);
    sameObjects(store.snapshot(), before, `after ${command}`);
  }
  for (const line of [EXPORT, SYNC]) {
    const ran = await bench.type(line);
    checkRun(ran, line, trial, intact);
    seen.push(`${line[0]} ${ran.code}`);
    onlyRepaired(store.snapshot(), trial);
  }
  await restored(trial, store, intact);
  return seen.join(", ");
}

/**
 * Requires that a complete result has the same bytes as with the intact archive. With a changed input file,
 * this applies only to the fills.
 */
function checkRun(ran: Ran, [command]: readonly string[], { isInput }: Trial, intact: Intact): void {
  const shown = endedIn(ran, CODES);
  if (ran.code !== 0) {
    return;
  }
  equal(shown["complete"], true, `${command} with exit 0 is complete`);
  if (command === "export") {
    equal(filesOf(shown, isInput), filesOf(intact.exported, isInput), "the pack's files");
  } else {
    equal(shown["fills"], intact.history.count, "fills of the sync");
  }
}

function filesOf(shown: Record<string, unknown>, isInput: boolean): unknown {
  const files = shown["files"] as readonly { readonly path: string }[];
  return isInput ? files.filter(({ path }) => path.startsWith("fills.")) : files;
}

/** Compares all objects except the notes that `verify` keeps of its checks. */
function sameObjects(now: Snapshot, before: Snapshot, when: string): void {
  const keysOfAll = (objects: Snapshot) => [...objects.keys()].filter((key) => !IS_CHECK.test(key));
  equal(
    keysOfAll(now).filter((key) => isDifferent(before.get(key), now.get(key))),
    [],
    `objects changed ${when}`,
  );
  equal(keysOfAll(now).length, keysOfAll(before).length, `objects ${when}`);
}

/**
 * Requires that no object is deleted or changed, except objects that describe the current state, which are
 * rewritten.
 */
function onlyRepaired(now: Snapshot, { objects, key, changed }: Trial): void {
  const isRewritten = (one: string) => IS_CHECK.test(one) || /\/(head\.json|latest\.json|_last_checkpoint)$/.test(one);
  const spoiled = [...objects].filter(([one, body]) => {
    const isVictim = one === key && !isDifferent(now.get(one), changed);
    return isDifferent(now.get(one), body) && !(isVictim || (isRewritten(one) && now.has(one)));
  });
  equal(
    spoiled.map(([one]) => one),
    [],
    "objects neither as they were nor repaired",
  );
}

function isDifferent(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  return a === undefined || b === undefined ? a !== b : Buffer.compare(a, b) !== 0;
}

/** Requires that all is well after the object is restored, and that the pack has its former bytes. */
async function restored({ objects, key, isInput }: Trial, store: MemoryStore, intact: Intact): Promise<void> {
  store.put(key, objects.get(key) ?? new Uint8Array());
  const bench = openBench({ store, history: intact.history });
  endedIn(await bench.type(["verify"]), [0]);
  const exported = endedIn(await bench.type(EXPORT), [0]);
  equal(
    filesOf(exported, isInput),
    filesOf(intact.exported, isInput),
    "the pack's files after the object was restored",
  );
  await bench.isWhole();
}

/**
 * The same JSON with one value at any depth replaced by a value of another kind. In a text that is not JSON,
 * the first line is repeated.
 */
function otherValue(body: Uint8Array, draw: Prng): Uint8Array | null {
  let root: unknown;
  try {
    root = JSON.parse(Buffer.from(body).toString());
  } catch {
    return null;
  }
  const places: { readonly holder: Record<string, unknown>; readonly name: string }[] = [];
  const gather = (value: unknown): void => {
    if (typeof value === "object" && value !== null) {
      for (const name of Object.keys(value)) {
        places.push({ holder: value as Record<string, unknown>, name });
        gather((value as Record<string, unknown>)[name]);
      }
    }
  };
  gather(root);
  const place = places[draw.int(places.length)];
  if (place !== undefined) {
    place.holder[place.name] = OTHERS[draw.int(OTHERS.length)];
  }
  return Buffer.from(JSON.stringify(root));
}

const OTHERS: readonly unknown[] = [
  null,
  -1,
  1e300,
  0.5,
  "",
  "../../etc/passwd",
  "x".repeat(10_000),
  [],
  {},
  [[]],
  true,
];
