import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FILLS_COLUMNS, type GlueType, KEY_COLUMNS, type TableColumn } from "./columns.ts";

interface ViewOf {
  readonly name: string;
  readonly description: string;
  /** The columns of the result, in the order of the SQL. */
  readonly columns: readonly TableColumn[];
}

/** A view whose SQL is in a file under queries/. */
export interface FileView extends ViewOf {
  readonly file: string;
}

export interface View extends ViewOf {
  readonly sql: string;
}

const columns = (type: GlueType, ...names: string[]): TableColumn[] => names.map((name) => ({ name, type }));

const AMOUNTS = FILLS_COLUMNS.filter(({ type }) => type === "decimal(38,18)").map(({ name }) => name);

/**
 * An account's label has no underscore (settings.ts), so no two accounts share a table name, and no view has
 * such a name.
 */
export function accountTable(account: string): string {
  return `fills_of_${account.replaceAll("-", "_")}`;
}

/**
 * The tables of all accounts as one view. Each branch states the account as a constant, so a query that names
 * one account reads no other account's log. Times become timestamps without a zone, in UTC, because engines
 * read Delta's timestamps either way.
 */
function fillsView(accounts: readonly string[]): View {
  const branches = accounts.map((account) => `SELECT '${account}' AS of_account, * FROM ${accountTable(account)}`);
  const selected = FILLS_COLUMNS.map(({ name, type }) =>
    type === "timestamp" ? `CAST(${name} AS timestamp(3)) AS ${name}` : name,
  );
  return {
    name: "fills",
    description: "Each fill of all accounts once. A query with account = '...' reads only that account.",
    columns: [...KEY_COLUMNS, ...FILLS_COLUMNS],
    sql: `SELECT of_account AS account, month, ${selected.join(", ")} FROM (\n${branches.join("\nUNION ALL\n")}\n)`,
  };
}

/** Each view follows the tables and views that it uses. */
export function viewsOf(accounts: readonly string[]): readonly View[] {
  return [fillsView(accounts), ...VIEWS.map((view) => ({ ...view, sql: sqlOf(view.file) }))];
}

/** Views over the view `fills`. */
export const VIEWS: readonly FileView[] = [
  {
    name: "fills_current",
    description: "Each fill once, with the exact text of amounts that do not fit their columns",
    file: "fills-current.sql",
    columns: [
      ...KEY_COLUMNS,
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
    description: "Volume by month of the trade and market",
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

/** Queries of the account that they name; a person writes another account's name there. */
export const SAVED_QUERIES: readonly SavedQuery[] = [
  { name: "Fees by month", description: "Fees and rebates of each month and currency", file: "saved-fees.sql" },
  { name: "Volume by market", description: "Volume of each market", file: "saved-volume.sql" },
  {
    name: "Completeness",
    description: "Counts and sums by month, market and liquidity, to compare with fees.csv of a pack",
    file: "saved-completeness.sql",
  },
  { name: "Lag", description: "How late fills appear after they were traded", file: "saved-lag.sql" },
  { name: "Untyped fills", description: "Fills with an amount that no total includes", file: "saved-untyped.sql" },
];

/**
 * The SQL of a view or saved query. It runs in both Athena (Trino) and DuckDB, so that tests run exactly this
 * text (trino.io/docs/current/functions: date_trunc, date_diff, coalesce; the sum of decimals is decimal(38,
 * s); json_extract_scalar is Trino's).
 */
export function sqlOf(file: string): string {
  return readFileSync(join(import.meta.dirname, "queries", file), "utf8").trim();
}

/** Replaces the account `main` of a saved query. */
export function sqlFor(account: string, file: string): string {
  return sqlOf(file).replaceAll("account = 'main'", `account = '${account}'`);
}
