import { FILL_COLUMNS, type FillColumn } from "../../lambda/fills/columns.ts";

/** As Glue and Athena's DDL write it (docs.aws.amazon.com/athena/latest/ug/data-types.html). */
export type GlueType = "string" | "timestamp" | "decimal(38,18)" | "decimal(38,36)" | "date" | "bigint";

export interface TableColumn {
  readonly name: string;
  readonly type: GlueType;
  readonly comment?: string;
}

/**
 * How Athena reads Parquet's STRING, TIMESTAMP(ms, UTC) and DECIMAL(38,18) (lambda/formats/parquet.ts). It
 * shows a timestamp in UTC.
 */
const TYPES: Readonly<Record<FillColumn["kind"], GlueType>> = {
  text: "string",
  time: "timestamp",
  decimal: "decimal(38,18)",
};

const MONTH: TableColumn = { name: "month", type: "string", comment: "Month of tx_created, UTC: 2025-03." };

/** The columns of an account's table, as its Delta log states them (lambda/archive/delta-log/actions.ts). */
export const DELTA_COLUMNS: readonly TableColumn[] = [
  ...FILL_COLUMNS.map(({ name, kind, description }) => ({ name, type: TYPES[kind], comment: description })),
  { name: "extra", type: "string", comment: "JSON of values that do not fit the columns." },
  MONTH,
];

const ACCOUNT: TableColumn = {
  name: "account",
  type: "string",
  comment: "Name of the account in fillbook. A query with account = '...' reads only the table of that account.",
};

/** The additional columns of the view over all accounts. */
export const KEY_COLUMNS: readonly TableColumn[] = [ACCOUNT, MONTH];
export const FILLS_COLUMNS = DELTA_COLUMNS.filter(({ name }) => !KEY_COLUMNS.some((key) => key.name === name));
