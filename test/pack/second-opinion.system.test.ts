import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { beforeAll, describe, expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { makeHistory } from "../emulator/history.ts";
import { temporaryFolder } from "../leftovers.ts";
import { duckdb } from "../support/duckdb.ts";
import { exportRequest } from "../support/exports.ts";
import { makeBench } from "../support/job.ts";

// A whole pack, from the service to its files, checked by other programs.

const PERIOD = parsePeriod("us-2025");
const HISTORY = makeHistory({ seed: 2025, fills: 3000, from: Date.UTC(2024, 6, 1), to: Date.UTC(2026, 0, 20) });

const folder = temporaryFolder();

beforeAll(async () => {
  const { job } = makeBench({ history: HISTORY });
  const result = await exportPack(job, { ...exportRequest(PERIOD), method: "fifo", out: folder });
  expect(result).toMatchObject({ complete: true, problem: null });
});

const csv = (name: string) => `read_csv('${join(folder, name)}', all_varchar = true)`;
const exact = (column: string) => `CAST(${column} AS DECIMAL(38, 18))`;

/** DuckDB's products have 38 digits, so markets with finer prices are left out. */
const finer = () =>
  `(SELECT market FROM '${join(folder, "fills.parquet")}' WHERE price <> price::DECIMAL(19, 12) OR quantity <> quantity::DECIMAL(19, 6))`;

describe("DuckDB, on fills.parquet alone", () => {
  test("adds up the fees and volumes of fees.csv, month by month of the period's zone, market by market", async () => {
    const fills = `(SELECT *, strftime(timezone('${PERIOD.zone}', coalesce(filled_at, tx_created)), '%Y-%m') AS month FROM '${join(folder, "fills.parquet")}')`;
    const own = await duckdb(`
      SELECT month, market, liquidity, count(*)::VARCHAR AS fills, sum(quantity * price)::DECIMAL(38, 18)::VARCHAR AS volume,
        sum(greatest(fee, 0))::VARCHAR AS paid, sum(least(fee, 0))::VARCHAR AS rebates
      FROM (SELECT month, market, liquidity, fee, quantity::DECIMAL(19, 6) AS quantity, price::DECIMAL(19, 12) AS price FROM ${fills} WHERE market NOT IN ${finer()})
      GROUP BY ALL ORDER BY ALL`);
    const said = await duckdb(`
      SELECT month, market, liquidity, fills, CAST(volume AS DECIMAL(38, 18))::VARCHAR AS volume,
        ${exact("fees_paid")}::VARCHAR AS paid, ${exact("rebates")}::VARCHAR AS rebates
      FROM ${csv("fees.csv")} WHERE market NOT IN ${finer()} ORDER BY ALL`);
    expect(own.length).toBeGreaterThan(200);
    expect(said).toEqual(own);
  });

  test("finds the money that went in and out: gross less the change of the open value", async () => {
    const own = await duckdb(`
      SELECT market, sum((CASE side WHEN 'buy' THEN -1 ELSE 1 END) * quantity::DECIMAL(19, 6) * price::DECIMAL(19, 12))::DECIMAL(38, 18)::VARCHAR AS cash
      FROM '${join(folder, "fills.parquet")}' WHERE market NOT IN ${finer()} GROUP BY ALL ORDER BY ALL`);
    const said = await duckdb(`
      SELECT market, ${exact('"right"')}::VARCHAR AS cash
      FROM ${csv("control-totals.csv")} WHERE control = 'cash_flow' AND method = 'FIFO' AND market NOT IN ${finer()} ORDER BY ALL`);
    expect(own.length).toBeGreaterThan(15);
    expect(said).toEqual(own);
  });
});

test.each(["Asia/Tokyo", "America/New_York"])(
  "the same archive and settings give the same bytes on a machine in %s",
  (zone) => {
    const sums = execFileSync(process.execPath, [join(import.meta.dirname, "pack-of-a-year.ts")], {
      env: { ...process.env, TZ: zone, LANG: "de_DE.UTF-8" },
    }).toString();
    expect(sums).toBe(readFileSync(join(folder, "SHA256SUMS"), "utf8"));
  },
);
