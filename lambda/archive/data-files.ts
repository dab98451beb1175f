import type { Clock } from "../core/clock.ts";
import { FillbookError } from "../core/errors.ts";
import { PackedFill } from "../core/fast/packed-fill.ts";
import { type Fill, tradeTime } from "../core/fill.ts";
import type { Identities } from "../core/identities.ts";
import type { PlainFill } from "../core/plain-fill.ts";
import { isWithin } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { hasReplacement } from "../fills/extra.ts";
import { mergeFills, type Restatement } from "../fills/merge.ts";
import type { Store } from "../storage/store.ts";
import { mayBeDeleted } from "./age.ts";
import { type DataFileEncoder, decodeDataFile, decodeIdentities } from "./data-file-format.ts";
import { DataFileSums } from "./data-file-sums.ts";
import type { ManifestIndex } from "./index/manifest-index.ts";
import { dataFileKey, sha256Of } from "./keys.ts";
import type { DataFile } from "./manifest-entries.ts";
import type { NewestDataFiles } from "./newest-data-files.ts";
import { createContent, readContent } from "./objects.ts";
import { cutByRows, MAX_DATA_FILE_ROWS, monthOf, rowsOfHalves } from "./partitioning.ts";
import { formatSetHash } from "./set-hash.ts";

export interface DataFilePorts {
  readonly account: string;
  readonly store: Store;
  readonly clock: Clock;
  /** The head's, of this run. */
  readonly epoch: number;
  /** Of this run. */
  readonly encoder: DataFileEncoder;
  /** Absent: every part is read when it is needed. */
  readonly recent?: NewestDataFiles;
}

/** What a filing makes of the archive's parts. */
export interface Filed {
  /** Parts that others take the place of, and those. */
  readonly removed: readonly DataFile[];
  readonly parts: readonly DataFile[];
  readonly added: readonly Fill[];
  readonly restated: readonly Restatement[];
}

/** The fills of a part, sorted by `tx_created`; `untrusted` when the bytes are not those that the manifest names. */
export async function readDataFile(store: Store, dataFile: DataFile): Promise<readonly PlainFill[]> {
  return fillsOf(store, dataFile, await readContent(store, dataFile.key, dataFile.sha256));
}

function fillsOf(store: Store, dataFile: DataFile, bytes: Uint8Array): readonly PlainFill[] {
  return decoded(store, dataFile, () => decodeDataFile(bytes));
}

function decoded<T>(store: Store, dataFile: DataFile, decode: () => readonly T[]): readonly T[] {
  let fills: readonly T[];
  try {
    fills = decode();
  } catch (error) {
    throw new FillbookError("untrusted", `${store.location}/${dataFile.key} is not a part that this version can read`, {
      hint: "use the version of fillbook that wrote it, or restore the object",
      cause: error,
    });
  }
  if (fills.length !== dataFile.rows) {
    throw new FillbookError(
      "untrusted",
      `${store.location}/${dataFile.key} holds ${fills.length} rows, its manifest says ${dataFile.rows}`,
    );
  }
  return fills;
}

type RecentPorts = Pick<DataFilePorts, "store" | "recent">;

/** The same, without asking the store for what this run has just written or read. */
export async function fillsOfDataFile({ store, recent }: RecentPorts, dataFile: DataFile): Promise<readonly Fill[]> {
  const held = recent?.get(dataFile)?.held;
  if (held !== undefined) {
    return held instanceof Uint8Array ? fillsOf(store, dataFile, held) : held;
  }
  const bytes = await readContent(store, dataFile.key, dataFile.sha256);
  recent?.keep(dataFile, { held: bytes, sums: null });
  return fillsOf(store, dataFile, bytes);
}

/** Whether the part may hold a fill of these identities, by the columns that say them alone. What is read is not kept. */
export async function holdsAny(
  { store, recent }: RecentPorts,
  dataFile: DataFile,
  wanted: Pick<Identities, "has">,
): Promise<boolean> {
  const held = recent?.get(dataFile)?.held ?? (await readContent(store, dataFile.key, dataFile.sha256));
  const fills = held instanceof Uint8Array ? decoded(store, dataFile, () => decodeIdentities(held)) : held;
  return fills.some((fill) => wanted.has(fill) || hasReplacement(fill.matchId + fill.orderId));
}

/** What was counted of a part when it was written, or is counted now. */
export async function sumsOfDataFile(ports: RecentPorts, dataFile: DataFile): Promise<DataFileSums> {
  const known = ports.recent?.get(dataFile)?.sums ?? null;
  if (known !== null) {
    return known;
  }
  const sums = DataFileSums.of(await fillsOfDataFile(ports, dataFile));
  const held = ports.recent?.get(dataFile)?.held;
  if (held !== undefined) {
    ports.recent?.keep(dataFile, { held, sums });
  }
  return sums;
}

/**
 * Files fills into their calendar cells and writes the parts that change; the others are not read. Nothing refers to the new objects until a
 * manifest names them. Fills are in the order of their arrival.
 */
export async function fileFills(
  ports: DataFilePorts,
  manifestIndex: ManifestIndex,
  incoming: readonly Fill[],
): Promise<Filed> {
  const out: Filed[] = [];
  for (const { month, fills } of byMonth(incoming)) {
    const filed = await fileCell(ports, manifestIndex, month, fills);
    if (filed === null) {
      throw new FillbookError(
        "untrusted",
        `a part of ${ports.store.location}/${ports.account} reaches over a month's end`,
      );
    }
    out.push(filed);
  }
  return joined(out);
}

function joined(filed: readonly Filed[]): Filed {
  return {
    removed: filed.flatMap(({ removed }) => removed),
    parts: filed.flatMap(({ parts }) => parts),
    // flatMap takes six times as long.
    added: ([] as readonly Fill[]).concat(...filed.map(({ added }) => added)),
    restated: filed.flatMap(({ restated }) => restated),
  };
}

/** Files into a cell, or into the halves that it is cut into. Null: a part reaches beyond the cell, so that a larger one must be filed as a whole. */
async function fileCell(
  ports: DataFilePorts,
  manifestIndex: ManifestIndex,
  cell: TimeRange,
  incoming: readonly Fill[],
): Promise<Filed | null> {
  const halves = (await rowsIn(manifestIndex, cell)) > MAX_DATA_FILE_ROWS ? rowsOfHalves(cell, incoming) : null;
  if (halves !== null) {
    const out: (Filed | null)[] = [];
    for (const half of halves.filter(({ rows }) => rows.length > 0)) {
      out.push(await fileCell(ports, manifestIndex, half.cell, half.rows));
    }
    return out.includes(null)
      ? await fileWhole(ports, manifestIndex, cell, incoming)
      : joined(out.filter((one) => one !== null));
  }
  return await fileWhole(ports, manifestIndex, cell, incoming);
}

/** Rows of the parts that begin in the cell. */
export async function rowsIn(manifestIndex: ManifestIndex, cell: TimeRange): Promise<number> {
  let rows = 0;
  const found = manifestIndex.visit((sum, unit) => {
    if (sum.parts === 0 || unit.to <= cell.from || unit.from >= cell.to) {
      return "skip";
    }
    return cell.from <= unit.from && unit.to <= cell.to ? "whole" : "open";
  });
  for await (const one of found) {
    if ("sum" in one) {
      rows += one.sum.fills;
    } else {
      const inside = one.entries.parts.filter(({ from }) => isWithin(cell, from));
      rows += inside.reduce((sum, part) => sum + part.rows, 0);
    }
  }
  return rows;
}

/** Reads what the cell holds, in parts of whatever cut, and cuts it anew where something changes. Null: a part reaches beyond it. */
async function fileWhole(
  ports: DataFilePorts,
  manifestIndex: ManifestIndex,
  cell: TimeRange,
  incoming: readonly Fill[],
): Promise<Filed | null> {
  const existing = await manifestIndex.parts(cell);
  if (existing.some(({ from, to }) => from < cell.from || to > cell.to)) {
    return null;
  }
  const before: Fill[] = [];
  for (const part of existing) {
    before.push(...(await fillsOfDataFile(ports, part)));
  }
  const { fills, added, restated } = mergeFills(before, incoming);
  const isSame = added.length === 0 && restated.length === 0;
  return isSame ? NOTHING : { removed: existing, parts: await writeCell(ports, cell, fills), added, restated };
}

const NOTHING: Filed = { removed: [], parts: [], added: [], restated: [] };

/** Writes the rows of a cell as one part, or as several where they are too many for one. */
export async function writeCell(
  ports: DataFilePorts,
  whole: TimeRange,
  fills: readonly Fill[],
): Promise<readonly DataFile[]> {
  const parts: DataFile[] = [];
  for (const { cell, rows } of cutByRows(whole, fills, MAX_DATA_FILE_ROWS)) {
    parts.push(await writePart(ports, cell, rows));
  }
  return parts;
}

async function writePart(ports: DataFilePorts, cell: TimeRange, fills: readonly Fill[]): Promise<DataFile> {
  const { bytes, exceptions, sums } = ports.encoder.encode(ports.account, fills);
  const sha256 = sha256Of(bytes);
  const key = await keepPart(ports, cell, sha256, bytes);
  const times = fills.map(tradeTime);
  const part: DataFile = {
    key,
    sha256,
    bytes: bytes.byteLength,
    rows: fills.length,
    from: cell.from,
    to: cell.to,
    first: fills.at(0)?.txCreated ?? cell.from,
    last: fills.at(-1)?.txCreated ?? cell.to - 1,
    firstTrade: times.reduce((a, b) => Math.min(a, b)),
    lastTrade: times.reduce((a, b) => Math.max(a, b)),
    exceptions,
    setHash: formatSetHash(sums.within().set),
  };
  ports.recent?.keep(part, { held: fills.every((fill) => fill instanceof PackedFill) ? fills : bytes, sums });
  return part;
}

/** The key under which the part is kept: that of its content, unless an object of that name may be on its way out. */
async function keepPart(ports: DataFilePorts, cell: TimeRange, sha256: string, bytes: Uint8Array): Promise<string> {
  const key = dataFileKey(ports.account, cell, sha256);
  if ((await createContent(ports, key, bytes)) === "created" || !(await mayBeDeleted(ports, key))) {
    return key;
  }
  const own = dataFileKey(ports.account, cell, sha256, ports.epoch);
  await createContent(ports, own, bytes);
  return own;
}

interface MonthOfFills {
  readonly month: TimeRange;
  readonly fills: Fill[];
}

/** In the order of their arrival. */
function byMonth(fills: readonly Fill[]): readonly MonthOfFills[] {
  const months: MonthOfFills[] = [];
  let last: MonthOfFills | undefined;
  for (const fill of fills) {
    const { txCreated } = fill;
    // Those that come together are mostly of one month.
    if (last === undefined || !isWithin(last.month, txCreated)) {
      last = months.find(({ month }) => isWithin(month, txCreated));
    }
    if (last === undefined) {
      last = { month: monthOf(txCreated), fills: [] };
      months.push(last);
    }
    last.fills.push(fill);
  }
  return months;
}
