import { FillbookError } from "../core/errors.ts";
import { PackedFill } from "../core/fast/packed-fill.ts";
import { byTxCreated, type Fill, identityOf, tradeTime } from "../core/fill.ts";
import { isWithin } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { type Merged, mergeFills } from "../fills/merge.ts";
import { mayBeDeleted } from "./age.ts";
import { type DataFilePorts, fillsOfDataFile } from "./data-files.ts";
import type { ManifestIndex } from "./index/manifest-index.ts";
import { dataFileKey, sha256Of } from "./keys.ts";
import type { DataFile } from "./manifest-entries.ts";
import { createContent } from "./objects.ts";
import { cutByRows, MAX_DATA_FILE_ROWS, monthOf, rowsOfHalves } from "./partitioning.ts";
import { formatSetHash } from "./set-hash.ts";

/** How filing changes the archive's data files. */
export interface Filed extends Pick<Merged, "added" | "restated"> {
  /** `dataFiles` replace the `removed` ones. */
  readonly removed: readonly DataFile[];
  readonly dataFiles: readonly DataFile[];
}

/** Replaces the fill that is held at this time under this `nameOf`. `current` null: removes it. */
export interface Edit {
  readonly txCreated: number;
  readonly name: string;
  readonly current: Fill | null;
}

/**
 * Files fills into their partitions and writes the data files that change. Data files of other partitions are
 * not read. Nothing names the new objects until a manifest does. `incoming` is in order of arrival.
 */
export async function fileFills(
  ports: DataFilePorts,
  manifestIndex: ManifestIndex,
  incoming: readonly Fill[],
): Promise<Filed> {
  const merged = (before: readonly Fill[], some: readonly Fill[]) => {
    const all = mergeFills(before, some);
    return all.added.length === 0 && all.restated.length === 0 ? null : all;
  };
  return await rewrite({ ports, manifestIndex, changed: merged, takesOut: () => false }, incoming);
}

/** Rewrites the data files that hold the fills. They are cut as if a removed fill had never been there. */
export async function editDataFiles(
  ports: DataFilePorts,
  manifestIndex: ManifestIndex,
  edits: readonly Edit[],
): Promise<Filed> {
  const edited = (before: readonly Fill[], some: readonly Edit[]) => {
    const currentOf = new Map(some.map(({ name, current }) => [name, current]));
    const fills = before.flatMap((fill) => {
      const current = currentOf.get(nameOf(fill));
      return current === null ? [] : [current ?? fill];
    });
    return { fills: fills.sort(byTxCreated), added: [], restated: [] };
  };
  return await rewrite({ ports, manifestIndex, changed: edited, takesOut: ({ current }) => current === null }, edits);
}

/** Identifies a fill together with its time. */
export function nameOf(fill: Fill): string {
  return `${identityOf(fill)}\u0000${fill.txCreated}`;
}

/** How new items, each at a time, change the fills of a partition. */
interface Rewriting<New> {
  readonly ports: DataFilePorts;
  readonly manifestIndex: ManifestIndex;
  /** The partition's fills after the change. Null: nothing changes. */
  readonly changed: (before: readonly Fill[], some: readonly New[]) => Merged | null;
  /** True if the item removes a row from the partition. */
  readonly takesOut: (one: New) => boolean;
}

interface Timed {
  readonly txCreated: number;
}

async function rewrite<New extends Timed>(rewriting: Rewriting<New>, all: readonly New[]): Promise<Filed> {
  const out: Filed[] = [];
  for (const { month, some } of byMonth(all)) {
    const filed = await rewritePartition(rewriting, month, some);
    if (filed === null) {
      const { store, account } = rewriting.ports;
      throw new FillbookError(
        "untrusted",
        `a data file of ${store.location}/${account} extends beyond the end of its month`,
      );
    }
    out.push(filed);
  }
  return joined(out);
}

function joined(filed: readonly Filed[]): Filed {
  return {
    removed: filed.flatMap(({ removed }) => removed),
    dataFiles: filed.flatMap(({ dataFiles }) => dataFiles),
    // flatMap takes six times as long.
    added: ([] as readonly Fill[]).concat(...filed.map(({ added }) => added)),
    restated: filed.flatMap(({ restated }) => restated),
  };
}

/**
 * Rewrites a partition, or the halves that it is cut into. Null: a data file reaches beyond the partition, so
 * a larger partition must be rewritten.
 */
async function rewritePartition<New extends Timed>(
  rewriting: Rewriting<New>,
  partition: TimeRange,
  some: readonly New[],
): Promise<Filed | null> {
  const left = (await rowsIn(rewriting.manifestIndex, partition)) - some.filter(rewriting.takesOut).length;
  const halves = left > MAX_DATA_FILE_ROWS ? rowsOfHalves(partition, some) : null;
  if (halves === null) {
    return await rewriteWhole(rewriting, partition, some);
  }
  const out: (Filed | null)[] = [];
  for (const half of halves.filter(({ rows }) => rows.length > 0)) {
    out.push(await rewritePartition(rewriting, half.partition, half.rows));
  }
  return out.includes(null)
    ? await rewriteWhole(rewriting, partition, some)
    : joined(out.filter((one) => one !== null));
}

/** The number of rows of the data files that begin in the partition. */
async function rowsIn(manifestIndex: ManifestIndex, partition: TimeRange): Promise<number> {
  let rows = 0;
  const found = manifestIndex.visit((sum, unit) => {
    if (sum.dataFiles === 0 || unit.to <= partition.from || unit.from >= partition.to) {
      return "skip";
    }
    return partition.from <= unit.from && unit.to <= partition.to ? "whole" : "open";
  });
  for await (const one of found) {
    if ("sum" in one) {
      rows += one.sum.fills;
    } else {
      const inside = one.entries.dataFiles.filter(({ from }) => isWithin(partition, from));
      rows += inside.reduce((sum, dataFile) => sum + dataFile.rows, 0);
    }
  }
  return rows;
}

/**
 * Reads the data files of the partition, however they are cut, and cuts them again if something changes.
 * Null: a data file reaches beyond the partition.
 */
async function rewriteWhole<New>(
  { ports, manifestIndex, changed }: Rewriting<New>,
  partition: TimeRange,
  some: readonly New[],
): Promise<Filed | null> {
  const existing = await manifestIndex.dataFiles(partition);
  if (existing.some(({ from, to }) => from < partition.from || to > partition.to)) {
    return null;
  }
  const before: Fill[] = [];
  for (const dataFile of existing) {
    before.push(...(await fillsOfDataFile(ports, dataFile)));
  }
  const after = changed(before, some);
  if (after === null) {
    return joined([]);
  }
  const { fills, added, restated } = after;
  return { removed: existing, dataFiles: await writePartition(ports, partition, fills), added, restated };
}

/** Writes the rows of a partition as one data file, or as several if they are too many for one. */
async function writePartition(
  ports: DataFilePorts,
  whole: TimeRange,
  fills: readonly Fill[],
): Promise<readonly DataFile[]> {
  const dataFiles: DataFile[] = [];
  for (const { partition, rows } of cutByRows(whole, fills, MAX_DATA_FILE_ROWS)) {
    dataFiles.push(await writeDataFile(ports, partition, rows));
  }
  return dataFiles;
}

async function writeDataFile(ports: DataFilePorts, partition: TimeRange, fills: readonly Fill[]): Promise<DataFile> {
  const { bytes, exceptions, sums } = ports.encoder.encode(ports.account, fills);
  const sha256 = sha256Of(bytes);
  const key = await keepDataFile(ports, partition, sha256, bytes);
  const times = fills.map(tradeTime);
  const dataFile: DataFile = {
    key,
    sha256,
    bytes: bytes.byteLength,
    rows: fills.length,
    from: partition.from,
    to: partition.to,
    first: fills.at(0)?.txCreated ?? partition.from,
    last: fills.at(-1)?.txCreated ?? partition.to - 1,
    firstTrade: times.reduce((a, b) => Math.min(a, b)),
    lastTrade: times.reduce((a, b) => Math.max(a, b)),
    exceptions,
    setHash: formatSetHash(sums.within().set),
  };
  ports.recent?.keep(dataFile, { held: fills.every((fill) => fill instanceof PackedFill) ? fills : bytes, sums });
  return dataFile;
}

/**
 * Stores the data file and returns its key: the plain one, or one with the epoch if another run may be about
 * to delete the object of the plain name.
 */
async function keepDataFile(
  ports: DataFilePorts,
  partition: TimeRange,
  sha256: string,
  bytes: Uint8Array,
): Promise<string> {
  const key = dataFileKey(ports.account, partition, sha256);
  if ((await createContent(ports, key, bytes)) === "created" || !(await mayBeDeleted(ports, key))) {
    return key;
  }
  const own = dataFileKey(ports.account, partition, sha256, ports.epoch);
  await createContent(ports, own, bytes);
  return own;
}

interface OfMonth<New> {
  readonly month: TimeRange;
  readonly some: New[];
}

/** Groups by month. Each group keeps the order of arrival. */
function byMonth<New extends Timed>(all: readonly New[]): readonly OfMonth<New>[] {
  const months: OfMonth<New>[] = [];
  let last: OfMonth<New> | undefined;
  for (const one of all) {
    const { txCreated } = one;
    // Try the last month first: items that arrive together are mostly of one month.
    if (last === undefined || !isWithin(last.month, txCreated)) {
      last = months.find(({ month }) => isWithin(month, txCreated));
    }
    if (last === undefined) {
      last = { month: monthOf(txCreated), some: [] };
      months.push(last);
    }
    last.some.push(one);
  }
  return months;
}
