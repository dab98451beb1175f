import { describe, expect, test } from "vitest";
import { timeColumns } from "../../../lambda/pack/report/charts/bars.ts";

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
