import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FILLS_COLUMNS, type GlueType, PARTITION_COLUMNS, type TableColumn } from "./columns.ts";

export interface View {
  readonly name: string;
  readonly description: string;
  /** Of its SQL, under queries/. */
  readonly file: string;
  /** What the SQL answers, in its order. */
  readonly columns: readonly TableColumn[];
}

const columns = (type: GlueType, ...names: string[]): TableColumn[] => names.map((name) => ({ name, type }));

const AMOUNTS = FILLS_COLUMNS.filter(({ type }) => type === "decimal(38,18)").map(({ name }) => name);

/** In an order in which each names only the table and views before it. */
export const VIEWS: readonly View[] = [
  {
    name: "fills_current",
    description: "Each fill once, with the exact text of amounts that do not fit their columns",
    file: "fills-current.sql",
    columns: [
      ...PARTITION_COLUMNS,
      ...columns("timestamp", "traded_at"),
      ...FILLS_COLUMNS.filter(({ name }) => name !== "extra"),
      ...columns("decimal(38,18)", "volume"),
      ...columns("decimal(38,36)", "volume_rest"),
      ...columns("string", ...AMOUNTS.map((name) => `${name}_text`), "extra"),
    ],
  },
  {
    name: "fees_by_month",
    description: "Fees and rebates by month of the trade, market and currency",
    file: "fees-by-month.sql",
    columns: [
      ...columns("string", "account"),
      ...columns("date", "trade_month"),
      ...columns("string", "market", "fee_currency"),
      ...columns("bigint", "fills"),
      ...columns("decimal(38,18)", "fees_paid", "rebates", "net_fees"),
      ...columns("bigint", "fills_without_fee"),
    ],
  },
  {
    name: "volume_by_market",
    description: "What was traded by month of the trade and market",
    file: "volume-by-market.sql",
    columns: [
      ...columns("string", "account"),
      ...columns("date", "trade_month"),
      ...columns("string", "market"),
      ...columns("bigint", "fills"),
      ...columns("decimal(38,18)", "bought", "sold", "volume", "maker_volume", "taker_volume"),
      ...columns("bigint", "fills_without_volume"),
    ],
  },
];

export interface SavedQuery {
  readonly name: string;
  readonly description: string;
  readonly file: string;
}

/** Of the account that stands in them; for another one a person writes its name there. */
export const SAVED_QUERIES: readonly SavedQuery[] = [
  { name: "Fees by month", description: "Fees and rebates of each month and currency", file: "saved-fees.sql" },
  { name: "Volume by market", description: "What was traded in each market", file: "saved-volume.sql" },
  {
    name: "Completeness",
    description: "Counts and sums by month, market and liquidity, to compare with fees.csv of a pack",
    file: "saved-completeness.sql",
  },
  { name: "Lag", description: "How late fills appear after they were traded", file: "saved-lag.sql" },
  { name: "Untyped fills", description: "Fills with an amount that is in no sum", file: "saved-untyped.sql" },
];

/**
 * The SQL of a view or saved query, which is common to Athena (Trino) and DuckDB, so that tests run the very text
 * (trino.io/docs/current/functions: date_trunc, date_diff, coalesce, sum of decimals is decimal(38, s); json_extract_scalar is Trino's).
 */
export function sqlOf(file: string): string {
  return readFileSync(join(import.meta.dirname, "queries", file), "utf8").trim();
}

/** A saved query for another account than the `main` of its text. */
export function sqlFor(account: string, file: string): string {
  return sqlOf(file).replaceAll("account = 'main'", `account = '${account}'`);
}
