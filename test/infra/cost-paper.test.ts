import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type CostLine, firstWalk, monthlyCost, total } from "../../infra/deploy/cost.ts";
import { dollars } from "../../infra/deploy/summary.ts";

// ARCHITECTURE.md, "A thousand accounts, one of them with 100 million fills": its amounts are those of the model.

const PAGE = readFileSync(join(import.meta.dirname, "../../ARCHITECTURE.md"), "utf8");
const FILLS = 100_000_000;
const EVENTS_A_TURN = 11; // infra/job/loop.ts

const usd = (lines: readonly CostLine[]): string => `$${dollars(total(lines))}`;

function named(lines: readonly CostLine[], ...names: readonly string[]): readonly CostLine[] {
  return lines.filter(({ what }) => names.includes(what));
}

test.each([5, 10, 50])("the first walk at %i requests a second", (rate) => {
  const { seconds, slices, lines } = firstWalk(FILLS, rate);
  const takes = seconds < 86_400 ? `${(seconds / 3600).toFixed(1)} hours` : `${(seconds / 86_400).toFixed(2)} days`;
  const events = (slices * EVENTS_A_TURN).toLocaleString("en");
  expect(PAGE).toContain(
    `| ${rate} | ${takes} | ${slices} | ${events} | ${usd(named(lines, "function"))} | ${usd(lines)} |`,
  );
});

test("the month of one account and of a thousand", () => {
  const use = { fillsAMonth: 2000, months: 12, queriesAMonth: 20, pageUsers: 0 };
  const shared = { keys: 0, alarmMetrics: 0, customMetrics: 0, dashboards: 0, logRetentionDays: 400, hasPage: false };
  const one = monthlyCost({ ...shared, accounts: 1 }, use);
  const thousand = monthlyCost({ ...shared, accounts: 1000 }, use);
  const row = (title: string, ...names: readonly string[]) =>
    `| ${title} | ${usd(named(one, ...names))} | ${usd(named(thousand, ...names))} |`;
  for (const what of ["tokens", "function", "state machines", "store, requests", "store, kept"]) {
    expect(PAGE).toContain(row(what, what));
  }
  expect(PAGE).toContain(row("logs, queries", "logs", "queries"));
});
