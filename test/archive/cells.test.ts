import fc from "fast-check";
import { expect, test } from "vitest";
import { type Cell, childOf, monthOf } from "../../lambda/archive/cells.ts";

const time = fc.integer({ min: Date.UTC(1969, 0, 1), max: Date.UTC(2100, 0, 1) });

function chainOf(at: number): Cell[] {
  const cells: Cell[] = [];
  for (let cell: Cell | null = monthOf(at); cell !== null; cell = childOf(cell, at)) {
    cells.push(cell);
  }
  return cells;
}

test("a month, its day, hour, minute, second and millisecond: each holds the time and lies in the one above it", () => {
  fc.assert(
    fc.property(time, (at) => {
      const cells = chainOf(at);
      expect(cells.map(({ level }) => level)).toEqual([0, 1, 2, 3, 4, 5]);
      for (const [index, { from, to }] of cells.entries()) {
        expect(from <= at && at < to).toBe(true);
        const above = cells[index - 1];
        expect(above === undefined || (above.from <= from && to <= above.to)).toBe(true);
      }
      expect(cells.at(-1)).toMatchObject({ from: at, to: at + 1 });
    }),
  );
});

test("they begin and end where the calendar's do, in UTC", () => {
  const names = [7, 10, 13, 16, 19]; // characters of an ISO time that name the month, day, hour, minute, second
  fc.assert(
    fc.property(time, time, (at, other) => {
      for (const [level, length] of names.entries()) {
        const { from, to } = chainOf(at)[level] ?? { from: 0, to: 0 };
        const isSame = new Date(at).toISOString().slice(0, length) === new Date(other).toISOString().slice(0, length);
        expect(from <= other && other < to).toBe(isSame);
      }
    }),
  );
  expect(monthOf(Date.UTC(2024, 1, 29, 23, 59, 59, 999))).toEqual({
    from: Date.UTC(2024, 1, 1),
    to: Date.UTC(2024, 2, 1),
    level: 0,
  });
});
