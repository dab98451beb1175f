import type { RateFormat } from "./rate-file.ts";
import { byNamedDay, NO_ROW, readWide, rowOf, type Series } from "./wide.ts";

/*
 * Reserve Bank of Australia, table F11.1: rba.gov.au/statistics/tables/csv/f11.1-data.csv. Checked against a
 * recorded answer of March 2026.
 *
 *   F11.1  EXCHANGE RATES
 *   Title,A$1=USD,Trade-weighted Index May 1970 = 100,A$1=CNY,…
 *   Frequency,Daily,Daily,Daily,…
 *   Series ID,FXRUSD,FXRTWI,FXRCR,…
 *   03-Jan-2023,0.6828,61.40,4.6994,…
 *
 * 1 AUD = so many units, as the title says: an amount in USD is divided by it. The number of lines above the
 * data changes, and blank ones stand among them and after the data; the data begin under `Series ID`. Blank
 * cells: not published. Series that are no rate (the index) or not daily are left out.
 */

const TITLE = /^A\$1=([A-Z]{3})$/;

export const RBA: RateFormat = {
  label: "Reserve Bank of Australia, F11.1",
  isEnded: true,
  recognises: (rows) => rowOf(rows, "Title") !== undefined && rowOf(rows, "Series ID") !== undefined,
  read: (sheet) => {
    const ids = rowOf(sheet.rows, "Series ID") ?? NO_ROW;
    const titles = rowOf(sheet.rows, "Title")?.cells ?? [];
    const frequencies = rowOf(sheet.rows, "Frequency")?.cells ?? [];
    const seriesOf = (_: string, at: number): Series | null => {
      const quote = TITLE.exec(titles[at] ?? "")?.[1];
      return quote === undefined || frequencies[at] !== "Daily" ? null : { base: "AUD", quote, frequency: "day" };
    };
    const none = ["none of its series is a daily exchange rate", "use the daily table, F11.1"] as const;
    return readWide(sheet, { header: ids, seriesOf, none, missing: [""], spanOf: byNamedDay });
  },
};
