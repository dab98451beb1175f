import type { RateFormat } from "./rate-file.ts";
import { byFirstDay, type Frequency, NO_ROW, readWide, type Series } from "./wide.ts";

/*
 * Bank of Canada, Valet: bankofcanada.ca/valet/observations/FXUSDCAD/csv?start_date=2025-01-01, or a group of
 * series. Checked against copies of published files of 2017 and 2019, which quote every cell or none; months
 * and years are unverified against a file as published.
 *
 *   "OBSERVATIONS"
 *   "date","FXUSDCAD"
 *   "2019-11-26","1.3288"
 *
 * 1 USD = so many CAD, as the name of the series says: FXUSDCAD a day's, FXMUSDCAD a month's, FXAUSDCAD a
 * year's average. Blocks stand before the observations (TERMS AND CONDITIONS, NAME, DESCRIPTION, SERIES) and
 * at times one after them (ERRORS, whose rates are -64). Cells of holidays are empty.
 */

const SERIES = /^FX(?<frequency>[AM]?)(?<base>[A-Z]{3})(?<quote>[A-Z]{3})$/;
const FREQUENCIES: Readonly<Record<string, Frequency>> = { A: "year", M: "month" };

export const BANK_OF_CANADA: RateFormat = {
  label: "Bank of Canada, Valet",
  isEnded: true,
  recognises: (rows) => rows.some(isObservations),
  read: (sheet) => {
    const at = sheet.rows.findIndex(isObservations);
    const header = sheet.rows[at + 1] ?? NO_ROW;
    // A block begins with a line of one cell.
    const end = sheet.rows.findIndex(({ cells }, row) => row > at + 1 && cells.length === 1 && header.cells.length > 1);
    const observations = { ...sheet, rows: sheet.rows.slice(0, end === -1 ? undefined : end) };
    return readWide(observations, {
      header,
      seriesOf: (name) => (header.cells[0] === "date" ? seriesOf(name) : null),
      none: ["there is no series of exchange rates, such as FXUSDCAD, under OBSERVATIONS"],
      missing: [""],
      spanOf: byFirstDay,
    });
  },
};

function isObservations({ cells }: { readonly cells: readonly string[] }): boolean {
  return cells.length === 1 && cells[0] === "OBSERVATIONS";
}

function seriesOf(name: string): Series | null {
  const { frequency = "", base, quote } = SERIES.exec(name)?.groups ?? {};
  return base === undefined || quote === undefined ? null : { base, quote, frequency: FREQUENCIES[frequency] ?? "day" };
}
