import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Decimal } from "decimal.js";
import { describe, expect, test } from "vitest";
import { type Deployed, monthlyCost, type Use } from "../../infra/deploy/cost.ts";

// The monthly prices in docs/sizing.md must equal those of the program's price list.

const PAPER = readFileSync(join(import.meta.dirname, "../../docs/sizing.md"), "utf8");

/** With a key and without the page. watch-alarms.test.ts counts the 18 metrics of the alarms. */
const DEPLOYED: Omit<Deployed, "accounts"> = {
  ...{ keys: 1, alarmMetrics: 18, customMetrics: 10, dashboards: 1, logRetentionDays: 400, hasPage: false },
};
const USE: Use = { fillsAMonth: 2000, months: 12, queriesAMonth: 20, pageUsers: 0 };

const ROWS: Readonly<Record<string, readonly string[]>> = {
  tokens: ["tokens"],
  function: ["function"],
  "state machines": ["state machines"],
  "store, requests": ["store, requests"],
  "store, kept": ["store, kept"],
  "logs, queries": ["logs", "queries"],
  "alarms, metrics, dashboard, key": ["alarms", "metrics", "dashboard", "keys"],
};

/** A row's cells in the first table: one account, and a thousand. */
function said(row: string): readonly string[] {
  const line = PAPER.split("\n").find((one) => one.replaceAll("*", "").startsWith(`| ${row} | $`)) ?? "";
  return line
    .replaceAll("*", "")
    .split("|")
    .slice(2, 4)
    .map((cell) => cell.trim());
}

/** Rounded up to whole cents. */
const cents = (usd: Decimal) => usd.toDecimalPlaces(2, Decimal.ROUND_UP);

describe("a month of one account, and of a thousand", () => {
  const months = [1, 1000].map((accounts) => monthlyCost({ ...DEPLOYED, accounts }, USE));
  const rowOf = (month: ReturnType<typeof monthlyCost>, names: readonly string[]) =>
    cents(month.filter(({ what }) => names.includes(what)).reduce((sum, { usd }) => sum.plus(usd), new Decimal(0)));

  test.each(Object.entries(ROWS))("%s", (row, names) => {
    expect(said(row)).toEqual(months.map((month) => `$${rowOf(month, names).toFixed(2)}`));
  });

  test("together", () => {
    // The exact amounts are added and rounded once.
    const totals = months.map((month) => cents(month.reduce((sum, { usd }) => sum.plus(usd), new Decimal(0))));
    expect(said("together")).toEqual(totals.map((total) => `$${total.toFixed(2)}`));
    expect(months[0]?.map(({ what }) => what).sort()).toEqual(Object.values(ROWS).flat().sort());
  });
});
