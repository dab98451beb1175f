import { FILL_COLUMNS, type FillColumn } from "../../lambda/fills/columns.ts";

/** As Glue and Athena's DDL write it (docs.aws.amazon.com/athena/latest/ug/data-types.html). */
export type GlueType = "string" | "timestamp" | "decimal(38,18)" | "decimal(38,36)" | "date" | "bigint";

export interface TableColumn {
  readonly name: string;
  readonly type: GlueType;
  readonly comment?: string;
}

/** Parquet's STRING, TIMESTAMP(ms, UTC) and DECIMAL(38,18) (lambda/formats/parquet.ts), as Athena reads them; a timestamp is shown in UTC. */
const TYPES: Readonly<Record<FillColumn["kind"], GlueType>> = {
  text: "string",
  time: "timestamp",
  decimal: "decimal(38,18)",
};

/** A partition of the table: its values are in the places of the lists, so it cannot be a column of the files too. */
const ACCOUNT = "account";

/**
 * What of the parts is a column of the table. Athena finds a Parquet file's columns by name, and does not mind those that the table lacks
 * (docs.aws.amazon.com/athena/latest/ug/handling-schema-updates-chapter.html): `digits` is between fillbook and its parts alone.
 */
export const FILLS_COLUMNS: readonly TableColumn[] = [
  ...FILL_COLUMNS.filter(({ name }) => name !== ACCOUNT).map(({ name, kind, description }) => ({
    name,
    type: TYPES[kind],
    comment: description,
  })),
  { name: "extra", type: "string", comment: "JSON of what the columns cannot hold." },
];

export const PARTITION_COLUMNS: readonly TableColumn[] = [
  {
    name: ACCOUNT,
    type: "string",
    comment: "The label of the account in fillbook. Every query must say which: account = '...'.",
  },
  { name: "month", type: "string", comment: "Month of tx_created, UTC: 2025-03." },
];
