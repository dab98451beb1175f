import { closeSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { constants, zstdCompressSync } from "node:zlib";
import type { DuckDBConnection } from "@duckdb/node-api";
import { ACCOUNT, type CaseInput, type Measured } from "../case.ts";
import { Meter } from "../meter.ts";
import { linesOf } from "./lines.ts";

// What an expert would write for the same items with a native engine: text cast once, after the doubles are gone; amounts exact.

const THREADS = "2";
/** As large as a segment of pages is. */
const EVIDENCE_BYTES = 1_500_000;
/** The level of an archive's evidence, in one call. */
const EVIDENCE_OPTIONS = { chunkSize: EVIDENCE_BYTES, params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const TEXTS = [
  ...["market", "matchId", "orderId", "orderType", "executionType", "fillType", "price", "quantity"],
  ...["tradeType", "fees", "triggerType", "triggerPrice", "transactionHash"],
];

/** The columns of a part, without `account`, `notional`, `extra` and `digits`, which cost DuckDB nothing here. */
const COLUMNS = [
  "epoch_ms(filledAt) AS filled_at",
  "epoch_ms(txCreated) AS tx_created",
  "market",
  "orderType AS side",
  "quantity::DECIMAL(38,18) AS quantity",
  "price::DECIMAL(38,18) AS price",
  "fees::DECIMAL(38,18) AS fee",
  "executionType AS liquidity",
  "tradeType AS trade_type",
  "fillType AS fill_type",
  "triggerType AS trigger_type",
  "triggerPrice::DECIMAL(38,18) AS trigger_price",
  "orderId AS order_id",
  "matchId AS match_id",
  "transactionHash AS transaction_hash",
];

function onceEach(dir: string): string {
  const texts = TEXTS.map((name) => `${name}: 'VARCHAR'`);
  const types = `{${[...texts, "txCreated: 'BIGINT'", "filledAt: 'BIGINT'"].join(", ")}}`;
  const items = `read_json('${linesOf(dir)}', format = 'newline_delimited', columns = ${types})`;
  return `SELECT ${COLUMNS.join(", ")} FROM (SELECT DISTINCT ON (matchId, orderId) * FROM ${items})`;
}

/** Read, distinct, Parquet: beside pages → archive. */
export function duckdbParquet({ dir, fills }: CaseInput): Promise<Measured> {
  const parquet = join(dir, "duckdb.parquet");
  return run(fills, [parquet], [`COPY (${onceEach(dir)}) TO '${parquet}' (FORMAT parquet)`]);
}

/** The same in the order of an archive, and the items kept as evidence, compressed as an archive's: what a sync does of the job, in its least form. */
export async function duckdbArchive({ dir, fills }: CaseInput, meter: Meter): Promise<Measured> {
  const [parquet, evidence] = [join(dir, "duckdb.parquet"), join(dir, "duckdb.zst")];
  const sorted = `${onceEach(dir)} ORDER BY tx_created, match_id, order_id`;
  compressed(linesOf(dir), evidence, meter);
  return await run(fills, [parquet, evidence], [`COPY (${sorted}) TO '${parquet}' (FORMAT parquet)`]);
}

/** Reading is left out, as it is where pages come from disk. */
function compressed(from: string, to: string, meter: Meter): void {
  const [source, target] = [openSync(from, "r"), openSync(to, "w")];
  const piece = Buffer.alloc(EVIDENCE_BYTES);
  while (true) {
    const bytes = meter.aside(() => readSync(source, piece));
    if (bytes === 0) {
      break;
    }
    writeSync(target, zstdCompressSync(piece.subarray(0, bytes), EVIDENCE_OPTIONS));
  }
  closeSync(source);
  closeSync(target);
}

/** Read, distinct, Parquet and CSV: beside pages → archive → fills.csv and fills.parquet. */
export function duckdbBoth({ dir, fills }: CaseInput): Promise<Measured> {
  const [parquet, csv] = [join(dir, "duckdb.parquet"), join(dir, "duckdb.csv")];
  return run(
    fills,
    [parquet, csv],
    [
      `CREATE TABLE fills AS ${onceEach(dir)}`,
      `COPY fills TO '${parquet}' (FORMAT parquet)`,
      `COPY fills TO '${csv}' (FORMAT csv, HEADER)`,
    ],
  );
}

/**
 * Writes the rows of a pack's large files, which the case before has made, as CSV again; journals as lines. Its cells are texts already: nothing is reckoned or
 * formatted, and reading them is left out.
 */
export async function duckdbPack({ dir }: CaseInput): Promise<Measured> {
  const connection = await connect();
  const out = join(dir, "duckdb.csv");
  let cpuSeconds = 0;
  let bytes = 0;
  for (const path of largeFiles(join(dir, "store", ACCOUNT, "packs"))) {
    const { from, to } = path.endsWith(".csv") ? CSV_FILE : LINES_FILE;
    await connection.run(`CREATE OR REPLACE TABLE rows AS SELECT * FROM read_csv('${path}', ${from})`);
    const meter = new Meter();
    await connection.run(`COPY rows TO '${out}' (FORMAT csv, ${to})`);
    cpuSeconds += meter.cpuSeconds;
    bytes += statSync(out).size;
    rmSync(out);
  }
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  return { process: { cpuSeconds, peakBytes }, facts: { bytes } };
}

const CSV_FILE = { from: "all_varchar = true, header = true", to: "HEADER" };
/** A line has no control characters. */
const LINES_FILE = {
  from: "columns = {line: 'VARCHAR'}, header = false, delim = '\x01', quote = '', escape = '', auto_detect = false",
  to: "HEADER false, DELIM '\x01', QUOTE '', ESCAPE ''",
};

/** Those that grow with the fills. */
function largeFiles(packs: string): string[] {
  const files = readdirSync(packs, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.csv$|journal\.\w+$/.test(name))
    .map((name) => join(packs, name));
  const sizes = new Map(files.map((path) => [path, statSync(path).size]));
  const largest = Math.max(...sizes.values());
  return files.filter((path) => (sizes.get(path) ?? 0) > largest / 10);
}

async function connect(): Promise<DuckDBConnection> {
  const { DuckDBInstance } = await import("@duckdb/node-api"); // not with the bundle that it is left out of
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
    throw new Error(`DuckDB has written ${String(rows)} of ${fills} fills`);
  }
  return { facts: { rows: fills, bytes } };
}
