import { hash } from "node:crypto";
import type { TimeRange } from "../model/time.ts";

/** Names of the archive's objects. Immutable ones carry the hash of their content, so a retry writes the same bytes to the same name. */

export function headKey(account: string): string {
  return `${account}/head.json`;
}

export function manifestPrefix(account: string): string {
  return `${account}/manifests/`;
}

export function manifestKey(account: string, seq: number, sha256: string): string {
  return `${manifestPrefix(account)}${seq}-${sha256}.json`;
}

export function partKey(account: string, cell: TimeRange, sha256: string): string {
  const month = new Date(cell.from).toISOString().slice(0, 7);
  return `${account}/fills/month=${month}/${rangeName(cell)}-${sha256}.parquet`;
}

/** `firstPage` counts from 0 within the window's chain. */
export function pagesKey(account: string, window: TimeRange, firstPage: number, sha256: string): string {
  return `${account}/pages/${rangeName(window)}-${firstPage}-${sha256}.jsonl.zst`;
}

export function restatementsKey(account: string, sha256: string): string {
  return `${account}/restatements/${sha256}.jsonl.zst`;
}

/** Content-addressed keys end in their hash: `…-<sha256>.<ending>`. */
export function sha256InKey(key: string): string {
  return key.slice(key.lastIndexOf("-") + 1).split(".")[0] ?? "";
}

export function sha256Of(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

function rangeName({ from, to }: TimeRange): string {
  return `${compactTime(from)}-${compactTime(to)}`;
}

/** `20250301T000000.000Z`: sorts as time, and holds no character that a file system refuses. */
function compactTime(ms: number): string {
  return new Date(ms).toISOString().replaceAll(/[-:]/g, "");
}
