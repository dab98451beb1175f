import type { RateFormat } from "./rate-file.ts";
import { byFirstDay, NO_ROW, readWide, type Series } from "./wide.ts";

/*
 * European Central Bank, euro foreign exchange reference rates: eurofxref-hist.csv, in
 * https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip. Checked against a copy of the published file
 * of May 2023.
 *
 *   Date,USD,JPY,BGN,CYP,…,THB,ZAR,
 *   2023-05-02,1.0965,150.7,1.9558,N/A,…,37.478,20.146,
 *
 * 1 EUR = so many units. Newest first. Each line ends with a comma. `N/A` where a currency was not published:
 * they come and go, so that columns are found by name. No weekends, and no days on which TARGET is closed.
 * Published about 16:00 CET.
 */

const CURRENCY = /^[A-Z]{3}$/;
const BASE = "EUR";

export const ECB: RateFormat = {
  label: "European Central Bank, euro reference rates",
  isEnded: true,
  recognises: ([header]) =>
    header?.cells[0] === "Date" &&
    header.cells.includes("USD") &&
    header.cells.slice(1).every((cell, at, { length }) => CURRENCY.test(cell) || (cell === "" && at === length - 1)),
  read: (sheet) => readWide(sheet, { header: sheet.rows[0] ?? NO_ROW, seriesOf, missing: ["N/A"], spanOf: byFirstDay }),
};

function seriesOf(quote: string): Series | null {
  return CURRENCY.test(quote) ? { series: `${BASE}/${quote}`, base: BASE, quote, frequency: "day" } : null;
}
