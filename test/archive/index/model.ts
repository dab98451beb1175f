import fc from "fast-check";
import type { Entries, Node, Sum } from "../../../lambda/archive/index/node.ts";
import { sha256Of } from "../../../lambda/archive/keys.ts";
import type { DataFile, RestatementFile, WindowRecord } from "../../../lambda/archive/manifest-entries.ts";
import { canonicalJson } from "../../../lambda/formats/json.ts";
import type { MemoryStore } from "../../support/memory-store.ts";

// A second implementation of the index's form. It uses plain arrays and times as text.

/** How many characters of an ISO time name its unit: all of time, year, month, day, hour, minute. */
const DIGITS = [0, 4, 7, 10, 13, 16] as const;
const MAX_IN_LEAF = 64;
const MODULUS = 2n ** 256n;

export interface Lists {
  readonly dataFiles: readonly DataFile[];
  readonly windows: readonly WindowRecord[];
  readonly restatements: readonly RestatementFile[];
}

/**
 * A tree as it should be or as it was found. It has whole nodes, and tells whether each is an object of its
 * own.
 */
export type Tree =
  | { readonly kind: "leaf"; readonly entries: Lists }
  | { readonly kind: "branch"; readonly children: readonly Below[] };

interface Below {
  readonly unit: string;
  readonly from: number;
  readonly to: number;
  readonly sum: Sum;
  readonly isStored: boolean;
  readonly node: Tree;
}

export function treeOf(entries: Lists, depth = 0, isNewest = true): Tree {
  const times = timesOf(entries);
  if (times.length <= MAX_IN_LEAF || depth === 5) {
    return { kind: "leaf", entries: inOrder(entries) };
  }
  const digits = DIGITS[depth + 1] ?? 0;
  const unitAt = (time: number): string => new Date(time).toISOString().slice(0, digits);
  const units = [...new Set(times.map(unitAt))].sort();
  return {
    kind: "branch",
    children: units.map((unit, index) => {
      const inside: Lists = {
        dataFiles: entries.dataFiles.filter(({ from }) => unitAt(from) === unit),
        windows: entries.windows.filter(({ from }) => unitAt(from) === unit),
        restatements: entries.restatements.filter(({ firstTrade }) => unitAt(firstTrade) === unit),
      };
      const isLast = isNewest && index === units.length - 1;
      return {
        unit,
        ...endsOf(unit),
        sum: recount(inside),
        isStored: !isLast,
        node: treeOf(inside, depth + 1, isLast),
      };
    }),
  };
}

/** The stored tree below a root, found through hashes only. */
export function treeIn(store: MemoryStore, root: Node, depth = 0): Tree {
  if (root.kind === "leaf") {
    const { dataFiles, windows, restatements } = root;
    return { kind: "leaf", entries: { dataFiles, windows, restatements } };
  }
  return {
    kind: "branch",
    children: root.children.map(({ from, to, sum, at }) => {
      const node = at.kind === "stored" ? nodeIn(store, at.sha256) : at;
      const unit = new Date(from).toISOString().slice(0, DIGITS[depth + 1]);
      return { unit, from, to, sum, isStored: at.kind === "stored", node: treeIn(store, node, depth + 1) };
    }),
  };
}

function nodeIn(store: MemoryStore, sha256: string): Node {
  for (const [key, body] of store.snapshot()) {
    if (key.includes(sha256) && sha256Of(body) === sha256) {
      return JSON.parse(new TextDecoder().decode(body));
    }
  }
  throw new Error(`no object has the hash ${sha256}`);
}

export function recount({ dataFiles, windows, restatements }: Lists): Sum {
  const sets = dataFiles.reduce((sum, { setHash }) => (sum + BigInt(`0x${setHash}`)) % MODULUS, 0n);
  return {
    dataFiles: dataFiles.length,
    windows: windows.length,
    restatements: restatements.length,
    fills: dataFiles.reduce((sum, { rows }) => sum + rows, 0),
    exceptions: dataFiles.reduce((sum, { exceptions }) => sum + exceptions, 0),
    setHash: sets.toString(16).padStart(64, "0"),
    firstTrade: dataFiles.length === 0 ? null : Math.min(...dataFiles.map(({ firstTrade }) => firstTrade)),
    lastTrade: dataFiles.length === 0 ? null : Math.max(...dataFiles.map(({ lastTrade }) => lastTrade)),
    dataFilesTo: dataFiles.length === 0 ? 0 : Math.max(...dataFiles.map(({ to }) => to)),
    windowsTo: windows.length === 0 ? 0 : Math.max(...windows.map(({ to }) => to)),
    restated: restatements.reduce((sum, { rows }) => sum + rows, 0),
    restatedTo: restatements.length === 0 ? null : Math.max(...restatements.map(({ lastTrade }) => lastTrade)),
  };
}

export function inOrder({ dataFiles, windows, restatements }: Lists): Lists {
  return {
    dataFiles: dataFiles.toSorted((a, b) => a.from - b.from || (a.key < b.key ? -1 : 1)),
    windows: windows.toSorted(
      (a, b) => a.from - b.from || a.to - b.to || (canonicalJson(a) < canonicalJson(b) ? -1 : 1),
    ),
    restatements: restatements.toSorted((a, b) => a.firstTrade - b.firstTrade || (a.key < b.key ? -1 : 1)),
  };
}

export function timesOf({ dataFiles, windows, restatements }: Lists): number[] {
  return [...dataFiles, ...windows].map(({ from }) => from).concat(restatements.map(({ firstTrade }) => firstTrade));
}

function endsOf(unit: string): { from: number; to: number } {
  const [year, month, day, hour, minute] = unit.split(/[-T:]/).map(Number) as [number, ...(number | undefined)[]];
  const at = (...digits: number[]): number => {
    const [y = 0, m = 1, d = 1, h = 0, min = 0] = digits;
    return Date.UTC(y, m - 1, d, h, min);
  };
  const digits = [year, month, day, hour, minute].filter((digit) => digit !== undefined);
  return { from: at(...digits), to: at(...digits.with(-1, (digits.at(-1) ?? 0) + 1)) };
}

/**
 * Entries of one kind in sequence. There are enough of them, close enough together, to fill units of every
 * size.
 */
const burst = fc.record({
  kind: fc.constantFrom("dataFiles", "windows", "restatements"),
  start: fc.constantFrom(
    Date.UTC(2023, 11, 31, 23, 58),
    Date.UTC(2024, 1, 28),
    Date.UTC(2024, 5, 1, 12, 30),
    Date.UTC(2024, 5, 1, 12, 30, 59, 990),
    Date.UTC(2025, 0, 1),
  ),
  stepMs: fc.constantFrom(1, 700, 30_000, 600_000, 7_200_000, 86_400_000, 86_400_000 * 12),
  widthMs: fc.constantFrom(1, 60_000, 86_400_000, 86_400_000 * 40),
  count: fc.constantFrom(0, 1, 5, 30, 70, 90),
  salt: fc.nat(3),
});

export const someEntries: fc.Arbitrary<Entries> = fc.array(burst, { maxLength: 5 }).map((bursts) => {
  const lists = { dataFiles: new Map(), windows: new Map(), restatements: new Map() };
  for (const { kind, start, stepMs, widthMs, count, salt } of bursts) {
    for (let index = 0; index < count; index += 1) {
      const from = start + index * stepMs;
      const [identity, entry] = ENTRY[kind](from, from + widthMs, salt);
      lists[kind].set(identity, entry);
    }
  }
  return {
    dataFiles: [...lists.dataFiles.values()],
    windows: [...lists.windows.values()],
    restatements: [...lists.restatements.values()],
  };
});

const ENTRY = {
  dataFiles: (from: number, to: number, salt: number) => {
    const dataFile = dataFileAt(from, to, salt);
    return [dataFile.key, dataFile];
  },
  windows: (from: number, to: number, salt: number) => {
    const window = windowAt(from, to, salt);
    return [`${from} ${to} ${salt}`, window];
  },
  restatements: (from: number, to: number, salt: number) => {
    const file = restatementAt(from, to, salt);
    return [file.key, file];
  },
} as const;

export function dataFileAt(from: number, to: number, salt = 0): DataFile {
  const sha256 = hashOf("data file", from, to, salt);
  return {
    key: `main/fills/${from}-${to}-${sha256}.parquet`,
    sha256,
    bytes: 1000 + salt,
    rows: 1 + (from % 7) + salt,
    from,
    to,
    first: from,
    last: to - 1,
    firstTrade: from - (from % 3),
    lastTrade: to + (to % 5),
    exceptions: salt,
    setHash: hashOf("set", from, to, salt),
  } as DataFile;
}

export function windowAt(from: number, to: number, salt = 0): WindowRecord {
  return {
    from,
    to,
    pages: 1 + salt,
    rows: salt,
    duplicates: 0,
    first: null,
    last: null,
    ended: salt % 2 === 0 ? "no-last" : "order",
    setHash: hashOf("window", from, to, salt),
    pagesHash: hashOf("pages", from, to, salt % 2),
    rawResponses: [`main/pages/${from}-${to}-${salt}.jsonl.zst`],
  };
}

function restatementAt(firstTrade: number, lastTrade: number, salt = 0): RestatementFile {
  const sha256 = hashOf("restatement", firstTrade, lastTrade, salt);
  return {
    key: `main/restatements/${salt}-${sha256}.jsonl.zst`,
    sha256,
    seq: salt,
    rows: 1 + salt,
    firstTrade,
    lastTrade,
  };
}

function hashOf(...words: readonly (string | number)[]): string {
  return sha256Of(new TextEncoder().encode(words.join(" ")));
}
