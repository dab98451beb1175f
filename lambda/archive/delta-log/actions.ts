import { EXTRA_COLUMN } from "../../fills/cells.ts";
import { FILL_COLUMNS, type FillColumn } from "../../fills/columns.ts";
import type { ManifestIndex } from "../index/manifest-index.ts";
import { deltaRoot, monthName, sha256Of } from "../keys.ts";
import type { DataFile } from "../manifest-entries.ts";

/** The actions of a Delta log, one per line (github.com/delta-io/delta, PROTOCOL.md, "Actions"). */
export interface Actions {
  readonly protocol?: Protocol;
  readonly metaData?: MetaData;
  readonly txn?: Txn;
  readonly add?: Add;
  readonly remove?: Remove;
  readonly commitInfo?: CommitInfo;
}

export interface Protocol {
  readonly minReaderVersion: number;
  readonly minWriterVersion: number;
}

export interface MetaData {
  readonly id: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly format: { readonly provider: string; readonly options: Readonly<Record<string, string>> };
  readonly schemaString: string;
  readonly partitionColumns: readonly string[];
  readonly configuration: Readonly<Record<string, string>>;
  readonly createdTime: number | null;
}

/** How far an application has written. For fillbook: the number of the manifest. */
export interface Txn {
  readonly appId: string;
  readonly version: number;
  readonly lastUpdated: number | null;
}

export interface Add {
  readonly path: string;
  readonly partitionValues: Readonly<Record<string, string | null>>;
  readonly size: number;
  readonly modificationTime: number;
  readonly dataChange: boolean;
  readonly stats: string | null;
}

export interface Remove {
  readonly path: string;
  readonly deletionTimestamp: number;
  readonly dataChange: boolean;
}

export interface CommitInfo {
  readonly timestamp: number;
  readonly operation: string;
  readonly operationParameters: Readonly<Record<string, string>>;
  readonly engineInfo: string;
  /** The mark of what the log names after this commit (`markOf`). Other programs' commits have none. */
  readonly fillbookMark?: string;
}

export const APP_ID = "fillbook";

/** The lowest versions there are, which every reader supports. */
export const PROTOCOL: Protocol = { minReaderVersion: 1, minWriterVersion: 2 };

export const PARTITION_COLUMN = "month";

/** Delta's names for Parquet's STRING, TIMESTAMP(ms, UTC) and DECIMAL(38,18) (lambda/formats/parquet.ts). */
const TYPES: Readonly<Record<FillColumn["kind"], string>> = {
  text: "string",
  time: "timestamp",
  decimal: "decimal(38,18)",
};

/** The columns of a data file except the internal `digits`, and the month of its folder. */
const SCHEMA = JSON.stringify({
  type: "struct",
  fields: [
    ...[...FILL_COLUMNS, { ...EXTRA_COLUMN, required: false }].map(({ name, kind, required, description }) => ({
      name,
      type: TYPES[kind],
      nullable: required !== true,
      metadata: { comment: description },
    })),
    {
      name: PARTITION_COLUMN,
      type: "string",
      nullable: false,
      metadata: { comment: "Month of tx_created, UTC: 2025-03." },
    },
  ],
});

/**
 * The table's metadata with the current columns. `before`: the metadata that the log has, whose name and
 * settings are kept. Null: the log has the current columns already.
 */
export function metaDataAfter(before: MetaData | null, id: string, now: number): MetaData | null {
  const columns = { schemaString: SCHEMA, partitionColumns: [PARTITION_COLUMN] };
  if (before === null) {
    const format = { provider: "parquet", options: {} };
    return { id, name: "fills", description: null, format, ...columns, configuration: {}, createdTime: now };
  }
  const isSame = before.schemaString === SCHEMA && before.partitionColumns.join() === PARTITION_COLUMN;
  return isSame ? null : { ...before, ...columns };
}

export function addOf(account: string, dataFile: DataFile, now: number): Add {
  const time = (ms: number) => ({ tx_created: new Date(ms).toISOString() });
  const { key, bytes, rows, first, last } = dataFile;
  return {
    path: pathOf(account, key),
    partitionValues: { [PARTITION_COLUMN]: monthName(dataFile.from) },
    size: bytes,
    modificationTime: now,
    dataChange: true,
    stats: JSON.stringify({
      numRecords: rows,
      minValues: time(first),
      maxValues: time(last),
      nullCount: { tx_created: 0 },
    }),
  };
}

/** The path relative to the table. Keys have no character that a URL would encode (storage/keys.ts). */
export function pathOf(account: string, key: string): string {
  return key.slice(deltaRoot(account).length);
}

/**
 * A mark of what the log should name: a hash of the columns, the number of data files and the fills. It is
 * the same for the same fills in as many other files. The full comparison before a deletion therefore does
 * not rely on it.
 */
export function markOf({ sum: { dataFiles, fills, setHash } }: ManifestIndex): string {
  return sha256Of(new TextEncoder().encode(JSON.stringify([SCHEMA, dataFiles, fills, setHash])));
}
