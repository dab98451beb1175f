import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startCli } from "../../cli/child.ts";
import { startEmulator } from "../../emulator/server.ts";
import { temporaryFolder } from "../../leftovers.ts";
import { duckdb } from "../../support/duckdb.ts";
import { makeDemoAccount } from "./account.ts";
import { inputFiles } from "./venue.ts";

// The demo's pack by FIFO, added up by DuckDB from only fills.parquet and the funding payments. FIFO needs no
// loop: in a market that begins flat, the n-th unit bought is matched with the n-th unit sold, whichever came
// first. Fills match where the running totals of the two sides overlap.

const folder = temporaryFolder();
const out = (name: string) => join(folder, "pack", name);
const csv = (name: string) => `read_csv('${out(name)}', all_varchar = true)`;
const amount = (column: string) => `coalesce(CAST(nullif(${column}, '') AS DECIMAL(38, 18)), 0)`;
const fills = () => `read_parquet('${out("fills.parquet")}')`;

/** A perpetual that is not linear. Its PnL is in another unit, so the pack leaves it blank. */
const NOT_LINEAR = "DOGE-USD";

beforeAll(async () => {
  mkdirSync(join(folder, "inputs"));
  const { history } = makeDemoAccount();
  writeFileSync(join(folder, "inputs", "funding.csv"), inputFiles(history)["funding.csv"] ?? "");
  const service = await startEmulator({ history });
  const environment = service.environment(join(folder, "store"));
  const options = ["--period", "us-2025", "--method", "fifo", "--inputs", join(folder, "inputs"), "--out", out("")];
  const { code, stderr } = await startCli(["export", ...options], environment).ended;
  await service.close();
  expect([code, code === 0 ? "" : stderr]).toEqual([0, ""]);
});

/**
 * The fills in the pack's order, with the quantity of their market's side before (`since`) and after
 * (`until`) each.
 */
const RUNNING = () => `
  ordered AS (
    SELECT *, row_number() OVER (ORDER BY coalesce(filled_at, tx_created), tx_created, match_id, order_id) AS place
    FROM ${fills()} WHERE market <> '${NOT_LINEAR}'),
  running AS (
    SELECT *, sum(quantity) OVER (PARTITION BY market, side ORDER BY place) - quantity AS since,
      sum(quantity) OVER (PARTITION BY market, side ORDER BY place) AS until
    FROM ordered),
  matches AS (
    SELECT b.market, b.fee_currency AS currency, b.place < s.place AS is_long,
      (least(b.until, s.until) - greatest(b.since, s.since))::DECIMAL(38, 18) AS quantity,
      b.price AS bought, s.price AS sold, b.fee / b.quantity AS buy_fee, s.fee / s.quantity AS sell_fee,
      b.match_id AS b_match, b.order_id AS b_order, s.match_id AS s_match, s.order_id AS s_order,
      coalesce(CASE WHEN b.place < s.place THEN s.filled_at ELSE b.filled_at END,
        CASE WHEN b.place < s.place THEN s.tx_created ELSE b.tx_created END) AS closed_at
    FROM running b JOIN running s ON b.market = s.market AND b.side = 'buy' AND s.side = 'sell'
      AND b.since < s.until AND s.since < b.until),
  priced AS (
    SELECT *, quantity::DECIMAL(19, 6) * (sold::DECIMAL(19, 12) - bought::DECIMAL(19, 12)) AS gross,
      strftime(timezone('America/New_York', closed_at), '%Y-%m') AS month
    FROM matches)`;

describe("DuckDB, from only the demo's fills", () => {
  test("finds each disposal: the same two fills, quantity and gain before fees", async () => {
    const own = await duckdb(`
      WITH ${RUNNING()}
      SELECT CASE WHEN is_long THEN b_match ELSE s_match END AS open_match, CASE WHEN is_long THEN s_match ELSE b_match END AS close_match,
        quantity::VARCHAR AS quantity, gross::DECIMAL(38, 18)::VARCHAR AS gross
      FROM priced ORDER BY ALL`);
    const said = await duckdb(`
      SELECT open_match_id AS open_match, close_match_id AS close_match, ${amount("quantity")}::VARCHAR AS quantity,
        ${amount("gross_pnl")}::VARCHAR AS gross
      FROM ${csv("realised-pnl.csv")} WHERE market <> '${NOT_LINEAR}' ORDER BY ALL`);
    expect(own.length).toBeGreaterThan(4000);
    expect(said).toEqual(own);
    const [disposals] = await duckdb(`
      SELECT count(*)::INTEGER AS rows, sum(${amount("proceeds")} - ${amount("cost")})::DOUBLE AS gain FROM ${csv("realised-pnl.csv")} WHERE market <> '${NOT_LINEAR}'`);
    const [gains] = await duckdb(`
      WITH ${RUNNING()} SELECT count(*)::INTEGER AS rows, sum(gross - quantity * (buy_fee + sell_fee))::DOUBLE AS gain FROM priced`);
    expect(disposals?.["rows"]).toBe(gains?.["rows"]);
    expect(Number(disposals?.["gain"])).toBeCloseTo(Number(gains?.["gain"]), 6);
  });

  test("adds up the summary's months, and the period", async () => {
    const own = await duckdb(`
      WITH ${RUNNING()} SELECT month, currency, sum(gross)::DECIMAL(38, 18)::VARCHAR AS gross FROM priced GROUP BY ALL ORDER BY ALL`);
    const said = await duckdb(
      `SELECT month, currency, ${amount("gross_pnl")}::VARCHAR AS gross FROM ${csv("summary-months.csv")} ORDER BY ALL`,
    );
    expect(own).toHaveLength(24);
    expect(said).toEqual(own);
    const total = await duckdb(`
      WITH ${RUNNING()} SELECT currency, sum(gross)::DECIMAL(38, 18)::VARCHAR AS gross FROM priced GROUP BY ALL ORDER BY ALL`);
    expect(
      await duckdb(`SELECT currency, ${amount("gross_pnl")}::VARCHAR AS gross FROM ${csv("summary.csv")} ORDER BY ALL`),
    ).toEqual(total);
  });

  test("calculates the first figure of the statement, to the cent", async () => {
    const net = await duckdb(`
      WITH ${RUNNING()},
        realised AS (SELECT currency, sum(gross - quantity * (buy_fee + sell_fee)) AS net FROM priced GROUP BY ALL),
        paid AS (SELECT currency, sum(amount::DECIMAL(38, 18)) AS funding FROM read_csv('${join(folder, "inputs", "funding.csv")}', all_varchar = true) GROUP BY ALL)
      SELECT currency, round(net + coalesce(funding, 0), 2)::DECIMAL(38, 2)::VARCHAR AS net
      FROM realised LEFT JOIN paid USING (currency) ORDER BY ALL`);
    const page = readFileSync(out("report.html"), "utf8");
    const figures = [
      ...page.matchAll(
        /<table id="statement-\d">.*?<bdi>(\w+)<\/bdi>.*?data-row="realised_pnl_net_incl_funding">.*?>([−+0-9,.]+)<\/data>/gs,
      ),
    ];
    expect(
      figures
        .map(([, currency, shown = ""]) => ({ currency, net: shown.replace("−", "-").replaceAll(/[+,]/g, "") }))
        .toSorted((a, b) => ((a.currency ?? "") < (b.currency ?? "") ? -1 : 1)),
    ).toEqual(net);
  });
});
