import type { Clock } from "../core/clock.ts";
import { FillbookError } from "../core/errors.ts";
import type { Fill } from "../core/fill.ts";
import type { Identities } from "../core/identities.ts";
import type { PlainFill } from "../core/plain-fill.ts";
import { counted } from "../core/text.ts";
import { hasReplacement } from "../fills/extra.ts";
import type { Store } from "../storage/store.ts";
import { type DataFileEncoder, decodeDataFile, decodeIdentities } from "./data-file-format.ts";
import { DataFileSums } from "./data-file-sums.ts";
import type { DataFile } from "./manifest-entries.ts";
import type { NewestDataFiles } from "./newest-data-files.ts";
import { readContent } from "./objects.ts";

export interface DataFilePorts {
  readonly account: string;
  readonly store: Store;
  readonly clock: Clock;
  /** The epoch of this run, from the head. */
  readonly epoch: number;
  readonly encoder: DataFileEncoder;
  /** Data files kept in memory. Absent: every data file is read when it is needed. */
  readonly recent?: NewestDataFiles;
}

/**
 * The fills of a data file, sorted by `tx_created`. Rejects with `untrusted` if the bytes do not have the
 * hash that the manifest names.
 */
export async function readDataFile(store: Store, dataFile: DataFile): Promise<readonly PlainFill[]> {
  return decoded(store, dataFile, await readContent(store, dataFile.key, dataFile.sha256), decodeDataFile);
}

function decoded<T>(
  store: Store,
  dataFile: DataFile,
  bytes: Uint8Array,
  decode: (bytes: Uint8Array) => readonly T[],
): readonly T[] {
  let fills: readonly T[];
  try {
    fills = decode(bytes);
  } catch (error) {
    throw new FillbookError(
      "untrusted",
      `${store.location}/${dataFile.key} is not a data file that this version can read`,
      {
        hint: "use the version of fillbook that wrote it, or restore the object",
        cause: error,
      },
    );
  }
  if (fills.length !== dataFile.rows) {
    throw new FillbookError(
      "untrusted",
      `${store.location}/${dataFile.key} holds ${counted(fills.length, "row")}, but the manifest says ${dataFile.rows}`,
    );
  }
  return fills;
}

type RecentPorts = Pick<DataFilePorts, "store" | "recent">;

/** As `readDataFile`, but takes from memory what this run has just written or read. */
export async function fillsOfDataFile({ store, recent }: RecentPorts, dataFile: DataFile): Promise<readonly Fill[]> {
  const held = recent?.get(dataFile)?.held;
  if (held !== undefined) {
    return held instanceof Uint8Array ? decoded(store, dataFile, held, decodeDataFile) : held;
  }
  const bytes = await readContent(store, dataFile.key, dataFile.sha256);
  recent?.keep(dataFile, { held: bytes, sums: null });
  return decoded(store, dataFile, bytes, decodeDataFile);
}

/**
 * True if the data file may hold a fill of these identities. Decodes only the two identity columns, and keeps
 * nothing in memory.
 */
export async function holdsAny(
  { store, recent }: RecentPorts,
  dataFile: DataFile,
  wanted: Pick<Identities, "has">,
): Promise<boolean> {
  const held = recent?.get(dataFile)?.held ?? (await readContent(store, dataFile.key, dataFile.sha256));
  const fills = held instanceof Uint8Array ? decoded(store, dataFile, held, decodeIdentities) : held;
  return fills.some((fill) => wanted.has(fill) || hasReplacement(fill.matchId + fill.orderId));
}

/** The sums that were made when the data file was written, or new ones. */
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
