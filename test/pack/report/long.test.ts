import { describe, expect, test } from "vitest";
import { customPeriod } from "../../../lambda/core/period.ts";
import { exportPack } from "../../../lambda/job/export-pack.ts";
import { timeColumns } from "../../../lambda/pack/report/charts/bars.ts";
import { makeHistory } from "../../emulator/history.ts";
import { exportRequest } from "../../support/export-request.ts";
import { makeBench } from "../../support/job.ts";
import { memoryStore } from "../../support/memory-store.ts";

function monthsFrom(year: number, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const month = String((at % 12) + 1).padStart(2, "0");
    return `${year + Math.floor(at / 12)}-${month}`;
  });
}

describe("the columns of a chart over months", () => {
  test.each([
    [1, "month", 1],
    [60, "month", 60],
    [61, "quarter", 21],
    [180, "quarter", 60],
    [181, "year", 16],
    [1200, "year", 100],
  ])("of %i months are by %s, and hold each month once", (count, unit, columns) => {
    const months = monthsFrom(1970, count);
    const drawn = timeColumns(months);
    expect([drawn.unit, drawn.columns.length]).toEqual([unit, columns]);
    expect(drawn.columns.flatMap((column) => column.months)).toEqual(months);
  });

  test("are named for their quarter, and only years have labels", () => {
    const { columns } = timeColumns(monthsFrom(2015, 61).slice(0).toSpliced(1, 1).concat("2020-02", "2020-12"));
    expect(columns[0]).toEqual({ name: "2015-Q1", months: ["2015-01", "2015-03"], label: "2015" });
    expect(columns.slice(1, 5).map(({ name, label }) => [name, label])).toEqual([
      ["2015-Q2", ""],
      ["2015-Q3", ""],
      ["2015-Q4", ""],
      ["2016-Q1", "2016"],
    ]);
    expect(columns.at(-1)?.name).toBe("2020-Q4");
  });
});

test("a report of eleven years has a column a quarter, to its last one", async () => {
  const years = { from: Date.UTC(2015, 0, 1), to: Date.UTC(2026, 0, 1) };
  const { job } = makeBench({ history: makeHistory({ seed: 5, fills: 4000, ...years }) });
  const packStore = memoryStore("packs");
  const period = customPeriod("2015-01-01", "2026-01-01");
  await exportPack({ ...job, packStore }, exportRequest(period));
  const [, body] = [...packStore.snapshot()].find(([key]) => key.endsWith("/report.html")) ?? [];
  const page = Buffer.from(body ?? []).toString();
  const [chart = ""] = /<svg[^>]*pnl-chart-1.*?<\/svg>/s.exec(page) ?? [];
  expect(chart).toContain("Net realised PnL by quarter");
  expect(chart).toMatch(/One bar for each quarter: .* 44 quarters: /);
  expect(chart).toContain(">2025<");
});
