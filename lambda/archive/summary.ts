import type { TimeRange } from "../core/time.ts";
import { type DataFilePorts, sumsOfDataFile } from "./data-files.ts";
import type { ManifestIndex } from "./index/manifest-index.ts";
import type { DataFile, WindowRecord } from "./manifest-entries.ts";
import { EMPTY_SET, formatSetHash, parseSetHash } from "./set-hash.ts";

export type Summary = Pick<WindowRecord, "rows" | "first" | "last" | "setHash">;

type Ports = Pick<DataFilePorts, "store" | "recent">;

/**
 * Count, first and last time, and hash of the fills that the archive holds in `range`. Computes them from the
 * fills, so it needs every data file of the range.
 */
export async function summarise(ports: Ports, manifestIndex: ManifestIndex, range: TimeRange): Promise<Summary> {
  return await summariseDataFiles(ports, await dataFilesWithRows(manifestIndex, range), range, () => false);
}

/**
 * As `summarise`, but takes the index's sums for data files inside `range`. Only data files that reach over
 * its ends are read.
 */
export async function summariseBySums(ports: Ports, manifestIndex: ManifestIndex, range: TimeRange): Promise<Summary> {
  const isInside = ({ first, last }: DataFile) => range.from <= first && last < range.to;
  return await summariseDataFiles(ports, await dataFilesWithRows(manifestIndex, range), range, isInside);
}

async function dataFilesWithRows(manifestIndex: ManifestIndex, range: TimeRange): Promise<readonly DataFile[]> {
  return (await manifestIndex.dataFiles(range)).filter(({ first, last }) => first < range.to && last >= range.from);
}

async function summariseDataFiles(
  ports: Ports,
  dataFiles: readonly DataFile[],
  range: TimeRange,
  isKnown: (dataFile: DataFile) => boolean,
): Promise<Summary> {
  let rows = 0;
  let first: number | null = null;
  let last: number | null = null;
  let set = EMPTY_SET;
  for (const dataFile of dataFiles) {
    const held = isKnown(dataFile)
      ? { ...dataFile, set: parseSetHash(dataFile.setHash) }
      : (await sumsOfDataFile(ports, dataFile)).within(range);
    if (held.rows > 0) {
      rows += held.rows;
      first ??= held.first;
      last = held.last;
      set += held.set;
    }
  }
  return { rows, first, last, setHash: formatSetHash(BigInt.asUintN(256, set)) };
}
