import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PlainFill } from "../../../../lambda/core/plain-fill.ts";
import { makeFill } from "../../../accounting/draw.ts";
import { booksOf } from "../../../accounting/make.ts";
import { duckdb } from "../../../support/duckdb.ts";
import { prng } from "../../../support/prng.ts";
import { tablesOf } from "./make.ts";

/** The tables, read and added up by DuckDB, which shares no code with their writers; every amount DECIMAL(38,18). */

const MARKETS = ["BTC-USDT", "ETH-USDT", "SOL-USD"];
const FILLS = 6000;
const folder = mkdtempSync(join(tmpdir(), "fillbook-tables-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Fills from November 2024 to the end of 2025, of the digits that a market has. */
const fills: readonly PlainFill[] = (() => {
  const random = prng(20_251_121);
  const between = (least: number, most: number) => least + random.int(most - least + 1);
  const from = Date.UTC(2024, 10, 1);
  const step = Math.floor((Date.UTC(2026, 0, 1) - from) / FILLS);
  return Array.from({ length: FILLS }, (_, at) => {
    const fee =
      between(0, 4) === 0 ? `-0.${between(100_000, 999_999)}` : `${between(0, 3)}.${between(100_000, 999_999)}`;
    return makeFill(at + 1, {
      time: from + at * step,
      market: MARKETS[between(0, 2)] ?? "",
      side: between(0, 1) === 0 ? "buy" : "sell",
      liquidity: ["maker", "taker", null][between(0, 2)] ?? null,
      quantity: `${between(0, 9)}.${between(10_000_000, 99_999_999)}`,
      price: `${between(100, 70_000)}.${between(10, 99)}`,
      fee,
    });
  });
})();

/** What must be nothing: rows in which a sum is not the one beside it. */
const AMOUNT = "DECIMAL(38,18)";
const csv = (path: string) => `read_csv('${join(folder, path)}', all_varchar = true)`;
const of = (column: string) => `coalesce(CAST(nullif(${column}, '') AS ${AMOUNT}), 0)`;
const sum = (column: string) => `CAST(sum(${of(column)}) AS ${AMOUNT})`;

beforeAll(() => {
  const { texts } = tablesOf(booksOf(fills, { method: "lifo" }), { cuts: [1000, 3500] });
  for (const [path, text] of texts) {
    writeFileSync(join(folder, path), text);
  }
  const header = "month,market,liquidity,side,quantity,price,fee\n";
  const lines = fills.map(({ txCreated, market, liquidity, side, quantity, price, fee }) =>
    [new Date(txCreated).toISOString().slice(0, 7), market, liquidity ?? "other", side, quantity, price, fee].join(","),
  );
  writeFileSync(join(folder, "own-fills.csv"), header + lines.join("\n"));
});

describe("by DuckDB", () => {
  test("realised-pnl.csv adds up to summary.csv by currency, market and month", async () => {
    const totals = await duckdb(`
      WITH realised AS (
        SELECT currency, market, substr(closed_at, 1, 7) AS month,
          ${sum("gross_pnl")} AS gross, ${sum("open_fee")} + ${sum("close_fee")} AS fees,
          ${sum("realised_pnl_net_of_fees_excl_funding")} AS net, ${sum("average_gross_pnl")} AS average,
          count(DISTINCT close_match_id) AS closes
        FROM ${csv("realised-pnl.csv")} GROUP BY ALL)
      SELECT s.month, s.market, s.method, s.gross_pnl, r.gross, r.average, s.fees_recognised, r.fees, r.net, r.closes
      FROM ${csv("summary.csv")} s LEFT JOIN realised r USING (currency, market, month)
      WHERE s.scope = 'month_market' AND NOT (
        ${of("s.gross_pnl")} = CASE s.method WHEN 'average' THEN r.average ELSE r.gross END
        AND (s.method = 'average' OR (${of("s.fees_recognised")} = r.fees
          AND ${of("s.realised_pnl_net_of_fees_excl_funding")} = r.net))
        AND CAST(s.closes AS BIGINT) = r.closes)`);
    expect(totals).toEqual([]);
    const [counted] = await duckdb(
      `SELECT count(*)::VARCHAR AS n FROM ${csv("summary.csv")} WHERE scope = 'month_market'`,
    );
    expect(counted).toEqual({ n: String(12 * MARKETS.length * 2) });
  });

  test("fees.csv is what the fills say, grouped anew", async () => {
    const wrong = await duckdb(`
      WITH own AS (
        SELECT month, market, liquidity, count(*) AS fills,
          CAST(sum(CAST(quantity AS DECIMAL(18,8)) * CAST(price AS DECIMAL(18,2))) AS ${AMOUNT}) AS volume,
          CAST(sum(greatest(CAST(fee AS ${AMOUNT}), 0)) AS ${AMOUNT}) AS paid,
          CAST(sum(least(CAST(fee AS ${AMOUNT}), 0)) AS ${AMOUNT}) AS rebates
        FROM ${csv("own-fills.csv")} WHERE month >= '2025' GROUP BY ALL)
      SELECT * FROM own FULL JOIN ${csv("fees.csv")} f USING (month, market, liquidity)
      WHERE (own.fills = CAST(f.fills AS BIGINT) AND own.volume = ${of("f.volume")} AND own.paid = ${of("f.fees_paid")}
        AND own.rebates = ${of("f.rebates")} AND own.paid + own.rebates = ${of("f.net_fees")}
        AND abs(CAST(f.basis_points_of_volume AS DECIMAL(12,4)) * CAST(own.volume AS DECIMAL(26,12))
          - CAST((own.paid + own.rebates) * 10000 AS DECIMAL(26,12))) <= CAST(own.volume AS DECIMAL(26,12)) * 0.00005)
        IS NOT TRUE`);
    expect(wrong).toEqual([]);
    const [counted] = await duckdb(`SELECT count(*)::VARCHAR AS n FROM ${csv("fees.csv")}`);
    expect(counted).toEqual({ n: String(12 * MARKETS.length * 3) });
  });

  test("fees.csv adds up to summary.csv", async () => {
    const wrong = await duckdb(`
      WITH fees AS (
        SELECT currency, ${sum("volume")} AS volume, ${sum("fees_paid")} AS paid, ${sum("rebates")} AS rebates,
          sum(CAST(fills AS BIGINT)) AS fills
        FROM ${csv("fees.csv")} GROUP BY ALL)
      SELECT * FROM ${csv("summary.csv")} s JOIN fees USING (currency)
      WHERE scope = 'total' AND NOT (${of("s.volume")} = fees.volume AND ${of("s.fees_paid")} = fees.paid
        AND ${of("s.rebates")} = fees.rebates AND CAST(s.fills AS BIGINT) = fees.fills)`);
    expect(wrong).toEqual([]);
  });

  test("opening + fills = closing: the positions and the cash of the fills, by market and method", async () => {
    const wrong = await duckdb(`
      WITH fills AS (
        SELECT market,
          CAST(sum(CASE side WHEN 'buy' THEN 1 ELSE -1 END * CAST(quantity AS DECIMAL(18,8))) AS ${AMOUNT}) AS quantity,
          CAST(sum(CASE side WHEN 'buy' THEN -1 ELSE 1 END * CAST(quantity AS DECIMAL(18,8)) * CAST(price AS DECIMAL(18,2)))
            FILTER (month >= '2025') AS ${AMOUNT}) AS cash
        FROM ${csv("own-fills.csv")} GROUP BY ALL),
      open AS (
        SELECT market, method,
          CAST(sum(CASE side WHEN 'long' THEN 1 ELSE -1 END * ${of("quantity")}) AS ${AMOUNT}) AS quantity,
          CAST(sum(CASE side WHEN 'long' THEN 1 ELSE -1 END * ${of("open_value")}) AS ${AMOUNT}) AS value
        FROM ${csv("open-positions.csv")} GROUP BY ALL)
      SELECT * FROM ${csv("summary.csv")} s JOIN fills USING (market) LEFT JOIN open USING (market, method)
      WHERE scope = 'market' AND NOT (fills.quantity = open.quantity AND ${of("s.open_value_at_end")} = open.value
        AND fills.cash = ${of("s.gross_pnl")} - open.value + ${of("s.open_value_at_start")})`);
    expect(wrong).toEqual([]);
  });

  test("the controls redone: left less right is nothing, and they are all there", async () => {
    const rows = await duckdb(`
      SELECT control, count(*)::VARCHAR AS n FROM ${csv("control-totals.csv")}
      WHERE holds = 'yes' AND ${of('"left"')} = ${of('"right"')} AND ${of("difference")} = 0 GROUP BY ALL ORDER BY ALL`);
    expect(rows.map(({ control, n }) => `${control} ${n}`)).toEqual([
      "cash_flow 6",
      "fees_carried 6",
      "fees_split 3",
      "fills_counted 1",
      "methods_agree 3",
      "position 3",
      "realised_average_gross 2",
      "realised_fees 2",
      "realised_gross 2",
    ]);
  });
});
