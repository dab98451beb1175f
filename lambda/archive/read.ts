import { FillbookError } from "../core/errors.ts";
import type { Fill } from "../core/fill.ts";
import { overlaps } from "../core/ranges.ts";
import { type Fields, fieldsIn } from "../core/record.ts";
import type { TimeRange } from "../core/time.ts";
import type { Store } from "../storage/store.ts";
import { openDataFile, readDataFile } from "./data-file.ts";
import { type Head, type HeldHead, readHead, readNewestHead } from "./head.ts";
import { dataFileKey, dataFilePrefix, manifestKey } from "./keys.ts";
import { type DataFile, emptyManifest, MANIFEST_FORMAT, type Manifest } from "./manifest.ts";
import { mergeFills } from "./merge.ts";
import { readContent } from "./objects.ts";

/** The archive as of one manifest. */
export interface Snapshot {
  readonly manifest: Manifest;
  readonly ref: Head["manifest"];
  /** Of what was read as the newest: its head, or null. */
  readonly held?: HeldHead | null;
}

/** The archive as its head names it now. Rejects with `untrusted` if that head is an older one. */
export async function readNewestArchive(store: Store, account: string): Promise<Snapshot> {
  const held = await readNewestHead(store, account);
  return { ...(await loadArchive(store, account, held?.head ?? null)), held };
}

/** The archive as a head names it, with hashes checked. Empty if nothing was committed yet. */
export async function loadArchive(store: Store, account: string, head: Head | null): Promise<Snapshot> {
  const ref = head?.manifest ?? null;
  if (ref === null) {
    return { manifest: emptyManifest(account), ref };
  }
  const key = manifestKey(account, ref.seq, ref.sha256);
  const manifest = fieldsIn(new TextDecoder().decode(await readContent(store, key, ref.sha256)));
  const { account: owner, seq, format } = manifest;
  if (owner === account && seq === ref.seq && format === MANIFEST_FORMAT) {
    return { manifest: manifest as Fields & Manifest, ref };
  }
  throw new FillbookError("untrusted", `${store.location}/${key} is not a manifest that this version can read`, {
    hint: "use the version of fillbook that wrote it, or sync the account into another, empty store",
  });
}

/**
 * The archive as the head names it now. A concurrent commit gives the old state or the new one, never a
 * mixture.
 */
export async function readArchive(store: Store, account: string): Promise<Snapshot> {
  const held = await readHead(store, account);
  return await loadArchive(store, account, held?.head ?? null);
}

/** Rejects with `untrusted` if a data file is gone or cut: who reads only some would not find out. One listing. */
export async function requireDataFiles(store: Store, { account, dataFiles }: Manifest): Promise<void> {
  const listed = new Map(await Array.fromAsync(store.list(dataFilePrefix(account)), ({ key, bytes }) => [key, bytes]));
  for (const file of dataFiles.filter((one) => listed.get(dataFileKey(account, one)) !== one.bytes)) {
    await readDataFile(store, account, file); // says what is wrong with it
  }
}

/** Data files whose ranges overlap: they are read together, because a fill may be in several of them. */
export interface Unit extends TimeRange {
  /** In order of writing: later ones are newer. */
  readonly files: readonly DataFile[];
  readonly fills: number;
  readonly firstTrade: number;
  readonly lastTrade: number;
}

/** The archive's data files in order of time; where a run was killed, several in one unit. */
export function unitsOf({ dataFiles }: Pick<Manifest, "dataFiles">): readonly Unit[] {
  const units: Unit[] = [];
  for (const file of dataFiles.toSorted((a, b) => a.from - b.from)) {
    const last = units.at(-1);
    if (last !== undefined && overlaps(last, file)) {
      units[units.length - 1] = {
        from: last.from,
        to: Math.max(last.to, file.to),
        files: dataFiles.filter((one) => one === file || last.files.includes(one)),
        fills: last.fills + file.fills,
        firstTrade: Math.min(last.firstTrade, file.firstTrade),
        lastTrade: Math.max(last.lastTrade, file.lastTrade),
      };
    } else {
      units.push({ ...file, files: [file] });
    }
  }
  return units;
}

/** The current fills of a unit, sorted by `tx_created`. */
export async function fillsOfUnit(
  { files }: Pick<Unit, "files">,
  load: (file: DataFile) => Promise<readonly Fill[]>,
): Promise<readonly Fill[]> {
  const layers: (readonly Fill[])[] = [];
  for (const file of files) {
    layers.push(await load(file));
  }
  const [only = [], ...others] = layers;
  return others.length === 0 ? only : mergeFills(layers).fills;
}

/** The same fills of an archive in a store, made each time that one iterates over them: memory holds few of them. */
export async function openUnit(store: Store, manifest: Manifest, unit: Pick<Unit, "files">): Promise<Iterable<Fill>> {
  const [only] = unit.files;
  return only !== undefined && unit.files.length === 1
    ? await openDataFile(store, manifest.account, only)
    : await fillsOfUnit(unit, (file) => readDataFile(store, manifest.account, file));
}

/** A lower bound is enough for an estimate: how many fills lie in the ranges, by the files' ranges. */
export function fillsIn({ dataFiles }: Pick<Manifest, "dataFiles">, ranges: readonly TimeRange[]): number {
  return dataFiles
    .filter((file) => ranges.some((range) => overlaps(range, file)))
    .reduce((sum, { fills }) => sum + fills, 0);
}
