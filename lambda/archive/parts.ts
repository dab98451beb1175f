import type { Clock } from "../clock.ts";
import { FillbookError } from "../errors.ts";
import { mergeFills, type Restatement } from "../fills/merge.ts";
import { type Fill, tradeTime } from "../model/fill.ts";
import { holds } from "../model/ranges.ts";
import type { TimeRange } from "../model/time.ts";
import type { Store } from "../store/store.ts";
import { mayBeDeleted } from "./age.ts";
import { cutByRows, halvesOf, MAX_PART_ROWS, monthOf } from "./cells.ts";
import { partKey, sha256Of } from "./keys.ts";
import type { Part } from "./manifest.ts";
import { createContent, readContent } from "./objects.ts";
import { decodePart, encodePart } from "./part-file.ts";
import type { RecentParts } from "./recent-parts.ts";
import { formatSetHash } from "./set-hash.ts";

export interface PartPorts {
  readonly account: string;
  readonly store: Store;
  readonly clock: Clock;
  /** The head's, of this run. */
  readonly epoch: number;
  /** Absent: every part is read when it is needed. */
  readonly recent?: RecentParts;
}

/** A fill as a page showed it, and the evidence object that keeps that page. */
export interface Sighting {
  readonly fill: Fill;
  readonly evidence: string;
}

export interface Filed {
  /** All parts of the archive after the filing, in time order. */
  readonly parts: readonly Part[];
  readonly added: readonly Fill[];
  readonly restated: readonly Restatement[];
}

/** The fills of a part, sorted by `tx_created`; `untrusted` when the bytes are not those that the manifest names. */
export async function readPart(store: Store, part: Part): Promise<readonly Fill[]> {
  const bytes = await readContent(store, part.key, part.sha256);
  let fills: readonly Fill[];
  try {
    fills = decodePart(bytes);
  } catch (error) {
    throw new FillbookError("untrusted", `${store.location}/${part.key} is not a part that this version can read`, {
      hint: "use the version of fillbook that wrote it, or restore the object",
      cause: error,
    });
  }
  if (fills.length !== part.rows) {
    throw new FillbookError(
      "untrusted",
      `${store.location}/${part.key} holds ${fills.length} rows, its manifest says ${part.rows}`,
    );
  }
  return fills;
}

/** The same, without asking the store for what this run has just written or read. */
export async function partFills(
  { store, recent }: Pick<PartPorts, "store" | "recent">,
  part: Part,
): Promise<readonly Fill[]> {
  const known = recent?.get(part);
  if (known !== undefined) {
    return known;
  }
  const fills = await readPart(store, part);
  recent?.keep(part, fills);
  return fills;
}

/**
 * Files fills into their calendar cells and writes the parts that change; the others are not read. Nothing refers to the new objects until a
 * manifest names them. Sightings are in the order of their arrival.
 */
export async function fileFills(
  ports: PartPorts,
  parts: readonly Part[],
  incoming: readonly Sighting[],
): Promise<Filed> {
  const out: Part[] = [];
  const added: Fill[] = [];
  const restated: Restatement[] = [];
  const months = groupBy(incoming, ({ fill }) => monthOf(fill.txCreated).from);
  const touched = new Set<Part>();
  for (const [from, rows] of months) {
    const month = monthOf(from);
    const existing = parts.filter((part) => part.from >= month.from && part.from < month.to);
    for (const part of existing) {
      touched.add(part);
    }
    const filed = await fileCell(ports, month, existing, rows);
    out.push(...filed.parts);
    added.push(...filed.added);
    restated.push(...filed.restated);
  }
  const kept = parts.filter((part) => !touched.has(part));
  return { parts: [...kept, ...out].sort((a, b) => a.from - b.from), added, restated };
}

async function fileCell(
  ports: PartPorts,
  cell: TimeRange,
  existing: readonly Part[],
  incoming: readonly Sighting[],
): Promise<Filed> {
  if (incoming.length === 0) {
    return { parts: existing, added: [], restated: [] };
  }
  const halves = halvesOf(cell);
  if (halves !== null && isCut(halves, existing)) {
    return await fileHalves(ports, halves, existing, incoming);
  }
  const before: Fill[] = [];
  for (const part of existing) {
    before.push(...(await partFills(ports, part)));
  }
  const merged = mergeFills(
    before,
    incoming.map(({ fill }) => fill),
  );
  if (merged.added.length === 0 && merged.restated.length === 0) {
    return { parts: existing, added: [], restated: [] };
  }
  const pages = new Set([...existing.flatMap((part) => part.pages), ...incoming.map(({ evidence }) => evidence)]);
  const parts = await writeCell(ports, cell, merged.fills, [...pages].sort());
  return { parts, added: merged.added, restated: merged.restated };
}

/** Whether a cell is in parts of its halves, and has to be. Parts of another cut, smaller or across the middle, are read, and cut anew. */
function isCut([{ to: middle }]: readonly [TimeRange, TimeRange], parts: readonly Part[]): boolean {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  return rows > MAX_PART_ROWS && parts.every(({ from, to }) => to <= middle || from >= middle);
}

async function fileHalves(
  ports: PartPorts,
  halves: readonly TimeRange[],
  existing: readonly Part[],
  incoming: readonly Sighting[],
): Promise<Filed> {
  const out: Filed[] = [];
  for (const half of halves) {
    const parts = existing.filter(({ from }) => holds([half], from));
    const rows = incoming.filter(({ fill }) => holds([half], fill.txCreated));
    out.push(await fileCell(ports, half, parts, rows));
  }
  return {
    parts: out.flatMap(({ parts }) => parts),
    added: out.flatMap(({ added }) => added),
    restated: out.flatMap(({ restated }) => restated),
  };
}

/** Writes the rows of a cell as one part, or as several where they are too many for one. */
async function writeCell(
  ports: PartPorts,
  whole: TimeRange,
  fills: readonly Fill[],
  pages: readonly string[],
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (const { cell, rows } of cutByRows(whole, fills, MAX_PART_ROWS)) {
    parts.push(await writePart(ports, cell, rows, pages));
  }
  return parts;
}

async function writePart(
  ports: PartPorts,
  cell: TimeRange,
  fills: readonly Fill[],
  pages: readonly string[],
): Promise<Part> {
  const { bytes, exceptions, setHash } = encodePart(ports.account, fills);
  const sha256 = sha256Of(bytes);
  const key = await keepPart(ports, cell, sha256, bytes);
  const times = fills.map(tradeTime);
  const part: Part = {
    key,
    sha256,
    bytes: bytes.byteLength,
    rows: fills.length,
    from: cell.from,
    to: cell.to,
    firstTrade: times.reduce((a, b) => Math.min(a, b)),
    lastTrade: times.reduce((a, b) => Math.max(a, b)),
    exceptions,
    setHash: formatSetHash(setHash),
    pages,
  };
  ports.recent?.keep(part, fills);
  return part;
}

/** The key under which the part is kept: that of its content, unless an object of that name may be on its way out. */
async function keepPart(ports: PartPorts, cell: TimeRange, sha256: string, bytes: Uint8Array): Promise<string> {
  const key = partKey(ports.account, cell, sha256);
  if ((await createContent(ports, key, bytes)) === "created" || !(await mayBeDeleted(ports, key))) {
    return key;
  }
  const own = partKey(ports.account, cell, sha256, ports.epoch);
  await createContent(ports, own, bytes);
  return own;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [item]);
    } else {
      group.push(item);
    }
  }
  return groups;
}
