import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { makeHistory } from "../emulator/history.ts";
import { duckdb } from "../support/duckdb.ts";
import { makeBench } from "../support/job.ts";

// DuckDB adds up the cash of a whole pack: from fills.parquet, from the closes and from the import files, and
// compares it with balance.csv.

const PERIOD = parsePeriod("us-2025");
const HISTORY = makeHistory({ seed: 21, fills: 2000, from: Date.UTC(2024, 6, 1), to: Date.UTC(2026, 0, 20) });

let folder: string;
const out = (name: string) => join(folder, "out", name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fillbook-cash-"));
  mkdirSync(join(folder, "inputs"));
  const input = (name: string, text: string) => writeFileSync(join(folder, "inputs", name), text);
  // Dates are days in New York, so the last withdrawal belongs to 2026.
  input(
    "transfers.csv",
    "time,currency,amount,note\n2025-01-01,USDT,50000.25,from the bank\n2025-07-01T12:00:00Z,USDT,-100,\n2026-01-01,USDT,-7,\n",
  );
  input(
    "balances.csv",
    "time,currency,amount,note\n2025-01-01,USDT,0,opened\n2025-07-01,USDT,1,June\n2026-01-01,USDT,2,December\n",
  );
  const { job } = makeBench({ history: HISTORY });
  const result = await exportPack(job, {
    period: PERIOD,
    method: "fifo",
    isMethodChosen: true,
    basis: "fill",
    allowIncomplete: false,
    inputsDir: join(folder, "inputs"),
    out: join(folder, "out"),
  });
  expect(result).toMatchObject({ complete: true, problem: null });
});

afterAll(() => rmSync(folder, { recursive: true }));

const csv = (name: string) => `read_csv('${out(name)}', all_varchar = true)`;
/** DuckDB's decimals have 38 digits, so markets whose amounts need more are left out. */
const amount = (column: string) => `coalesce(CAST(nullif(${column}, '') AS DECIMAL(38, 18)), 0)`;
const finer = () =>
  `(SELECT market FROM '${out("fills.parquet")}' WHERE price <> price::DECIMAL(19, 12) OR quantity <> quantity::DECIMAL(19, 6))`;

/** Received less sent in Koinly's rows, by market. */
const movedIn = (file: string) => `
  SELECT split_part("Description", ' ', 1) AS market, sum(${amount('"Received Amount"')} - ${amount('"Sent Amount"')})::VARCHAR AS moved
  FROM ${csv(file)} WHERE "Tag" IS NOT NULL AND split_part("Description", ' ', 1) NOT IN ${finer()} GROUP BY ALL HAVING moved::DECIMAL(38, 18) <> 0 ORDER BY ALL`;

describe("the movement of cash", () => {
  test("is PnL less fees in the import files", async () => {
    const own = await duckdb(`
      WITH closes AS (SELECT market, sum(${amount("gross_pnl")}) AS gross FROM ${csv("realised-pnl.csv")} GROUP BY ALL),
        fills AS (SELECT market, sum(fee) AS fee FROM '${out("fills.parquet")}' GROUP BY ALL)
      SELECT market, (coalesce(gross, 0) - fee)::DECIMAL(38, 18)::VARCHAR AS moved
      FROM fills LEFT JOIN closes USING (market) WHERE market NOT IN ${finer()} AND coalesce(gross, 0) <> fee ORDER BY ALL`);
    expect(own.length).toBeGreaterThan(10);
    expect(await duckdb(movedIn("imports/koinly.csv"))).toEqual(own);
  });

  test("is in balance.csv with the fees of fills.parquet and the transfers of the period", async () => {
    const fees = await duckdb(
      `SELECT fee_currency AS currency, sum(fee)::DECIMAL(38, 18)::VARCHAR AS fees FROM '${out("fills.parquet")}' GROUP BY ALL ORDER BY ALL`,
    );
    const said = await duckdb(
      `SELECT currency, sum(${amount("net_fees")})::VARCHAR AS fees FROM ${csv("balance.csv")} GROUP BY ALL ORDER BY ALL`,
    );
    expect(said).toEqual(fees);
    const transfers = await duckdb(
      `SELECT "from", transfers, opening_cash, stated_closing_cash, result FROM ${csv("balance.csv")} WHERE currency = 'USDT' ORDER BY ALL`,
    );
    expect(transfers).toEqual([
      {
        from: "2025-01-01T05:00:00.000Z",
        transfers: "50000.25",
        opening_cash: "0",
        stated_closing_cash: "1",
        result: "differs",
      },
      {
        from: "2025-07-01T04:00:00.000Z",
        transfers: "-100",
        opening_cash: "1",
        stated_closing_cash: "2",
        result: "differs",
      },
    ]);
  });

  test("gives each difference of balance.csv from its other columns", async () => {
    const wrong = await duckdb(`
      SELECT * FROM ${csv("balance.csv")} WHERE difference <> ''
      AND abs(${amount("stated_closing_cash")} - ${amount("opening_cash")} - ${amount("gross_pnl")} + ${amount("net_fees")}
        - ${amount("funding")} - ${amount("transfers")} - ${amount("difference")}) > 0.00000000000000001`);
    expect(wrong).toEqual([]);
  });
});
