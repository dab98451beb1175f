import type { Posted } from "../../accounting/posted.ts";
import { readAmount } from "../../core/amount.ts";
import { monthsOf, type Period } from "../../core/period.ts";
import { rangeFinder } from "../../core/ranges.ts";
import { csvBatch, csvHeader } from "../../formats/csv.ts";
import { CELL_COLUMNS, cellsOf, csvCells, exactText, FILL_COLUMNS } from "../../formats/fill-columns.ts";
import { ParquetFile } from "../../formats/parquet.ts";
import type { Field } from "../tables/field.ts";
import type { FileMaker, MonthTotals } from "./maker.ts";

const KEYS = ["match_id", "order_id"];

export const FILLS_CSV = "fills.csv";

/** As the venue sends them. What fillbook calculates is a number. */
const NUMBERS = FILL_COLUMNS.filter(({ kind, key }) => kind === "decimal" && key !== null);

/** fills.csv: the fills of the venue, without the trades that the user declares. It counts those of each month. */
export function fillsCsv(period: Period) {
  const months = monthsOf(period).map((month): MonthTotals => ({ ...month, rows: 0, first: null, last: null }));
  const monthAt = rangeFinder(months);
  const cells = csvCells();
  /** Columns with a text that is no number, so that no program may read them as numbers. */
  const untyped = new Set<string>();
  const maker = {
    path: FILLS_CSV,
    description:
      "One row for each fill. Numbers are written as the venue gave them. Text that a spreadsheet would run as a formula begins with an apostrophe; completeness.json has the number of these cells.",
    mediatype: "text/csv",
    ...{ keys: KEYS, months, rows: 0, escaped: 0 },
    get columns(): readonly Field[] {
      return FILL_COLUMNS.map((column) => (untyped.has(column.name) ? { ...column, kind: "text" } : column));
    },
    begin: () => csvHeader(FILL_COLUMNS.map(({ name }) => name)),
    add: (batch: readonly Posted[]) => {
      const own = ofVenue(batch);
      const { text, escaped } = csvBatch(own.map(cells));
      for (const { time } of own) {
        const month = monthAt(time);
        month.rows += 1;
        month.first ??= time;
        month.last = time;
      }
      for (const column of NUMBERS) {
        if (own.some((row) => column.value(row) === null && readAmount(exactText(column, row) ?? "0") === null)) {
          untyped.add(column.name);
        }
      }
      maker.rows += own.length;
      maker.escaped += escaped;
      return text;
    },
    end: () => "",
  };
  return maker;
}

export function fillsParquet(): FileMaker<Uint8Array> {
  const file = new ParquetFile(CELL_COLUMNS);
  const maker = {
    path: "fills.parquet",
    description: "The same rows with typed columns: amounts as DECIMAL(38,18), times as TIMESTAMP(ms, UTC).",
    mediatype: "application/vnd.apache.parquet",
    format: "parquet",
    ...{ columns: CELL_COLUMNS, keys: KEYS, rows: 0 },
    begin: () => file.take(),
    add: (batch: readonly Posted[]) => {
      for (const row of ofVenue(batch)) {
        file.add(cellsOf(row, CELL_COLUMNS));
        maker.rows += 1;
      }
      return file.take();
    },
    end: () => {
      file.end();
      return file.take();
    },
  };
  return maker;
}

function ofVenue(batch: readonly Posted[]): readonly Posted[] {
  return batch.filter(({ fill }) => fill.declared === undefined);
}
