import { hash } from "node:crypto";
import type { TimeRange } from "../core/time.ts";

/**
 * The names of an account's objects (docs/archive-format.md, "Keys"). An immutable object's name has the hash
 * of its content, and of the run that wrote it: no name ever comes back, so an old object can be deleted
 * whenever.
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

/** What a data file's name is made of. */
interface Named extends TimeRange {
  /** Of the text, before it is compressed. */
  readonly sha256: string;
  readonly run: string;
}

export function dataFilePrefix(account: string): string {
  return `${account}/fills/`;
}

export function dataFileKey(account: string, { from, to, sha256, run }: Named): string {
  const month = monthName(from);
  return `${dataFilePrefix(account)}month=${month}/${compactTime(from)}-${compactTime(to)}-${sha256}-${run}.ndjson.zst`;
}

export function restatementsKey(account: string, { sha256, run }: Pick<Named, "sha256" | "run">): string {
  return `${account}/restatements/${sha256}-${run}.ndjson.zst`;
}

export function readingsPrefix(account: string): string {
  return `${account}/readings/`;
}

/** The evidence of a commit. It is never deleted. */
export function readingsKey(account: string, seq: number, { sha256, run }: Pick<Named, "sha256" | "run">): string {
  return `${readingsPrefix(account)}${String(seq).padStart(8, "0")}-${sha256}-${run}.ndjson.zst`;
}

/** A page with a row that could not be filed. It is never deleted. */
export function unfiledKey(account: string, window: TimeRange, sha256: string): string {
  return `${account}/unfiled/${compactTime(window.from)}-${compactTime(window.to)}-${sha256}.json`;
}

export function tablePrefix(account: string): string {
  return `table/account=${account}/`;
}

/** The typed table of a month, for engines. It is replaced whole. */
export function tableKey(account: string, month: string): string {
  return `${tablePrefix(account)}month=${month}/fills.parquet`;
}

/** The UTC calendar month of a time: `2025-03`. */
export function monthName(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7);
}

/** The calendar month, UTC, that holds a time. */
export function monthOf(ms: number): TimeRange {
  const date = new Date(ms);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) };
}

const TIME = String.raw`\d{8}T\d{6}\.\d{3}Z`;
const SHA256 = "[0-9a-f]{64}";
const RUN = "[0-9a-f]{12}";
/** The names of objects that may be collected. The head and packs are not among them. */
const COLLECTABLE = [
  `manifests/(?<seq>[1-9]\\d*)-${SHA256}\\.json`,
  `fills/month=\\d{4}-\\d{2}/${TIME}-${TIME}-${SHA256}-${RUN}\\.ndjson\\.zst`,
  `restatements/${SHA256}-${RUN}\\.ndjson\\.zst`,
];
const COLLECTABLE_NAME = new RegExp(`^(?:${COLLECTABLE.join("|")})$`);

/** The prefixes of everything that may be collected, manifests first. */
export function collectablePrefixes(account: string): string[] {
  return COLLECTABLE.map((name) => `${account}/${name.slice(0, name.indexOf("/") + 1)}`);
}

/** The manifest number in a name; null if the name is not a manifest's. */
export function manifestSeqOf(account: string, key: string): number | null {
  const seq = collectable(account, key)?.groups?.["seq"];
  return seq === undefined ? null : Number(seq);
}

/** Null: the name is another one, which is not fillbook's to delete. */
export function collectable(account: string, key: string): RegExpExecArray | null {
  return key.startsWith(`${account}/`) ? COLLECTABLE_NAME.exec(key.slice(account.length + 1)) : null;
}

/** The hash in a content-addressed key. */
export function sha256InKey(key: string): string {
  return new RegExp(`-(${SHA256})[-.]`).exec(key)?.[1] ?? "";
}

export function sha256Of(bytes: Uint8Array | string): string {
  return hash("sha256", bytes, "hex");
}

/** `20250301T000000.000Z`: sorts by time, and every file system accepts it. */
function compactTime(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:]/g, "");
}
