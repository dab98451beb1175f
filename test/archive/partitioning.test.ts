import fc from "fast-check";
import { expect, test } from "vitest";
import { cutByRows, halvesOf, monthOf } from "../../lambda/archive/partitioning.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type TimeRange } from "../../lambda/core/time.ts";

const time = fc.integer({ min: Date.UTC(1969, 0, 1), max: Date.UTC(2100, 0, 1) });

/** The partitions that hold `at`, from its month down to its millisecond. */
function chainOf(at: number): TimeRange[] {
  const partitions = [monthOf(at)];
  for (let halves = halvesOf(monthOf(at)); halves !== null; ) {
    const [earlier, later] = halves;
    const partition = at < later.from ? earlier : later;
    partitions.push(partition);
    halves = halvesOf(partition);
  }
  return partitions;
}

const UNITS_MS = [DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, 1];

test("a partition is split as near to its middle as whole days, hours, minutes, seconds or milliseconds allow", () => {
  fc.assert(
    fc.property(time, (at) => {
      for (const partition of chainOf(at)) {
        const [earlier, later] = halvesOf(partition) ?? [];
        if (earlier === undefined || later === undefined) {
          expect(partition).toEqual({ from: at, to: at + 1 });
          continue;
        }
        expect([earlier.from, earlier.to, later.to]).toEqual([partition.from, later.from, partition.to]);
        const unit = UNITS_MS.find((one) => one < partition.to - partition.from) ?? 1;
        const longer = later.to - later.from - (earlier.to - earlier.from);
        expect([0, unit]).toContain(longer);
        expect(later.from % unit === 0 && earlier.to > earlier.from).toBe(true);
      }
    }),
  );
});

test("every day, hour, minute and second in UTC is a partition, and no time is more than 33 partitions deep", () => {
  fc.assert(
    fc.property(time, (at) => {
      const partitions = chainOf(at);
      for (const unit of UNITS_MS) {
        const from = Math.floor(at / unit) * unit;
        expect(partitions).toContainEqual({ from, to: from + unit });
      }
      expect(partitions.length).toBeLessThanOrEqual(33);
    }),
  );
});

test("a month is a calendar month in UTC", () => {
  expect(monthOf(Date.UTC(2024, 1, 29, 23, 59, 59, 999))).toEqual({
    from: Date.UTC(2024, 1, 1),
    to: Date.UTC(2024, 2, 1),
  });
  expect(halvesOf(monthOf(Date.UTC(2025, 2, 3)))).toEqual([
    { from: Date.UTC(2025, 2, 1), to: Date.UTC(2025, 2, 16) },
    { from: Date.UTC(2025, 2, 16), to: Date.UTC(2025, 3, 1) },
  ]);
  fc.assert(
    fc.property(time, time, (at, other) => {
      const { from, to } = monthOf(at);
      const isSame = new Date(at).toISOString().slice(0, 7) === new Date(other).toISOString().slice(0, 7);
      expect(from <= other && other < to).toBe(isSame);
    }),
  );
});

const MARCH = monthOf(Date.UTC(2025, 2, 1));

/** Unevenly spread times: each is near one of a few centres, and some are equal. */
const skewed = fc
  .array(fc.integer({ min: MARCH.from, max: MARCH.to - 1 }), { minLength: 1, maxLength: 4 })
  .chain((centres) =>
    fc.array(
      fc
        .tuple(fc.constantFrom(...centres), fc.integer({ min: 0, max: 31 }), fc.nat())
        .map(([centre, bits, noise]) => Math.min(MARCH.to - 1, centre + (noise % 2 ** bits))),
      { maxLength: 60 },
    ),
  )
  .map((times) => times.map((txCreated) => ({ txCreated })));

test("a cut keeps every row once, in order; only a millisecond may have too many rows, and no cut is unnecessary", () => {
  fc.assert(
    fc.property(skewed, fc.integer({ min: 1, max: 9 }), (rows, maxRows) => {
      const cut = cutByRows(MARCH, rows, maxRows);
      const within = ({ from, to }: TimeRange) => rows.filter(({ txCreated }) => from <= txCreated && txCreated < to);
      expect(cut.flatMap((one) => one.rows)).toHaveLength(rows.length);
      for (const [index, one] of cut.entries()) {
        expect(one.rows).toEqual(within(one.partition));
        expect(one.rows.length > 0 && one.partition.from >= (cut[index - 1]?.partition.to ?? MARCH.from)).toBe(true);
        expect(one.rows.length <= maxRows || one.partition.to - one.partition.from === 1).toBe(true);
        const above = chainOf(one.partition.from).filter(
          ({ from, to }) => to - from > one.partition.to - one.partition.from,
        );
        expect(above.every((partition) => within(partition).length > maxRows)).toBe(true);
      }
    }),
  );
});
