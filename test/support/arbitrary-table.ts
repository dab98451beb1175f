import fc from "fast-check";
import type { ColumnValue, ColumnValues, ParquetColumn } from "../../lambda/formats/parquet/table.ts";
import { hostileText } from "./arbitrary-fill.ts";

export interface DrawnTable {
  readonly columns: readonly ParquetColumn[];
  /** By columns. */
  readonly table: readonly ColumnValues[];
}

const LARGEST = 10n ** 38n - 1n;
const LAST_MS = 8.64e15;

/** Values near each other or far apart, small ones and the largest that the type allows. */
const VALUES: Readonly<Record<ParquetColumn["kind"], fc.Arbitrary<ColumnValue>>> = {
  text: fc.oneof(
    hostileText.map((text) => text.toWellFormed()),
    fc.stringMatching(/^[0-9a-f]{36}$/),
    fc.string({ minLength: 60, maxLength: 300 }),
  ),
  time: fc.oneof(
    fc.integer({ min: 1.7e12, max: 1.7e12 + 1e6 }),
    fc.integer({ min: -LAST_MS, max: LAST_MS }),
    fc.constantFrom(-LAST_MS, LAST_MS, 0, -1),
  ),
  decimal: fc.oneof(
    fc.bigInt({ min: -LARGEST, max: LARGEST }),
    fc.integer().map((number) => BigInt(number) * 10n ** 12n),
    fc.constantFrom(LARGEST, -LARGEST, 0n, 1n, -1n),
  ),
  integer: fc.oneof(fc.integer(), fc.nat({ max: 3 })),
};

const column = fc.record({
  kind: fc.constantFrom("text", "time", "decimal", "integer"),
  required: fc.boolean(),
  repeats: fc.boolean(),
});

/**
 * Cells with few or many different values, with or without runs, and with some nulls where they are allowed.
 */
function cellsOf(
  { kind, required }: Pick<ParquetColumn, "kind" | "required">,
  rows: number,
): fc.Arbitrary<ColumnValues> {
  const value = required === true ? VALUES[kind] : fc.option(VALUES[kind], { freq: 3 });
  const few = fc
    .array(value, { minLength: 1, maxLength: 4 })
    .chain((some) =>
      fc.array(fc.tuple(fc.constantFrom(...some), fc.integer({ min: 1, max: 40 })), {
        minLength: rows,
        maxLength: rows,
      }),
    )
    .map((runs) => runs.flatMap(([cell, length]) => new Array<ColumnValue>(length).fill(cell)).slice(0, rows));
  return fc.oneof(fc.array(value, { minLength: rows, maxLength: rows }), few);
}

export const arbitraryTable: fc.Arbitrary<DrawnTable> = fc
  .tuple(fc.array(column, { minLength: 1, maxLength: 4 }), fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 300 })))
  .chain(([kinds, rows]) => {
    const columns = kinds.map((one, at) => ({ ...one, name: `column ${at}` }));
    return fc.tuple(...columns.map((one) => cellsOf(one, rows))).map((table) => ({ columns, table }));
  });
