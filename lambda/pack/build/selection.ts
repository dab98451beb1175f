import type { ManifestIndex } from "../../archive/index/manifest-index.ts";
import type { DataFile } from "../../archive/manifest-entries.ts";
import { addSets, EMPTY_SET, parseSetHash, type SetHash, setHashOf } from "../../archive/set-hash.ts";
import { FillbookError } from "../../core/errors.ts";
import { type Fill, identityOf } from "../../core/fill.ts";
import { isWithin } from "../../core/ranges.ts";
import { isoTime, type TimeRange } from "../../core/time.ts";
import { DATE_BY, type DateBy } from "./date-by.ts";

export type ReadDataFile = (dataFile: DataFile) => Promise<readonly Fill[]>;

/** Where the times of a data file, or of a unit of the index, lie relative to a range. */
type Place = "outside" | "inside" | "across";

function placeOf(first: number, last: number, { from, to }: TimeRange): Place {
  if (last < from || first >= to) {
    return "outside";
  }
  return first >= from && last < to ? "inside" : "across";
}

const VERDICTS = { outside: "skip", inside: "whole", across: "open" } as const;

/**
 * The hash of the fills that count in the range. It decides a pack's version. Only data files and units of
 * the index that reach across the ends of the range are read. Whatever else they hold does not concern the
 * pack.
 */
export async function setHashIn(
  manifestIndex: ManifestIndex,
  range: TimeRange,
  basis: DateBy,
  readDataFile: ReadDataFile,
): Promise<SetHash> {
  let set = EMPTY_SET;
  const visited = manifestIndex.visit((sum, unit) =>
    sum.dataFiles === 0 ? "skip" : VERDICTS[placeOf(basis.firstIn(sum, unit), basis.lastIn(sum), range)],
  );
  for await (const one of visited) {
    if ("sum" in one) {
      set = addSets(set, parseSetHash(one.sum.setHash));
      continue;
    }
    for (const dataFile of one.entries.dataFiles) {
      set = addSets(set, await setHashOfDataFile(dataFile, range, basis, readDataFile));
    }
  }
  return set;
}

async function setHashOfDataFile(
  dataFile: DataFile,
  range: TimeRange,
  basis: DateBy,
  readDataFile: ReadDataFile,
): Promise<SetHash> {
  switch (placeOf(basis.firstOf(dataFile), basis.lastOf(dataFile), range)) {
    case "outside":
      return EMPTY_SET;
    case "inside":
      return parseSetHash(dataFile.setHash);
    case "across":
      return setHashOf((await readDataFile(dataFile)).filter((fill) => isIn(range, basis, fill)));
  }
}

/** The data files with fills that may count in the range, ordered by their first fill. */
export async function dataFilesIn(
  manifestIndex: ManifestIndex,
  range: TimeRange,
  basis: DateBy,
): Promise<readonly DataFile[]> {
  const found: DataFile[] = [];
  const visited = manifestIndex.visit((sum, unit) =>
    sum.dataFiles === 0 || placeOf(basis.firstIn(sum, unit), basis.lastIn(sum), range) === "outside" ? "skip" : "open",
  );
  for await (const one of visited) {
    if ("entries" in one) {
      const isFound = (dataFile: DataFile) =>
        placeOf(basis.firstOf(dataFile), basis.lastOf(dataFile), range) !== "outside";
      found.push(...one.entries.dataFiles.filter(isFound));
    }
  }
  return found.sort((a, b) => basis.firstOf(a) - basis.firstOf(b));
}

function isIn(range: TimeRange, basis: DateBy, fill: Fill): boolean {
  return isWithin(range, basis.timeOf(fill));
}

/**
 * The fills that count in the range, in order. Each batch is what one more data file settles; fills of one
 * time come together. Data files are cut by `txCreated`, so they may overlap by the other time. Only the rows
 * are in memory that an unread data file may still precede. Throws `untrusted` if a fill appears twice.
 */
export async function* fillsOf(
  dataFiles: readonly DataFile[],
  range: TimeRange,
  basis: DateBy,
  readDataFile: ReadDataFile,
): AsyncGenerator<readonly Fill[]> {
  let pending: Fill[] = [];
  for (const [at, dataFile] of dataFiles.entries()) {
    pending = pending
      .concat(checked(dataFile, basis, await readDataFile(dataFile)).filter((fill) => isIn(range, basis, fill)))
      .sort(basis.compare);
    refuseDoubles(pending);
    const next = dataFiles[at + 1];
    const settledBefore = next === undefined ? Number.POSITIVE_INFINITY : basis.firstOf(next);
    const open = pending.findIndex((fill) => basis.timeOf(fill) >= settledBefore);
    const settled = open === -1 ? pending : pending.slice(0, open);
    pending = open === -1 ? [] : pending.slice(open);
    if (settled.length > 0) {
      yield settled;
    }
  }
}

/**
 * Fills that count outside the period by the basis and inside by their other time. Auditors test the cut-off.
 * One data file at a time.
 */
export async function* cutOffFillsOf(
  manifestIndex: ManifestIndex,
  period: TimeRange,
  basis: DateBy,
  readDataFile: ReadDataFile,
): AsyncGenerator<readonly Fill[]> {
  // If both times of all fills lie on the same side of the period, no fill crosses the border.
  const mayCutOff = (trades: Place, created: Place): boolean => trades === "across" || trades !== created;
  const visited = manifestIndex.visit((sum, unit) => {
    const { fill, transaction } = DATE_BY;
    const trades = placeOf(fill.firstIn(sum, unit), fill.lastIn(sum), period);
    const created = placeOf(transaction.firstIn(sum, unit), transaction.lastIn(sum), period);
    return sum.dataFiles > 0 && mayCutOff(trades, created) ? "open" : "skip";
  });
  for await (const one of visited) {
    const dataFiles = "entries" in one ? one.entries.dataFiles : [];
    for (const dataFile of dataFiles) {
      const trades = placeOf(dataFile.firstTrade, dataFile.lastTrade, period);
      const created = placeOf(dataFile.from, dataFile.to - 1, period);
      const fills = mayCutOff(trades, created) ? await readDataFile(dataFile) : [];
      const cutOff = fills.filter((fill) => !isIn(period, basis, fill) && isWithin(period, basis.otherTimeOf(fill)));
      if (cutOff.length > 0) {
        yield cutOff.sort(basis.compare);
      }
    }
  }
}

/** Checks the data file against the manifest: the order of the pack depends on it. */
function checked(dataFile: DataFile, basis: DateBy, fills: readonly Fill[]): readonly Fill[] {
  const outside = fills.find(
    (fill) => basis.timeOf(fill) < basis.firstOf(dataFile) || basis.timeOf(fill) > basis.lastOf(dataFile),
  );
  if (outside !== undefined) {
    throw new FillbookError(
      "untrusted",
      `${dataFile.key} holds a fill of ${isoTime(basis.timeOf(outside))}, outside of the times that its manifest gives`,
    );
  }
  return fills;
}

function refuseDoubles(fills: readonly Fill[]): void {
  const seen = new Set<string>();
  for (const fill of fills) {
    const identity = identityOf(fill);
    if (seen.has(identity)) {
      throw new FillbookError(
        "untrusted",
        `the archive holds a fill twice: match ${fill.matchId}, order ${fill.orderId}`,
        {
          hint: "nothing was published; run `fillbook verify` and keep the archive as it is",
        },
      );
    }
    seen.add(identity);
  }
}
