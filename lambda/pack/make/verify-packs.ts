import { asFillbookError, StoppedError } from "../../core/errors.ts";
import { readPackName } from "../../core/period-name.ts";
import type { Store } from "../../storage/store.ts";
import { hashOf, parseChecksums } from "./pack-files.ts";

export interface PackFindings {
  /** The number of objects hashed. */
  readonly checked: number;
  /** One sentence each: what differs, and where. */
  readonly findings: readonly string[];
}

/** An object under `ACCOUNT/packs/`. */
export interface PackObject {
  readonly key: string;
  readonly bytes: number;
}

/** The objects of the packs of one period in any zone, or of all, without ZIPs, whose entries have checksums. */
export async function packObjects(store: Store, account: string, period: string | null): Promise<PackObject[]> {
  const objects: PackObject[] = [];
  const packs = `${account}/packs/`;
  for await (const { key, bytes } of store.list(packs + (period ?? ""))) {
    // Packs of one period in other zones have the same name and a suffix.
    const [name = ""] = key.slice(packs.length).split("/");
    if (!key.endsWith(".zip") && (period === null || name === period || readPackName(name)?.typed === period)) {
      objects.push({ key, bytes });
    }
  }
  return objects;
}

export interface PackCheck {
  readonly signal?: AbortSignal;
  /** Told of each object that was hashed, and of the bytes that were read. */
  readonly onHashed?: (hashed: { readonly objects: number; readonly bytes: number }) => void;
}

/**
 * Hashes every file of the finished packs and compares it with SHA256SUMS. A version without that file was
 * interrupted while it was written. Nothing names it, so it is skipped. Rejects with StoppedError when
 * `signal` aborts.
 */
export async function verifyPacks(
  store: Store,
  objects: readonly PackObject[],
  check: PackCheck = {},
): Promise<PackFindings> {
  const keys = objects.map(({ key }) => key);
  const reports: PackFindings[] = [];
  for (const key of keys) {
    if (key.endsWith("SHA256SUMS")) {
      reports.push(await found(store, key, () => verifyPack(store, key, keys, check)));
    } else if (key.endsWith("/latest.json")) {
      const report = await found(store, key, () => verifyLatest(store, key));
      check.onHashed?.({ objects: report.checked, bytes: 0 });
      reports.push(report);
    }
  }
  return {
    checked: reports.reduce((sum, { checked }) => sum + checked, 0),
    findings: reports.flatMap(({ findings }) => findings),
  };
}

/** Such a file may say anything, even names that no store can have. */
async function found(store: Store, key: string, work: () => Promise<PackFindings>): Promise<PackFindings> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoppedError) {
      throw error;
    }
    return { checked: 1, findings: [`${store.location}/${key} cannot be followed: ${asFillbookError(error).message}`] };
  }
}

async function verifyPack(
  store: Store,
  sumsKey: string,
  keys: readonly string[],
  { signal, onHashed = () => undefined }: PackCheck,
): Promise<PackFindings> {
  const folder = folderOf(sumsKey);
  const sums = parseChecksums(await textOf(store, sumsKey));
  const findings = keys
    .filter((key) => key.startsWith(folder) && key !== sumsKey && !sums.has(key.slice(folder.length)))
    .map((key) => `${store.location}/${key} is not listed in its SHA256SUMS`);
  for (const [path, sha256] of sums) {
    const actual = await hashOf(store, folder + path, signal, (bytes) => onHashed({ objects: 0, bytes }));
    onHashed({ objects: 1, bytes: 0 });
    if (actual !== sha256) {
      const state = actual === null ? "is missing" : `is damaged: its sha256 is ${actual}`;
      findings.push(`${store.location}/${folder}${path} ${state}; SHA256SUMS says ${sha256}`);
    }
  }
  return { checked: sums.size, findings };
}

/** latest.json has the hash of the SHA256SUMS of the version that it names. */
async function verifyLatest(store: Store, key: string): Promise<PackFindings> {
  const text = await textOf(store, key);
  const { path, sha256 } = /"path": "(?<path>[^"]+)",\s+"sha256": "(?<sha256>[0-9a-f]{64})"/.exec(text)?.groups ?? {};
  if (path === undefined || sha256 === undefined) {
    return { checked: 0, findings: [`${store.location}/${key} cannot be read: export again to replace it`] };
  }
  const named = folderOf(key) + path;
  const actual = await hashOf(store, named);
  if (actual === sha256) {
    return { checked: 1, findings: [] };
  }
  const state = actual === null ? "is missing" : `has the sha256 ${actual}`;
  return { checked: 1, findings: [`${store.location}/${named} ${state}; latest.json says ${sha256}`] };
}

function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf("/") + 1);
}

async function textOf(store: Store, key: string): Promise<string> {
  return Buffer.from((await store.get(key))?.body ?? []).toString();
}
