import type { ManifestIndex } from "../../archive/index/manifest-index.ts";
import type { DataFile } from "../../archive/manifest-entries.ts";
import { addSets, EMPTY_SET, parseSetHash, type SetHash, setHashOf } from "../../archive/set-hash.ts";
import { FillbookError } from "../../core/errors.ts";
import { type Fill, identityOf } from "../../core/fill.ts";
import { isWithin } from "../../core/ranges.ts";
import { isoTime, type TimeRange } from "../../core/time.ts";
import { DATE_BY, type DateBy } from "./date-by.ts";

export type ReadDataFile = (dataFile: DataFile) => Promise<readonly Fill[]>;

/** How data files that count between two times, or a unit of them, lie to a time. */
type Place = "outside" | "inside" | "across";

function placeOf(first: number, last: number, { from, to }: TimeRange): Place {
  if (last < from || first >= to) {
    return "outside";
  }
  return first >= from && last < to ? "inside" : "across";
}

const VERDICTS = { outside: "skip", inside: "whole", across: "open" } as const;

/**
 * The hash of the fills that count in the time: decides a pack's version. Only data files that reach over its ends are read, and only units of the index
 * that do: what else they hold, and how it changes, does not concern the pack.
 */
export async function setHashIn(
  manifestIndex: ManifestIndex,
  range: TimeRange,
  basis: DateBy,
  readDataFile: ReadDataFile,
): Promise<SetHash> {
  let set = EMPTY_SET;
  const visited = manifestIndex.visit((sum, unit) =>
    sum.parts === 0 ? "skip" : VERDICTS[placeOf(basis.firstIn(sum, unit), basis.lastIn(sum), range)],
  );
  for await (const one of visited) {
    if ("sum" in one) {
      set = addSets(set, parseSetHash(one.sum.setHash));
      continue;
    }
    for (const dataFile of one.entries.parts) {
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

/** The data files with fills that may count in the time, in the order of their first. */
export async function dataFilesIn(
  manifestIndex: ManifestIndex,
  range: TimeRange,
  basis: DateBy,
): Promise<readonly DataFile[]> {
  const found: DataFile[] = [];
  const visited = manifestIndex.visit((sum, unit) =>
    sum.parts === 0 || placeOf(basis.firstIn(sum, unit), basis.lastIn(sum), range) === "outside" ? "skip" : "open",
  );
  for await (const one of visited) {
    if ("entries" in one) {
      const isFound = (dataFile: DataFile) =>
        placeOf(basis.firstOf(dataFile), basis.lastOf(dataFile), range) !== "outside";
      found.push(...one.entries.parts.filter(isFound));
    }
  }
  return found.sort((a, b) => basis.firstOf(a) - basis.firstOf(b));
}

function isIn(range: TimeRange, basis: DateBy, fill: Fill): boolean {
  return isWithin(range, basis.timeOf(fill));
}

/**
 * The fills that count in the time, in order, as many at once as a data file settles; those of one time come at once. Data files are cut by `txCreated`, so what
 * they hold may overlap by the other time: what is held is the rows that a data file not read yet may still precede, not the period. Throws `untrusted` when a
 * fill is there twice.
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

/** Fills that count outside of the period by the basis, and inside by their other time: auditors test the cut-off. A data file at a time. */
export async function* straysOf(
  manifestIndex: ManifestIndex,
  period: TimeRange,
  basis: DateBy,
  readDataFile: ReadDataFile,
): AsyncGenerator<readonly Fill[]> {
  // Where both times of all fills lie the same way to the period, none is a stray.
  const mayStray = (trades: Place, created: Place): boolean => trades === "across" || trades !== created;
  const visited = manifestIndex.visit((sum, unit) => {
    const { fill, transaction } = DATE_BY;
    const trades = placeOf(fill.firstIn(sum, unit), fill.lastIn(sum), period);
    const created = placeOf(transaction.firstIn(sum, unit), transaction.lastIn(sum), period);
    return sum.parts > 0 && mayStray(trades, created) ? "open" : "skip";
  });
  for await (const one of visited) {
    const dataFiles = "entries" in one ? one.entries.parts : [];
    for (const dataFile of dataFiles) {
      const trades = placeOf(dataFile.firstTrade, dataFile.lastTrade, period);
      const created = placeOf(dataFile.from, dataFile.to - 1, period);
      const fills = mayStray(trades, created) ? await readDataFile(dataFile) : [];
      const strays = fills.filter((fill) => !isIn(period, basis, fill) && isWithin(period, basis.otherTimeOf(fill)));
      if (strays.length > 0) {
        yield strays.sort(basis.compare);
      }
    }
  }
}

/** The order of the pack rests on what the manifest says of its data files. */
function checked(dataFile: DataFile, basis: DateBy, fills: readonly Fill[]): readonly Fill[] {
  const stray = fills.find(
    (fill) => basis.timeOf(fill) < basis.firstOf(dataFile) || basis.timeOf(fill) > basis.lastOf(dataFile),
  );
  if (stray !== undefined) {
    throw new FillbookError(
      "untrusted",
      `${dataFile.key} holds a fill of ${isoTime(basis.timeOf(stray))}, outside of the times that its manifest gives`,
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
