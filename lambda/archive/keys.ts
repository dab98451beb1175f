import { hash } from "node:crypto";
import type { TimeRange } from "../core/time.ts";

/**
 * The names of the archive's objects. An immutable object's name has the hash of its content, so a retry
 * writes the same bytes to the same name. An object that another run left behind may be deleted at any moment
 * (collect.ts). Therefore names of raw responses, restatements and index nodes also have the run's epoch, and
 * the manifest has it in its content. A data file's plain name is the same in every run; the epoch is added
 * only where an old object has the plain name.
 */

export function headKey(account: string): string {
  return `${account}/head.json`;
}

export function manifestPrefix(account: string): string {
  return `${account}/manifests/`;
}

export function manifestKey(account: string, seq: number, sha256: string): string {
  return `${manifestPrefix(account)}${seq}-${sha256}.json`;
}

export function dataFileKey(account: string, partition: TimeRange, sha256: string, epoch?: number): string {
  const own = epoch === undefined ? "" : `-${epoch}`;
  return `${account}/fills/month=${monthName(partition.from)}/${rangeName(partition)}${own}-${sha256}.parquet`;
}

/** The UTC calendar month of a time: `2025-03`. */
export function monthName(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/** `firstPage` counts from 0 within the window's chain. */
export function pagesKey(
  account: string,
  window: TimeRange,
  firstPage: number,
  by: { readonly epoch: number; readonly sha256: string },
): string {
  return `${account}/pages/${rangeName(window)}-${firstPage}-${by.epoch}-${by.sha256}.jsonl.zst`;
}

export function restatementsKey(account: string, epoch: number, sha256: string): string {
  return `${account}/restatements/${epoch}-${sha256}.jsonl.zst`;
}

/** `unit`: the unit's name in the index, for example `2025-03` for a month. */
export function nodeKey(
  account: string,
  unit: string,
  by: { readonly epoch: number; readonly sha256: string },
): string {
  return `${account}/index/${unit}-${by.epoch}-${by.sha256}.json`;
}

/** The folder of the contract type records. They are never collected. */
export function contractsPrefix(account: string): string {
  return `${account}/contracts/`;
}

export function contractsKey(account: string, seq: number, sha256: string): string {
  return `${contractsPrefix(account)}${seq}-${sha256}.json`;
}

const TIME = String.raw`\d{8}T\d{6}\.\d{3}Z`;
const SHA256 = "[0-9a-f]{64}";
const NUMBERED = new RegExp(`^([1-9]\\d*)-${SHA256}\\.json$`);
const MANIFEST = new RegExp(`^manifests/(\\d+)-${SHA256}\\.json$`);
/** The names of objects that may be collected, by folder. The head and packs are not among them. */
const COLLECTABLE: Readonly<Record<string, RegExp>> = {
  "manifests/": MANIFEST,
  "index/": new RegExp(`^index/\\d{4}(-\\d{2}(-\\d{2}(T\\d{2}(\\d{2})?)?)?)?-\\d+-${SHA256}\\.json$`),
  "fills/": new RegExp(`^fills/month=\\d{4}-\\d{2}/${TIME}-${TIME}(-\\d+)?-${SHA256}\\.parquet$`),
  "pages/": new RegExp(`^pages/${TIME}-${TIME}-\\d+-\\d+-${SHA256}\\.jsonl\\.zst$`),
  "restatements/": new RegExp(`^restatements/\\d+-${SHA256}\\.jsonl\\.zst$`),
};

/** The prefixes of everything that may be collected, manifests first. */
export function collectablePrefixes(account: string): string[] {
  return Object.keys(COLLECTABLE).map((folder) => `${account}/${folder}`);
}

/**
 * True if the name is one that fillbook gives to collectable objects. Objects with other names are not
 * fillbook's to delete.
 */
export function isCollectable(account: string, key: string): boolean {
  const name = key.slice(account.length + 1);
  return key.startsWith(`${account}/`) && Object.values(COLLECTABLE).some((pattern) => pattern.test(name));
}

/** The manifest number in a name; null if the name is not a manifest's. */
export function manifestSeqOf(account: string, key: string): number | null {
  const seq = key.startsWith(manifestPrefix(account)) ? MANIFEST.exec(key.slice(account.length + 1))?.[1] : undefined;
  return seq === undefined ? null : Number(seq);
}

/** The record number in a name; null if the name is not a contracts record's. */
export function contractsSeqOf(account: string, key: string): number | null {
  const prefix = contractsPrefix(account);
  const seq = key.startsWith(prefix) ? NUMBERED.exec(key.slice(prefix.length))?.[1] : undefined;
  return seq === undefined ? null : Number(seq);
}

/** The hash at the end of a content-addressed key: `…-<sha256>.<ending>`. */
export function sha256InKey(key: string): string {
  return key.slice(key.lastIndexOf("-") + 1).split(".")[0] ?? "";
}

/**
 * Every key of the account anywhere in a value. It looks at all fields, so it finds keys in fields that are
 * added to a format later.
 */
export function* namedKeys(account: string, value: unknown): Generator<string> {
  if (typeof value === "string" && value.startsWith(`${account}/`)) {
    yield value;
  } else if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) {
      yield* namedKeys(account, inner);
    }
  }
}

export function sha256Of(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

function rangeName({ from, to }: TimeRange): string {
  return `${compactTime(from)}-${compactTime(to)}`;
}

/** `20250301T000000.000Z`: sorts by time, and every file system accepts it. */
function compactTime(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:]/g, "");
}
