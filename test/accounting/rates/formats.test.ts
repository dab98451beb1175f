import { describe, expect, test } from "vitest";
import type { RateFile } from "../../../lambda/accounting/rates/rate-file.ts";
import { recogniseRates } from "../../../lambda/accounting/rates/recognise.ts";
import { bytesOf, fixture } from "./make.ts";

// The fixtures hold a few lines each. Their numbers come from copies of the publishers' files. Exceptions:
// own.csv and the columns XUDLGBD, DEXJPUS and SP500 are invented, and one line of results.csv lacks the
// euro, to test a day without it.

/** Each rate as `2023-05-02 EUR/USD 1 EUR = 1.0965 USD`, a period as `2025-01-01..2025-12-31`. */
function listed({ rates }: RateFile): string[] {
  const bySeries = [...Map.groupBy(rates, ({ series }) => series).values()].flat();
  const texts = bySeries.map(({ series, base, quote, from, to, value, source }) => {
    const time = from === to ? from : `${from}..${to}`;
    return `${time} ${series} 1 ${base} = ${value} ${quote}${source === undefined ? "" : ` (${source})`}`;
  });
  return [...new Set(texts)];
}

describe("the ECB's file", () => {
  const file = fixture("eurofxref-hist.csv");

  test("is read by the names of its columns", () => {
    expect(file).toMatchObject({
      name: "rates/eurofxref-hist.csv",
      label: "European Central Bank, euro reference rates",
      span: { from: "2023-04-27", to: "2023-05-02" },
    });
    expect(listed(file).filter((rate) => rate.includes("EUR/USD"))).toEqual([
      "2023-05-02 EUR/USD 1 EUR = 1.0965 USD",
      "2023-04-28 EUR/USD 1 EUR = 1.0981 USD",
      "2023-04-27 EUR/USD 1 EUR = 1.1042 USD",
    ]);
    expect(listed(file)).toContain("2023-05-02 EUR/ZAR 1 EUR = 20.146 ZAR");
  });

  test("skips a currency without a published rate, and has no column after the last comma", () => {
    const names = new Set(file.rates.map(({ series }) => series));
    expect(names.size).toBe(30);
    expect(names).not.toContain("EUR/HRK");
    expect(names).not.toContain("EUR/");
  });
});

describe("HMRC's monthly file", () => {
  test("holds for the days that it names; a code listed for several territories counts once", () => {
    const file = fixture("monthly_csv_2026-8.csv");
    expect(listed(file)).toEqual([
      "2026-08-01..2026-08-31 GBP/AED 1 GBP = 4.9091 AED",
      "2026-08-01..2026-08-31 GBP/XOF 1 GBP = 768.7193 XOF",
      "2026-08-01..2026-08-31 GBP/EUR 1 GBP = 1.1719 EUR",
      "2026-08-01..2026-08-31 GBP/USD 1 GBP = 1.3367 USD",
    ]);
    expect(file.rates.every(({ kind }) => kind === "period")).toBe(true);
  });

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
    expect(listed(file)).toEqual(["2019-04-01..2019-04-30 GBP/USD 1 GBP = 1.3107 USD"]);
  });
});

describe("HMRC's yearly files", () => {
  test("an average holds for the year that ends with the month in the name, to March for the tax year; the rounded sterling value is not used", () => {
    expect(listed(fixture("average_csv_2025-12.csv"))).toEqual([
      "2025-01-01..2025-12-31 GBP/EUR 1 GBP = 1.1717 EUR",
      "2025-01-01..2025-12-31 GBP/IDR 1 GBP = 21608.1584 IDR",
      "2025-01-01..2025-12-31 GBP/USD 1 GBP = 1.3156 USD",
      "2025-01-01..2025-12-31 GBP/ZWG 1 GBP = 35.0855 ZWG",
    ]);
    const march = recogniseRates("average_csv_2024-3.csv", bytesOf("average_csv_2025-12.csv"));
    expect(march.span).toEqual({ from: "2023-04-06", to: "2024-04-05" });
  });

  test("a spot rate holds for one day", () => {
    expect(listed(fixture("spot_csv_2025-12.csv"))).toEqual([
      "2025-12-31 GBP/EUR 1 GBP = 1.1453 EUR",
      "2025-12-31 GBP/USD 1 GBP = 1.3454 USD",
    ]);
    const march = recogniseRates("rates/spot_csv_2026-03.csv", bytesOf("spot_csv_2025-12.csv"));
    expect(march.span).toEqual({ from: "2026-03-31", to: "2026-03-31" });
  });
});

describe("HMRC's yearly files of 2020 to March 2023", () => {
  test("with codes, under the older headings", () => {
    expect(listed(fixture("average_csv_2023-3.csv"))).toEqual([
      "2022-04-06..2023-04-05 GBP/EUR 1 GBP = 1.166525 EUR",
      "2022-04-06..2023-04-05 GBP/STD 1 GBP = 28515.875 STD",
      "2022-04-06..2023-04-05 GBP/USD 1 GBP = 1.219267 USD",
    ]);
  });

  test("without codes, of 2020 to 2022, are refused", () => {
    const older =
      "Country,Unit of Currency,Sterling value of Currency Unit,Currency Units per pound\nUSA,Dollar ,0.7832,1.276733\n";
    const read = () => recogniseRates("average_csv_2020-12.csv", Buffer.from(older));
    expect(read).toThrow("average_csv_2020-12.csv is not a rate file in a known format");
  });
});

describe("the Bank of Canada's files", () => {
  test("are read below OBSERVATIONS, with every cell quoted", () => {
    expect(listed(fixture("valet.csv"))).toEqual([
      "2017-02-16 FXEURCAD 1 EUR = 1.3917 CAD",
      "2017-02-17 FXEURCAD 1 EUR = 1.3923 CAD",
      "2017-02-21 FXEURCAD 1 EUR = 1.3861 CAD",
      "2017-02-16 FXUSDCAD 1 USD = 1.3055 CAD",
      "2017-02-17 FXUSDCAD 1 USD = 1.3102 CAD",
      "2017-02-21 FXUSDCAD 1 USD = 1.3148 CAD",
    ]);
  });

  test("and with none quoted, up to the block of errors, without holidays", () => {
    expect(listed(fixture("valet-unquoted.csv"))).toEqual([
      "2017-01-03 FXEURCAD 1 EUR = 1.3973 CAD",
      "2017-01-04 FXEURCAD 1 EUR = 1.393 CAD",
      "2017-01-03 FXUSDCAD 1 USD = 1.3435 CAD",
      "2017-01-04 FXUSDCAD 1 USD = 1.3315 CAD",
    ]);
  });
});

test("the Reserve Bank of Australia's file: foreign currency for 1 AUD, by title, without the index and blank cells", () => {
  expect(listed(fixture("f11.1-data.csv"))).toEqual([
    "2023-01-25 FXRUSD 1 AUD = 0.7102 USD",
    "2023-01-27 FXRUSD 1 AUD = 0.7107 USD",
    "2023-01-30 FXRUSD 1 AUD = 0.7092 USD",
    "2023-01-25 FXRCR 1 AUD = 4.8184 CNY",
    "2023-01-27 FXRCR 1 AUD = 4.8217 CNY",
    "2023-01-30 FXRCR 1 AUD = 4.7864 CNY",
    "2023-01-25 FXRSF 1 AUD = 0.6553 CHF",
    "2023-01-27 FXRSF 1 AUD = 0.6555 CHF",
    "2023-01-30 FXRSF 1 AUD = 0.6528 CHF",
  ]);
});

describe("the Federal Reserve's H.10", () => {
  test("by day: units for 1 USD, without days that have no data", () => {
    expect(listed(fixture("h10.csv")).filter((rate) => rate.includes("HKD"))).toEqual([
      "2005-11-09 RXI_N.B.HK 1 USD = 7.757 HKD",
      "2005-11-10 RXI_N.B.HK 1 USD = 7.7553 HKD",
      "2005-11-14 RXI_N.B.HK 1 USD = 7.7559 HKD",
    ]);
  });

  test("dollars for 1 unit of some, by unit and currency: the multiplier of the pound is not applied, and Venezuela is left out", () => {
    const monthly = Buffer.from(bytesOf("h10-monthly.csv")).toString();
    const daily = monthly
      .replaceAll("_N.M.", "_N.B.")
      .replace("2000-01,", "2000-01-31,")
      .replace("2000-02,", "2000-02-01,");
    expect(listed(recogniseRates("h10.csv", Buffer.from(daily)))).toEqual([
      "2000-01-31 RXI$US_N.B.EU 1 EUR = 1.0131 USD",
      "2000-02-01 RXI$US_N.B.EU 1 EUR = 0.9834 USD",
      "2000-01-31 RXI$US_N.B.UK 1 GBP = 1.6404 USD",
      "2000-02-01 RXI$US_N.B.UK 1 GBP = 1.6 USD",
      "2000-01-31 RXI_N.B.CA 1 USD = 1.4486 CAD",
      "2000-02-01 RXI_N.B.CA 1 USD = 1.4512 CAD",
    ]);
  });
});

describe("FRED's files", () => {
  test("with several series: each in its direction, without series that are not rates", () => {
    expect(listed(fixture("fredgraph.csv"))).toEqual([
      "2025-01-02 DEXUSEU 1 EUR = 1.0261 USD",
      "2025-01-03 DEXUSEU 1 EUR = 1.0292 USD",
      "2025-01-02 DEXJPUS 1 USD = 157.44 JPY",
      "2025-01-03 DEXJPUS 1 USD = 157.21 JPY",
    ]);
  });

  // FRED's own titles: "U.S. Dollars to …" for these four; all other series are units for one U.S. Dollar.
  test.each([
    ["DEXUSUK", "1 GBP = 0.65 USD"],
    ["DEXSZUS", "1 USD = 0.65 CHF"],
  ])("%s: %s", (series, pair) => {
    const bytes = Buffer.from(`observation_date,${series}\n2025-01-02,0.65\n`);
    expect(listed(recogniseRates("fred.csv", bytes))).toEqual([`2025-01-02 ${series} ${pair}`]);
  });
});

test("the Bank of England's file: units for 1 pound, without the series of pounds for a dollar", () => {
  expect(listed(fixture("results.csv"))).toEqual([
    "2026-03-17 XUDLUSS 1 GBP = 1.3343 USD",
    "2026-03-18 XUDLUSS 1 GBP = 1.3323 USD",
    "2026-03-20 XUDLUSS 1 GBP = 1.3302 USD",
    "2026-03-17 XUDLERS 1 GBP = 1.1577 EUR",
    "2026-03-18 XUDLERS 1 GBP = 1.1572 EUR",
    "2026-03-17 XUDLBK89 1 GBP = 9.1865 CNY",
    "2026-03-18 XUDLBK89 1 GBP = 9.1752 CNY",
    "2026-03-20 XUDLBK89 1 GBP = 9.1865 CNY",
  ]);
});

test("the user's own file: days, months and years, each with its source", () => {
  expect(listed(fixture("own.csv"))).toEqual([
    "2025-03-01 USDT/USD 1 USDT = 0.9996 USD (close of an exchange)",
    "2025-03-02 USDT/USD 1 USDT = 1.0001 USD (close, by hand)",
    "2025-03-01..2025-03-31 USD/CHF 1 USD = 0.8812 CHF (average of the month)",
    "2025-01-01..2025-12-31 USD/CHF 1 USD = 0.83 CHF (average of the year)",
  ]);
});

test("a file is recognised by its content; the name does not matter", () => {
  for (const name of ["eurofxref-hist.csv", "f11.1-data.csv", "h10.csv", "results.csv", "valet.csv", "own.csv"]) {
    const renamed = recogniseRates("rates.csv", bytesOf(name));
    expect([renamed.label, listed(renamed)]).toEqual([fixture(name).label, listed(fixture(name))]);
  }
});

test("line breaks of all systems are read the same", () => {
  const text = Buffer.from(bytesOf("DEXUSUK.csv")).toString();
  for (const other of [text.replaceAll("\n", "\r\n"), text.replaceAll("\n", "\r"), `\n\n${text}\n\n`]) {
    expect(listed(recogniseRates("rates.csv", Buffer.from(other)))).toEqual(listed(fixture("DEXUSUK.csv")));
  }
});
