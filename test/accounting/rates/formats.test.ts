import { describe, expect, test } from "vitest";
import type { RateFile } from "../../../lambda/accounting/rates/rate-file.ts";
import { recogniseRates } from "../../../lambda/accounting/rates/recognise.ts";
import { bytesOf, fixture } from "./make.ts";

// The fixtures hold a few lines each. Their numbers come from copies of the publishers' files. Exceptions:
// own.csv and the columns XUDLGBD, DEXJPUS and SP500 are invented, and one line of results.csv lacks the
// euro, to test a day without it.

/** Each series, and its rates as in the file: `FXUSDCAD, CAD for 1 USD: 2017-02-16 1.3055, 2017-02-17 1.3102`. */
function listed({ rates }: RateFile): string[] {
  const series = Map.groupBy(rates, ({ series, base, quote }) => `${series}, ${quote} for 1 ${base}`);
  return [...series].map(([name, own]) => {
    const texts = own.map(({ from, to, value, source }) => {
      const time = from === to ? from : `${from}..${to}`;
      return `${time} ${value}${source === undefined ? "" : ` (${source})`}`;
    });
    return `${name}: ${[...new Set(texts)].join(", ")}`;
  });
}

test("the ECB's file is read by the names of its columns, without currencies and columns that have no rates", () => {
  const file = fixture("eurofxref-hist.csv");
  expect(file).toMatchObject({
    name: "rates/eurofxref-hist.csv",
    label: "European Central Bank, euro reference rates",
    span: { from: "2023-04-27", to: "2023-05-02" },
  });
  const rates = listed(file);
  expect(rates).toHaveLength(30);
  expect(rates[0]).toBe("EUR/USD, USD for 1 EUR: 2023-05-02 1.0965, 2023-04-28 1.0981, 2023-04-27 1.1042");
  expect(rates.at(-1)).toMatch(/^EUR\/ZAR, ZAR for 1 EUR: 2023-05-02 20\.146,/);
  expect(rates.join()).not.toContain("EUR/HRK");
});

test.each<[what: string, name: string, ...rates: string[]]>([
  [
    "HMRC's monthly file, for the days that it names; a code listed for several territories counts once",
    "monthly_csv_2026-8.csv",
    "GBP/AED, AED for 1 GBP: 2026-08-01..2026-08-31 4.9091",
    "GBP/XOF, XOF for 1 GBP: 2026-08-01..2026-08-31 768.7193",
    "GBP/EUR, EUR for 1 GBP: 2026-08-01..2026-08-31 1.1719",
    "GBP/USD, USD for 1 GBP: 2026-08-01..2026-08-31 1.3367",
  ],
  [
    "HMRC's average, for the year that ends with the month in the name; the rounded sterling value is not used",
    "average_csv_2025-12.csv",
    "GBP/EUR, EUR for 1 GBP: 2025-01-01..2025-12-31 1.1717",
    "GBP/IDR, IDR for 1 GBP: 2025-01-01..2025-12-31 21608.1584",
    "GBP/USD, USD for 1 GBP: 2025-01-01..2025-12-31 1.3156",
    "GBP/ZWG, ZWG for 1 GBP: 2025-01-01..2025-12-31 35.0855",
  ],
  [
    "HMRC's average of 2020 to March 2023, under the older headings",
    "average_csv_2023-3.csv",
    "GBP/EUR, EUR for 1 GBP: 2022-04-06..2023-04-05 1.166525",
    "GBP/STD, STD for 1 GBP: 2022-04-06..2023-04-05 28515.875",
    "GBP/USD, USD for 1 GBP: 2022-04-06..2023-04-05 1.219267",
  ],
  [
    "HMRC's spot rate, for one day",
    "spot_csv_2025-12.csv",
    "GBP/EUR, EUR for 1 GBP: 2025-12-31 1.1453",
    "GBP/USD, USD for 1 GBP: 2025-12-31 1.3454",
  ],
  [
    "the Bank of Canada's file, below OBSERVATIONS, with every cell quoted",
    "valet.csv",
    "FXEURCAD, CAD for 1 EUR: 2017-02-16 1.3917, 2017-02-17 1.3923, 2017-02-21 1.3861",
    "FXUSDCAD, CAD for 1 USD: 2017-02-16 1.3055, 2017-02-17 1.3102, 2017-02-21 1.3148",
  ],
  [
    "the Bank of Canada's file with no cell quoted, up to the block of errors, without holidays",
    "valet-unquoted.csv",
    "FXEURCAD, CAD for 1 EUR: 2017-01-03 1.3973, 2017-01-04 1.393",
    "FXUSDCAD, CAD for 1 USD: 2017-01-03 1.3435, 2017-01-04 1.3315",
  ],
  [
    "the Reserve Bank of Australia's file, by title, without the index and blank cells",
    "f11.1-data.csv",
    "FXRUSD, USD for 1 AUD: 2023-01-25 0.7102, 2023-01-27 0.7107, 2023-01-30 0.7092",
    "FXRCR, CNY for 1 AUD: 2023-01-25 4.8184, 2023-01-27 4.8217, 2023-01-30 4.7864",
    "FXRSF, CHF for 1 AUD: 2023-01-25 0.6553, 2023-01-27 0.6555, 2023-01-30 0.6528",
  ],
  [
    "the Federal Reserve's H.10 by day, without days that have no data",
    "h10.csv",
    "RXI_N.B.CH, CNY for 1 USD: 2005-11-09 8.0857, 2005-11-10 8.0847, 2005-11-14 8.0856",
    "RXI_N.B.HK, HKD for 1 USD: 2005-11-09 7.757, 2005-11-10 7.7553, 2005-11-14 7.7559",
  ],
  [
    "FRED's file with several series: each in its direction, without series that are not rates",
    "fredgraph.csv",
    "DEXUSEU, USD for 1 EUR: 2025-01-02 1.0261, 2025-01-03 1.0292",
    "DEXJPUS, JPY for 1 USD: 2025-01-02 157.44, 2025-01-03 157.21",
  ],
  [
    "the Bank of England's file, without the series of pounds for a dollar",
    "results.csv",
    "XUDLUSS, USD for 1 GBP: 2026-03-17 1.3343, 2026-03-18 1.3323, 2026-03-20 1.3302",
    "XUDLERS, EUR for 1 GBP: 2026-03-17 1.1577, 2026-03-18 1.1572",
    "XUDLBK89, CNY for 1 GBP: 2026-03-17 9.1865, 2026-03-18 9.1752, 2026-03-20 9.1865",
  ],
  [
    "the user's own file: days, months and years, each with its source",
    "own.csv",
    "USDT/USD, USD for 1 USDT: 2025-03-01 0.9996 (close of an exchange), 2025-03-02 1.0001 (close, by hand)",
    "USD/CHF, CHF for 1 USD: 2025-03-01..2025-03-31 0.8812 (average of the month), 2025-01-01..2025-12-31 0.83 (average of the year)",
  ],
])("%s", (_, name, ...rates) => {
  expect(listed(fixture(name))).toEqual(rates);
});

describe("HMRC's monthly file", () => {
  // An older form of the header. The rate is invented.
  const OLD =
    "Country/Territories,Currency,Currency code,Currency units per £1,Start Date,End Date\r\n" +
    "USA,Dollar,USD,1.3107,01/04/2019,30/04/2019\r\n";

  test.each([
    ["ISO-8859-1", Buffer.from(OLD, "latin1")],
    ["UTF-8", Buffer.from(OLD)],
    ["UTF-8 with a byte order mark", Buffer.from(`\uFEFF${OLD}`)],
  ])("is read with its older headings, in %s", (_, bytes) => {
    const file = recogniseRates("exrates-monthly-0419.csv", bytes);
    expect(file.label).toBe("HM Revenue & Customs, monthly rates");
    expect(listed(file)).toEqual(["GBP/USD, USD for 1 GBP: 2019-04-01..2019-04-30 1.3107"]);
  });
});

/*
 * HMRC publishes averages for the years to 31 March and to 31 December. For the tax year 2022-23, which ends on
 * 5 April, it accepts that of the year to 31 March 2023: HMRC Admin, 24 May 2023, "You can use either of the
 * yearly rates mentioned in your original questions for the 22/23 tax year"
 * (community.hmrc.gov.uk/customerforums/pt/7108e31a-25f3-ed11-913b-00155d9c6b71). The tax year is 6 April to
 * 5 April: Income Tax Act 2007, s. 4(4).
 */
test.each([
  ["average", "rates/average_csv_2024-3.csv", "2023-04-06", "2024-04-05"],
  ["spot rate", "rates/spot_csv_2026-03.csv", "2026-03-31", "2026-03-31"],
])("HMRC's %s of March, %s, is for %s to %s", (_, name, from, to) => {
  const { rates, span } = recogniseRates(name, bytesOf("average_csv_2025-12.csv"));
  expect(span).toEqual({ from, to });
  expect(rates.every((rate) => rate.from === from && rate.to === to && rate.kind === "period")).toBe(true);
});

test("HMRC's averages without codes, of 2020 to 2022, are refused", () => {
  const older =
    "Country,Unit of Currency,Sterling value of Currency Unit,Currency Units per pound\nUSA,Dollar ,0.7832,1.276733\n";
  const read = () => recogniseRates("average_csv_2020-12.csv", Buffer.from(older));
  expect(read).toThrow("average_csv_2020-12.csv is not a rate file in a known format");
});

test("the H.10 has dollars for 1 unit of some, by unit and currency: the multiplier of the pound is not applied, and Venezuela is left out", () => {
  const monthly = Buffer.from(bytesOf("h10-monthly.csv")).toString();
  const daily = monthly
    .replaceAll("_N.M.", "_N.B.")
    .replace("2000-01,", "2000-01-31,")
    .replace("2000-02,", "2000-02-01,");
  expect(listed(recogniseRates("h10.csv", Buffer.from(daily)))).toEqual([
    "RXI$US_N.B.EU, USD for 1 EUR: 2000-01-31 1.0131, 2000-02-01 0.9834",
    "RXI$US_N.B.UK, USD for 1 GBP: 2000-01-31 1.6404, 2000-02-01 1.6",
    "RXI_N.B.CA, CAD for 1 USD: 2000-01-31 1.4486, 2000-02-01 1.4512",
  ]);
});

// FRED's own titles: "U.S. Dollars to …" for these four; all other series are units for one U.S. Dollar.
test.each([
  ["DEXUSUK", "USD for 1 GBP"],
  ["DEXSZUS", "CHF for 1 USD"],
])("FRED's %s is %s", (series, pair) => {
  const bytes = Buffer.from(`observation_date,${series}\n2025-01-02,0.65\n`);
  expect(listed(recogniseRates("fred.csv", bytes))).toEqual([`${series}, ${pair}: 2025-01-02 0.65`]);
});

test("line breaks of all systems are read the same", () => {
  const text = Buffer.from(bytesOf("DEXUSUK.csv")).toString();
  for (const other of [text.replaceAll("\n", "\r\n"), text.replaceAll("\n", "\r"), `\n\n${text}\n\n`]) {
    expect(listed(recogniseRates("rates.csv", Buffer.from(other)))).toEqual(listed(fixture("DEXUSUK.csv")));
  }
});
