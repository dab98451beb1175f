import { EXTRA_COLUMN } from "../../fills/cells.ts";
import { FILL_COLUMNS, type FillColumn } from "../../fills/columns.ts";
import type { ManifestIndex } from "../index/manifest-index.ts";
import { deltaRoot, monthName, sha256Of } from "../keys.ts";
import type { DataFile } from "../manifest-entries.ts";

/** What a Delta log says, an action a line (github.com/delta-io/delta, PROTOCOL.md, "Actions"). */
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

/** How far an application has written: for fillbook, the number of the manifest. */
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
  /** Of what the log names after this commit, as `markOf` has it. Another program's commits have none. */
  readonly fillbookMark?: string;
}

export const APP_ID = "fillbook";

/** The lowest that there are: every reader knows them. */
export const PROTOCOL: Protocol = { minReaderVersion: 1, minWriterVersion: 2 };

export const PARTITION_COLUMN = "month";

/**
 * Parquet's STRING, TIMESTAMP(ms, UTC) and DECIMAL(38,18) (lambda/formats/parquet.ts), as Delta writes them.
 */
const TYPES: Readonly<Record<FillColumn["kind"], string>> = {
  text: "string",
  time: "timestamp",
  decimal: "decimal(38,18)",
};

/**
 * The columns of a data file without `digits`, which is between fillbook and its data files; and the month of
 * its folder.
 */
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

/** `before`: what the log has; its name and settings stay. Null: it says all this already. */
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

/** Relative to the table. Keys have no character that a URL would encode (storage/keys.ts). */
export function pathOf(account: string, key: string): string {
  return key.slice(deltaRoot(account).length);
}

/**
 * Of what the log should name: its columns, and how many data files of which fills. The same fills in as many
 * other files have the same mark; a full comparison, before anything is deleted, does not go by it.
 */
export function markOf({ sum: { parts, fills, setHash } }: ManifestIndex): string {
  return sha256Of(new TextEncoder().encode(JSON.stringify([SCHEMA, parts, fills, setHash])));
}
