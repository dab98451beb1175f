import type { RateFormat } from "./rate-file.ts";
import { type Sheet, wrongLine } from "./sheet.ts";
import { byFirstDay, byName, type Frequency, NO_ROW, readWide, rowOf, type Series } from "./wide.ts";

/**
 * The countries of the H.10 release, by the names of its series and of FRED's. Venezuela is left out, because
 * its series runs through three currencies. Sri Lanka to Thailand are named as in a published file.
 */
const CURRENCIES: Readonly<Record<string, string>> = {
  AL: "AUD",
  BZ: "BRL",
  CA: "CAD",
  CH: "CNY",
  DN: "DKK",
  EU: "EUR",
  HK: "HKD",
  IN: "INR",
  JA: "JPY", // H.10
  JP: "JPY", // FRED
  KO: "KRW",
  MA: "MYR",
  MX: "MXN",
  NO: "NOK",
  NZ: "NZD",
  SD: "SEK",
  SF: "ZAR",
  SI: "SGD",
  SL: "LKR",
  SZ: "CHF",
  TA: "TWD",
  TH: "THB",
  UK: "GBP",
};

/*
 * Federal Reserve Board, H.10 foreign exchange rates, from the Data Download Program
 * (federalreserve.gov/datadownload, "CSV", series in columns). Checked against copies of published files by
 * day (2015), month (2021) and year (2022).
 *
 *   "Series Description","SPOT EXCHANGE RATE - EURO AREA "
 *   "Unit:","Currency:_Per_EUR"
 *   "Multiplier:","1"
 *   "Currency:","USD"
 *   "Unique Identifier: ","H10/H10/RXI$US_N.B.EU"
 *   "Time Period","RXI$US_N.B.EU"
 *   2026-09-04,1.1618
 *
 * RXI$US_N.B.EU: 1 EUR = so many USD; RXI_N.B.CA: 1 USD = so many CAD. B: each business day, `2026-09-04`; M:
 * a month's average, `2026-09`; A: a year's, `2026`. `ND`: no data. The multiplier of the pound is
 * 0.00999999978, and its rates are dollars a pound all the same: it is not applied. The published file ends
 * without a line break, so that one which was cut off within its last number cannot be told.
 */

const H10_SERIES = /^RXI(?<inDollars>\$US)?_N\.(?<frequency>[BMA])\.(?<country>[A-Z]{2})$/;
const H10_FREQUENCIES: Readonly<Record<string, Frequency>> = { B: "day", M: "month", A: "year" };
const UNIT = /^Currency:_Per_([A-Z]{3})$/;

export const FED_H10: RateFormat = {
  label: "Federal Reserve, H.10",
  isEnded: false,
  recognises: (rows) => rowOf(rows, "Time Period") !== undefined && rowOf(rows, "Unique Identifier:") !== undefined,
  read: (sheet) => {
    const header = rowOf(sheet.rows, "Time Period") ?? NO_ROW;
    const units = rowOf(sheet.rows, "Unit:");
    const seriesOf = (name: string, at: number) => {
      const found = h10SeriesOf(name);
      const stated = UNIT.exec(units?.cells[at] ?? "")?.[1];
      if (found !== null && stated !== undefined && stated !== found.base) {
        const what = `${name} is stated per ${stated}, but should be per ${found.base}`;
        throw wrongLine(sheet.name, units?.line ?? 0, what);
      }
      return found;
    };
    const none = ["none of its series is an exchange rate, such as RXI_N.B.CA"] as const;
    return readWide(sheet, { header, seriesOf, none, missing: ["ND"], spanOf: byName });
  },
};

function h10SeriesOf(name: string): Series | null {
  const { inDollars, frequency: letter = "", country = "" } = H10_SERIES.exec(name)?.groups ?? {};
  const currency = CURRENCIES[country];
  const frequency = H10_FREQUENCIES[letter];
  if (currency === undefined || frequency === undefined) {
    return null;
  }
  return inDollars === undefined
    ? { base: "USD", quote: currency, frequency }
    : { base: currency, quote: "USD", frequency };
}

/*
 * Federal Reserve Bank of St. Louis, FRED: fred.stlouisfed.org/graph/fredgraph.csv?id=DEXUSEU. Checked
 * against copies of published files of 2021 (with the heading DATE, and `.` for no data) and of 2026
 * (`observation_date`, and nothing); averages are unverified against a file as published.
 *
 *   observation_date,DEXUSEU
 *   2025-01-17,1.0287
 *   2025-01-20,
 *
 * DEXUSEU, DEXUSUK, DEXUSAL, DEXUSNZ: 1 EUR (GBP, AUD, NZD) = so many USD; DEXJPUS and all others: 1 USD = so
 * many JPY. D: each business day; without it a month's average, named by its first day (EXUSEU); A: a year's
 * (AEXUSEU). `.` or nothing: no data. The page also offers a daily series as monthly averages under the same
 * name: these are refused, as each would be taken for the rate of one day.
 */

const FRED_SERIES = /^(?<frequency>[DA]?)EX(?:US(?<base>[A-Z]{2})|(?<quote>[A-Z]{2})US)$/;
const FRED_FREQUENCIES: Readonly<Record<string, Frequency>> = { D: "day", A: "year" };

export const FRED: RateFormat = {
  label: "Federal Reserve Bank of St. Louis, FRED",
  isEnded: true,
  recognises: ([header]) =>
    header !== undefined &&
    ["observation_date", "DATE"].includes(header.cells[0] ?? "") &&
    header.cells.some((name) => fredSeriesOf(name) !== null),
  read: (sheet) => {
    const header = sheet.rows[0] ?? NO_ROW;
    if (header.cells.some((name) => fredSeriesOf(name)?.frequency === "day")) {
      refuseAverages(sheet);
    }
    return readWide(sheet, { header, seriesOf: fredSeriesOf, missing: [".", ""], spanOf: byFirstDay });
  },
};

function fredSeriesOf(name: string): Series | null {
  const { frequency: letter = "", base, quote } = FRED_SERIES.exec(name)?.groups ?? {};
  const currency = CURRENCIES[base ?? quote ?? ""];
  if (currency === undefined) {
    return null;
  }
  const frequency = FRED_FREQUENCIES[letter] ?? "month";
  return base === undefined ? { base: "USD", quote: currency, frequency } : { base: currency, quote: "USD", frequency };
}

function refuseAverages({ name, rows: [header, ...rows] }: Sheet): void {
  if (rows.length > 1 && rows.every(({ cells }) => cells[0]?.endsWith("-01"))) {
    throw wrongLine(
      name,
      header?.line ?? 1,
      "this is a daily series, but every line is dated the first of a month: these are monthly averages",
      "download it again with the frequency Daily",
    );
  }
}
