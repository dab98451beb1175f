import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parsePeriod } from "../../lambda/core/period.ts";
import { exportPack } from "../../lambda/job/export-pack.ts";
import { makeHistory } from "../emulator/history.ts";
import { duckdb } from "../support/duckdb.ts";
import { makeBench } from "../support/job.ts";

// DuckDB adds up the tables of a pack. Each file agrees with the others, also after conversion.

const HISTORY = makeHistory({ seed: 2025, fills: 3000, from: Date.UTC(2024, 6, 1), to: Date.UTC(2026, 0, 20) });
const RATES =
  "date,base,quote,rate,source\n2025,USD,EUR,0.886,mean\n2025,USDT,EUR,0.8857,mean\n2025,USDC,EUR,0.8858,mean\n";

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "fillbook-ties-"));
  const { job } = makeBench({ history: HISTORY });
  await job.store.createNew("main/inputs/rates/own.csv", Buffer.from(RATES));
  const result = await exportPack(job, {
    period: parsePeriod("us-2025"),
    method: "fifo",
    isMethodChosen: true,
    basis: "fill",
    currency: "EUR",
    allowIncomplete: false,
    out: folder,
  });
  expect(result).toMatchObject({ complete: true, problem: null });
});

afterAll(() => rmSync(folder, { recursive: true }));

const csv = (name: string) => `read_csv('${join(folder, name)}', all_varchar = true)`;

/**
 * The cell's digits as three whole numbers: those before the point, the first 18 after it, and the next 18.
 * DuckDB's decimals have 38 digits in all.
 */
function partsOf(column: string): string[] {
  const digits = `ltrim(coalesce(${column}, '0'), '-')`;
  const fraction = `rpad(split_part(${digits}, '.', 2), 36, '0')`;
  const sign = `(CASE WHEN ${column} LIKE '-%' THEN -1 ELSE 1 END)`;
  return [`split_part(${digits}, '.', 1)`, `${fraction}[1:18]`, `${fraction}[19:36]`].map(
    (part) => `(${sign} * ${part}::HUGEINT)`,
  );
}

/** Sums of columns, exact, × 10^36, grouped by other columns. `times`: the factor of each row. */
async function sums(path: string, by: readonly string[], columns: readonly string[], times = "1", where = "true") {
  const terms = columns.flatMap((name) =>
    partsOf(name).map((part, at) => `sum(${times} * ${part})::VARCHAR AS "${name} ${at}"`),
  );
  const rows = await duckdb(
    `SELECT ${[...by, ...terms].join(", ")} FROM ${csv(path)} WHERE ${where} GROUP BY ALL ORDER BY ALL`,
  );
  return rows.map((row) => ({
    ...Object.fromEntries(by.map((name) => [name, row[name]])),
    ...Object.fromEntries(columns.map((name) => [name, amountIn(row, name)])),
  }));
}

function amountIn(row: Record<string, unknown>, name: string): bigint {
  const [whole = 0n, first = 0n, second = 0n] = [0, 1, 2].map((at) => BigInt(String(row[`${name} ${at}`])));
  return (whole * 10n ** 18n + first) * 10n ** 18n + second;
}

/** The same rows with other column names. */
function renamed(rows: readonly Record<string, unknown>[], names: Readonly<Record<string, string>>) {
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [names[name] ?? name, value])),
  );
}

const RESULTS = ["gross_pnl", "fees_recognised", "realised_pnl_net_of_fees_excl_funding"];
const ADDED = [
  ...["fills", "closes", "closes_with_unknown_pnl", "volume", "fees_paid", "rebates"],
  ...RESULTS,
  ...["gross_pnl", "fees_recognised", "net", "fees_paid", "rebates"].map((name) => `${name}_converted`),
];
const CURRENCY = ["currency"];

describe("the tables of a pack, added up by DuckDB", () => {
  test.each(["summary-months.csv", "summary-markets.csv", "summary-market-months.csv"])(
    "%s adds up to summary.csv, which has one row for each currency",
    async (path) => {
      const totals = await sums("summary.csv", CURRENCY, ADDED);
      expect(totals.length).toBeGreaterThan(1);
      expect(totals.some((row: Record<string, unknown>) => row["net_converted"] === 0n)).toBe(false);
      expect(await sums(path, CURRENCY, ADDED)).toEqual(totals);
      const [rows] = await duckdb(`SELECT count(*)::INTEGER AS rows FROM ${csv("summary.csv")}`);
      expect(rows).toEqual({ rows: totals.length });
    },
  );

  test("realised-pnl.csv adds up to summary.csv", async () => {
    const net = "realised_pnl_net_of_fees_excl_funding";
    const converted = ["gross_pnl_converted", "fees_converted", "net_converted"];
    const own = await sums("realised-pnl.csv", CURRENCY, ["gross_pnl", net, ...converted]);
    const said = await sums("summary.csv", CURRENCY, [
      ...["gross_pnl", net, "gross_pnl_converted", "fees_recognised_converted", "net_converted"],
    ]);
    const names = { fees_recognised_converted: "fees_converted" };
    expect(renamed(said, names)).toEqual(own);
  });

  test("fees.csv adds up to summary.csv", async () => {
    const columns = ["fills", "volume", "fees_paid", "rebates", "fees_paid_converted", "rebates_converted"];
    expect(await sums("fees.csv", CURRENCY, columns)).toEqual(await sums("summary.csv", CURRENCY, columns));
  });

  test("the lots add up to the positions, and the positions equal the end of each market", async () => {
    const by = ["market", "side"];
    const columns = ["quantity", "open_value", "deferred_fee"];
    const positions = await sums("open-positions.csv", [...by, "lots"], columns, "1", "status = 'known'");
    const lots = await sums("open-lots.csv", by, columns);
    const [counts] = await duckdb(`SELECT count(*)::INTEGER AS rows FROM ${csv("open-lots.csv")}`);
    expect(positions.length).toBeGreaterThan(5);
    expect(positions.map(({ lots: _, ...row }: Record<string, unknown>) => row)).toEqual(lots);
    expect(positions.reduce((sum, row: Record<string, unknown>) => sum + Number(row["lots"]), 0)).toBe(
      counts?.["rows"],
    );
    const signed = "(CASE side WHEN 'short' THEN -1 ELSE 1 END)";
    const known = `market IN (SELECT market FROM ${csv("open-positions.csv")} WHERE status = 'known')`;
    const ends = (names: string[]) => sums("summary-markets.csv", ["market"], names, "1", known);
    expect(await sums("open-positions.csv", ["market"], ["open_value"], signed, "status = 'known'")).toEqual(
      renamed(await ends(["open_value_at_end"]), { open_value_at_end: "open_value" }),
    );
    expect(await sums("open-positions.csv", ["market"], ["deferred_fee"], "1", "status = 'known'")).toEqual(
      renamed(await ends(["deferred_fees_at_end"]), { deferred_fees_at_end: "deferred_fee" }),
    );
  });
});
