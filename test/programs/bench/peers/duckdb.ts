import { closeSync, openSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { constants, zstdCompressSync } from "node:zlib";
import type { DuckDBConnection } from "@duckdb/node-api";
import { ACCOUNT, type CaseInput, type Measured } from "../case.ts";
import type { Meter } from "../meter.ts";
import { linesOf } from "./lines.ts";

// What an expert would write for the same items with a native engine. Duplicates are removed first, then each
// text is cast once; amounts are exact.

const THREADS = "2";
/** The size of an archive's object of raw responses. */
const RAW_RESPONSES_BYTES = 1_500_000;
/** The compression level of an archive's raw responses, in a single call. */
const RAW_RESPONSES_OPTIONS = { chunkSize: RAW_RESPONSES_BYTES, params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const TEXTS = [
  ...["market", "matchId", "orderId", "orderType", "executionType", "fillType", "price", "quantity"],
  ...["tradeType", "fees", "triggerType", "triggerPrice", "transactionHash"],
];

/**
 * A plain decimal that fits into the cell exactly. The cast alone would round longer fractions, and accept
 * exponents and spaces.
 */
const AMOUNT = "-?(0|[1-9][0-9]{0,19})([.][0-9]{1,18})?";
const ID = "[A-Za-z0-9._:-]{1,128}";
const MARKET = "[A-Za-z0-9._-]+-[A-Za-z0-9._-]+";

/** The columns of a data file that the items contain. `amount`: the SQL that turns a text into an amount. */
function columns(amount: (name: string) => string): string[] {
  return [
    "epoch_ms(filledAt) AS filled_at",
    "epoch_ms(txCreated) AS tx_created",
    "market",
    "orderType AS side",
    `${amount("quantity")} AS quantity`,
    `${amount("price")} AS price`,
    `${amount("fees")} AS fee`,
    "executionType AS liquidity",
    "tradeType AS trade_type",
    "fillType AS fill_type",
    "triggerType AS trigger_type",
    `${amount("triggerPrice")} AS trigger_price`,
    "orderId AS order_id",
    "matchId AS match_id",
    "transactionHash AS transaction_hash",
  ];
}

function cast(name: string): string {
  return `${name}::DECIMAL(38,18)`;
}

/** NULL if the text is not an amount. The row stays, as it does in an archive. */
function checkedCast(name: string): string {
  return `CASE WHEN regexp_full_match(${name}, '${AMOUNT}') THEN ${cast(name)} END`;
}

/** Whether a row is no exception, by the rules of lambda/fills/exceptions.ts, each in its cheapest form. */
const IS_SOUND = [
  ...["quantity > 0", "price > 0", "fee IS NOT NULL", "trigger_price IS NOT NULL"],
  ...["side IN ('buy', 'sell')", "liquidity IN ('maker', 'taker')"],
  ...[`regexp_full_match(market, '${MARKET}')`, "length(market) <= 64"],
  ...[`regexp_full_match(match_id, '${ID}')`, `regexp_full_match(order_id, '${ID}')`],
  ...["trade_type", "fill_type", "trigger_type", "transaction_hash"].map((name) => `${name} IS NOT NULL`),
].join(" AND ");

const UNIT = "0.000000000000000001::DECIMAL(18,18)";

/**
 * The exact product, or NULL if it has more than 18 digits after the point, as in an archive. No DuckDB type
 * holds the product of two amounts with 18 such digits, so amounts with more than nine are multiplied as
 * integers.
 */
function notional(): string {
  const behind = (name: string) =>
    `CASE instr(${name}, '.') WHEN 0 THEN 0 ELSE length(${name}) - instr(${name}, '.') END`;
  const [ofQuantity, ofPrice] = [behind("quantity"), behind("price")];
  const integer = (name: string) => `replace(${name}, '.', '')::HUGEINT`;
  const product = `${integer("quantity")} * ${integer("price")}`;
  const power = (digits: string) => `rpad('1', (${digits} + 1)::INTEGER, '0')::HUGEINT`;
  const digits = `(${ofQuantity} + ${ofPrice})`;
  const short = `${ofQuantity} <= 9 AND ${ofPrice} <= 9`;
  const [up, down] = [power(`18 - ${digits}`), power(`${digits} - 18`)];
  return [
    `CASE WHEN ${short} THEN TRY_CAST(quantity AS DECIMAL(18,9)) * TRY_CAST(price AS DECIMAL(18,9))`,
    `WHEN ${digits} <= 18 THEN (${product} * ${up})::DECIMAL(38,0) * ${UNIT}`,
    `WHEN ${product} % ${down} = 0 THEN (${product} // ${down})::DECIMAL(38,0) * ${UNIT} END AS notional`,
  ].join(" ");
}

function onceEach(dir: string, selected = columns(cast)): string {
  const texts = TEXTS.map((name) => `${name}: 'VARCHAR'`);
  const types = `{${[...texts, "txCreated: 'BIGINT'", "filledAt: 'BIGINT'"].join(", ")}}`;
  const items = `read_json('${linesOf(dir)}', format = 'newline_delimited', columns = ${types})`;
  return `SELECT ${selected.join(", ")} FROM (SELECT DISTINCT ON (matchId, orderId) * FROM ${items})`;
}

/** Reads, removes duplicates and writes Parquet, for comparison with pages → archive. */
export function duckdbParquet({ dir, fills }: CaseInput): Promise<Measured> {
  const parquet = join(dir, "duckdb.parquet");
  return run(fills, [parquet], [`COPY (${onceEach(dir)}) TO '${parquet}' (FORMAT parquet)`]);
}

/**
 * The minimum that a sync does: the same job with checks, in an archive's order, with all columns of a data
 * file except `extra` and `digits`. It also keeps the items as raw responses, compressed as an archive's.
 */
export async function duckdbArchive({ dir, fills }: CaseInput, meter: Meter): Promise<Measured> {
  const [parquet, rawResponses] = [join(dir, "duckdb.parquet"), join(dir, "duckdb.zst")];
  const typed = onceEach(dir, [...columns(checkedCast), notional()]);
  const own = [`'${ACCOUNT}' AS account`, "split_part(market, '-', -1) AS fee_currency", `${IS_SOUND} AS is_sound`];
  const sorted = `SELECT *, ${own.join(", ")} FROM (${typed}) ORDER BY tx_created, match_id, order_id`;
  compressed(linesOf(dir), rawResponses, meter);
  return await run(fills, [parquet, rawResponses], [`COPY (${sorted}) TO '${parquet}' (FORMAT parquet)`]);
}

/** Reading is not measured, just as reading pages from disk is not. */
function compressed(from: string, to: string, meter: Meter): void {
  const [source, target] = [openSync(from, "r"), openSync(to, "w")];
  const piece = Buffer.alloc(RAW_RESPONSES_BYTES);
  while (true) {
    const bytes = meter.aside(() => readSync(source, piece));
    if (bytes === 0) {
      break;
    }
    writeSync(target, zstdCompressSync(piece.subarray(0, bytes), RAW_RESPONSES_OPTIONS));
  }
  closeSync(source);
  closeSync(target);
}

async function connect(): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await import("@duckdb/node-api"); // imported only here, because it is not in the bundle
  const instance = await DuckDBInstance.create(":memory:", { threads: THREADS });
  return await instance.connect();
}

async function run(fills: number, files: readonly string[], statements: readonly string[]): Promise<Measured> {
  const connection = await connect();
  let rows: unknown;
  for (const sql of statements) {
    [[rows]] = (await connection.runAndReadAll(sql)).getRowsJson() as [[unknown]];
  }
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  for (const file of files) {
    rmSync(file);
  }
  if (Number(rows) !== fills) {
    throw new Error(`DuckDB wrote ${String(rows)} of ${fills} fills`);
  }
  return { facts: { rows: fills, bytes } };
}
