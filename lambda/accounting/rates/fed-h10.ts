import { FED_CURRENCIES } from "./fed-codes.ts";
import type { RateFormat } from "./rate-file.ts";
import { type Row, wrongLine } from "./sheet.ts";
import { byName, type Column, type Frequency, readWide } from "./wide.ts";

/*
 * Federal Reserve Board, H.10 foreign exchange rates, from the Data Download Program (federalreserve.gov/datadownload, "CSV", series in columns). Checked
 * against copies of published files by day (2015), month (2021) and year (2022).
 *
 *   "Series Description","SPOT EXCHANGE RATE - EURO AREA "
 *   "Unit:","Currency:_Per_EUR"
 *   "Multiplier:","1"
 *   "Currency:","USD"
 *   "Unique Identifier: ","H10/H10/RXI$US_N.B.EU"
 *   "Time Period","RXI$US_N.B.EU"
 *   2026-09-04,1.1618
 *
 * RXI$US_N.B.EU: 1 EUR = so many USD; RXI_N.B.CA: 1 USD = so many CAD. B: each business day, `2026-09-04`; M: a month's average, `2026-09`; A: a year's,
 * `2026`. `ND`: no data. The multiplier of the pound is 0.00999999978, and its rates are dollars a pound all the same: it is not applied. The published
 * file ends without a line break, so that one which was cut off within its last number cannot be told.
 */

const SERIES = /^RXI(?<inDollars>\$US)?_N\.(?<frequency>[BMA])\.(?<country>[A-Z]{2})$/;
const FREQUENCIES: Readonly<Record<string, Frequency>> = { B: "day", M: "month", A: "year" };
const UNIT = /^Currency:_Per_([A-Z]{3})$/;

export const FED_H10: RateFormat = {
  label: "Federal Reserve, H.10",
  isEnded: false,
  recognises: (rows) => rowOf(rows, "Time Period") !== undefined && rowOf(rows, "Unique Identifier:") !== undefined,
  read: (sheet) => {
    const names = rowOf(sheet.rows, "Time Period") ?? { line: 0, cells: [] };
    const columns = names.cells.flatMap(columnOf);
    if (columns.length === 0) {
      throw wrongLine(sheet.name, names.line, "no exchange rate (RXI_N.B.CA and the like) among its series");
    }
    const units = rowOf(sheet.rows, "Unit:");
    for (const { at, series, base } of columns) {
      const stated = UNIT.exec(units?.cells[at] ?? "")?.[1];
      if (stated !== undefined && stated !== base) {
        throw wrongLine(
          sheet.name,
          units?.line ?? 0,
          `${series} is said to be per ${stated}, where it should be per ${base}`,
        );
      }
    }
    const first = sheet.rows.indexOf(names) + 1;
    return readWide(sheet, { columns, first, width: names.cells.length, missing: ["ND"], spanOf: byName });
  },
};

function columnOf(series: string, at: number): Column[] {
  const { inDollars, frequency = "", country = "" } = SERIES.exec(series)?.groups ?? {};
  const currency = FED_CURRENCIES[country];
  const step = FREQUENCIES[frequency];
  if (currency === undefined || step === undefined) {
    return [];
  }
  const [base, quote] = inDollars === undefined ? ["USD", currency] : [currency, "USD"];
  return [{ at, series, base, quote, frequency: step }];
}

function rowOf(rows: readonly Row[], first: string): Row | undefined {
  return rows.find(({ cells }) => cells[0]?.trim() === first);
}
