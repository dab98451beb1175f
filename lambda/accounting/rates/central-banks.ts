import type { RateFormat } from "./rate-file.ts";
import { wide } from "./tables.ts";

/*
 * Daily rates of central banks, as they publish them. Averages of months and years are not read: they can be
 * written down in a file of the user.
 */

const CURRENCY = /^[A-Z]{3}$/;

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
const ECB = wide({
  label: "European Central Bank, euro reference rates",
  isHeader: ([first, ...names]) =>
    first === "Date" && names.includes("USD") && names.every((name) => CURRENCY.test(name) || name === ""),
  pairOf: (name) => ["EUR", CURRENCY.exec(name)?.[0]],
  days: "iso",
  missing: ["N/A"],
});

/*
 * Bank of Canada, Valet: bankofcanada.ca/valet/observations/FXUSDCAD/csv?start_date=2025-01-01, or a group of
 * series. Checked against copies of published files of 2017 and 2019, which quote every cell or none.
 *
 *   "OBSERVATIONS"
 *   "date","FXUSDCAD"
 *   "2019-11-26","1.3288"
 *
 * 1 USD = so many CAD, as the name of the series says. Blocks stand before the observations (TERMS AND CONDITIONS,
 * NAME, DESCRIPTION, SERIES) and at times one after them (ERRORS, whose rates are -64). Cells of holidays are empty.
 */
const BANK_OF_CANADA = wide({
  label: "Bank of Canada, Valet",
  isHeader: ([first]) => first === "date",
  pairOf: (name) => {
    const [, base, quote] = /^FX([A-Z]{3})([A-Z]{3})$/.exec(name) ?? [];
    return [base, quote];
  },
  days: "iso",
  missing: [""],
});

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
 * data changes, and blank ones stand among them and after the data. Blank cells: not published. Series that are no
 * rate (the index) or not daily are left out.
 */
const RBA = wide({
  label: "Reserve Bank of Australia, F11.1 (daily)",
  isHeader: ([first]) => first === "Series ID",
  pairOf: (_, cellIn) =>
    cellIn("Frequency") === "Daily" ? ["AUD", /^A\$1=([A-Z]{3})$/.exec(cellIn("Title"))?.[1]] : [],
  days: "named",
  missing: [""],
});

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
 * 1 EUR = so many USD, as the unit and the currency say. B: each business day. `ND`: no data. The multiplier of the
 * pound is 0.00999999978, and its rates are dollars a pound all the same: it is not applied. Venezuela is left out,
 * because its series runs through three currencies. The published file ends without a line break, so that one which
 * was cut off within its last number cannot be told.
 */
const FED_H10 = wide({
  label: "Federal Reserve, H.10",
  endsAnywhere: true,
  isHeader: ([first]) => first === "Time Period",
  pairOf: (name, cellIn) =>
    /^RXI(?:\$US)?_N\.B\.(?!VE)[A-Z]{2}$/.test(name)
      ? [/^Currency:_Per_([A-Z]{3})$/.exec(cellIn("Unit:"))?.[1], cellIn("Currency:")]
      : [],
  days: "iso",
  missing: ["ND"],
});

/*
 * Federal Reserve Bank of St. Louis, FRED: fred.stlouisfed.org/graph/fredgraph.csv?id=DEXUSEU. Checked
 * against copies of published files of 2021 (with the heading DATE, and `.` for no data) and of 2026
 * (`observation_date`, and nothing).
 *
 *   observation_date,DEXUSEU
 *   2025-01-17,1.0287
 *   2025-01-20,
 *
 * DEXUSEU, DEXUSUK, DEXUSAL, DEXUSNZ: 1 EUR (GBP, AUD, NZD) = so many USD; DEXJPUS and all others: 1 USD = so
 * many JPY. `.` or nothing: no data. The page also offers a daily series as monthly averages under the same
 * name.
 */
const FRED = wide({
  label: "Federal Reserve Bank of St. Louis, FRED",
  isHeader: ([first]) => first === "observation_date" || first === "DATE",
  pairOf: (name) => {
    const [, quote = "", base = ""] = /^DEX([A-Z]{2})([A-Z]{2})$/.exec(name) ?? [];
    return [COUNTRIES.get(base), COUNTRIES.get(quote)];
  },
  days: "iso",
  missing: [".", ""],
});

/** As FRED names them. Sri Lanka to Thailand are named as in a published file. */
const COUNTRIES = codesIn(`
  US USD  AL AUD  BZ BRL  CA CAD  CH CNY  DN DKK  EU EUR  HK HKD  IN INR  JP JPY  KO KRW  MA MYR
  MX MXN  NO NOK  NZ NZD  SD SEK  SF ZAR  SI SGD  SL LKR  SZ CHF  TA TWD  TH THB  UK GBP`);

/*
 * Bank of England, Interactive Database, daily spot rates:
 * bankofengland.co.uk/boeapps/database/_iadb-fromshowcolumns.asp with csv.x=yes, UsingCodes=Y and CSVF=TN.
 * Checked against a recorded answer of March 2026.
 *
 *   DATE,XUDLUSS,XUDLERS
 *   17 Mar 2026,1.3343,1.1577
 *
 * 1 GBP = so many units. Only series whose currency is certain are read: XUDLGBD, for one, is pounds a
 * dollar. An empty cell is taken as not published: unverified, as the recorded answer has none.
 */
const BANK_OF_ENGLAND = wide({
  label: "Bank of England, daily spot rates",
  isHeader: ([first]) => first === "DATE",
  pairOf: (name) => ["GBP", POUND_SERIES.get(name)],
  days: "named",
  missing: [""],
});

const POUND_SERIES = codesIn(`
  XUDLADS AUD   XUDLBK25 CZK  XUDLBK33 HUF  XUDLBK47 PLN  XUDLBK78 ILS  XUDLBK83 MYR  XUDLBK87 THB
  XUDLBK89 CNY  XUDLBK93 KRW  XUDLBK95 TRY  XUDLBK97 INR  XUDLCDS CAD   XUDLDKS DKK   XUDLERS EUR
  XUDLHDS HKD   XUDLJYS JPY   XUDLNDS NZD   XUDLNKS NOK   XUDLSFS CHF   XUDLSGS SGD   XUDLSKS SEK
  XUDLSRS SAR   XUDLTWS TWD   XUDLUSS USD   XUDLZOS4 RON  XUDLZRS ZAR`);

export const CENTRAL_BANKS: readonly RateFormat[] = [ECB, BANK_OF_CANADA, RBA, FED_H10, FRED, BANK_OF_ENGLAND];

/** Names and currencies, in turns. */
function codesIn(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/(\S+) (\S+)/g)].map(([, name = "", currency = ""]) => [name, currency]));
}
