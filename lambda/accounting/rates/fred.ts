import { FED_CURRENCIES } from "./fed-codes.ts";
import type { RateFormat } from "./rate-file.ts";
import { type Sheet, wrongLine } from "./sheet.ts";
import { byFirstDay, type Column, type Frequency, readWide } from "./wide.ts";

/*
 * Federal Reserve Bank of St. Louis, FRED: fred.stlouisfed.org/graph/fredgraph.csv?id=DEXUSEU. Checked against copies of published files of 2021 (with the
 * heading DATE, and `.` for no data) and of 2026 (`observation_date`, and nothing); averages are unverified against a file as published.
 *
 *   observation_date,DEXUSEU
 *   2025-01-17,1.0287
 *   2025-01-20,
 *
 * DEXUSEU, DEXUSUK, DEXUSAL, DEXUSNZ: 1 EUR (GBP, AUD, NZD) = so many USD; DEXJPUS and all others: 1 USD = so many JPY. D: each business day; without it a
 * month's average, named by its first day (EXUSEU); A: a year's (AEXUSEU). `.` or nothing: no data. The page also offers a daily series as monthly averages
 * under the same name: these are refused, as each would be taken for the rate of one day.
 */

const SERIES = /^(?<frequency>[DA]?)EX(?:US(?<base>[A-Z]{2})|(?<quote>[A-Z]{2})US)$/;
const FREQUENCIES: Readonly<Record<string, Frequency>> = { D: "day", A: "year" };

export const FRED: RateFormat = {
  label: "Federal Reserve Bank of St. Louis, FRED",
  isEnded: true,
  recognises: ([header]) =>
    header !== undefined &&
    ["observation_date", "DATE"].includes(header.cells[0] ?? "") &&
    header.cells.flatMap(columnOf).length > 0,
  read: (sheet) => {
    const header = sheet.rows[0]?.cells ?? [];
    const columns = header.flatMap(columnOf);
    if (columns.some(({ frequency }) => frequency === "day")) {
      refuseAverages(sheet);
    }
    const table = { columns, first: 1, width: header.length, missing: [".", ""], spanOf: byFirstDay };
    return readWide(sheet, table);
  },
};

function columnOf(series: string, at: number): Column[] {
  const { frequency = "", base, quote } = SERIES.exec(series)?.groups ?? {};
  const currency = FED_CURRENCIES[base ?? quote ?? ""];
  if (currency === undefined) {
    return [];
  }
  const pair = base === undefined ? { base: "USD", quote: currency } : { base: currency, quote: "USD" };
  return [{ at, series, ...pair, frequency: FREQUENCIES[frequency] ?? "month" }];
}

function refuseAverages({ name, rows: [header, ...rows] }: Sheet): void {
  if (rows.length > 1 && rows.every(({ cells }) => cells[0]?.endsWith("-01"))) {
    throw wrongLine(
      name,
      header?.line ?? 1,
      "a daily series whose every line is the first of a month: these are averages of months",
      "download it again with the frequency Daily",
    );
  }
}
