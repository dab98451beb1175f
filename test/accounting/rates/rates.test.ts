import { describe, expect, test } from "vitest";
import type { Pars, RateFile } from "../../../lambda/accounting/rates/rate-file.ts";
import { createRates, type Rates } from "../../../lambda/accounting/rates/rates.ts";
import { recogniseRates } from "../../../lambda/accounting/rates/recognise.ts";
import { refusal } from "../../support/refusal.ts";
import { divide, read, significantText } from "../rational.ts";
import { bytesOf, fixture, own } from "./make.ts";

const quotient = (a: string, b: string) => significantText(divide(read(a), read(b)), 18);

function shown(rates: Rates, from: string, to: string, day: string) {
  const found = rates.find(from, to, day);
  return { rate: found?.rate ?? null, date: found?.rateDate, source: found?.source };
}

describe("the rate of a period", () => {
  test("holds for its days and for none after them", () => {
    const rates = createRates([fixture("monthly_csv_2026-8.csv")], {});
    expect(shown(rates, "GBP", "USD", "2026-08-01")).toMatchObject({ rate: "1.3367", date: "2026-08-01" });
    expect(shown(rates, "USD", "GBP", "2026-08-31")).toEqual({
      rate: quotient("1", "1.3367"),
      date: "2026-08-01",
      source: "rates/monthly_csv_2026-8.csv GBP/USD",
    });
    expect(rates.find("GBP", "USD", "2026-07-31")).toBeNull();
    expect(rates.find("GBP", "USD", "2026-09-01")).toBeNull();
  });

  test("within a file, a daily rate goes before a monthly one, and a monthly before a yearly one", () => {
    const rates = createRates(
      [own("own.csv", "2025,USD,CHF,0.83,year", "2025-03,USD,CHF,0.88,month", "2025-03-20,USD,CHF,0.9,day")],
      {},
    );
    const found = ["2025-02-28", "2025-03-19", "2025-03-20", "2025-03-27", "2025-03-28"].map((day) =>
      shown(rates, "USD", "CHF", day),
    );
    expect(found.map(({ rate, source }) => `${rate} ${source}`)).toEqual([
      "0.83 own.csv USD/CHF (year)",
      "0.88 own.csv USD/CHF (month)",
      "0.9 own.csv USD/CHF (day)",
      "0.9 own.csv USD/CHF (day)",
      "0.88 own.csv USD/CHF (month)",
    ]);
  });

  test("of two equally long periods, the one that began later counts", () => {
    const header = "Country/Territories,Currency,Currency Code,Currency Units per £1,Start date,End date\n";
    const lines = ["USA,Dollar,USD,1.3,01/08/2026,31/08/2026\n", "USA,Dollar,USD,1.4,15/08/2026,14/09/2026\n"];
    for (const text of [lines.join(""), lines.toReversed().join("")]) {
      const rates = createRates([recogniseRates("x.csv", Buffer.from(header + text))], {});
      expect(["14", "15", "31"].map((day) => shown(rates, "GBP", "USD", `2026-08-${day}`).rate)).toEqual([
        "1.3",
        "1.4",
        "1.4",
      ]);
    }
  });
});

test("USDT is converted to GBP through USD and EUR: by a declared par, and the ECB's file", () => {
  const rates = createRates([fixture("eurofxref-hist.csv")], { USDT: "USD" });
  expect(shown(rates, "USDT", "GBP", "2023-04-30")).toEqual({
    rate: quotient("0.8805", "1.0981"),
    date: "2023-04-28",
    source:
      "par declared in accounts.json (1 USDT = 1 USD); rates/eurofxref-hist.csv EUR/USD; rates/eurofxref-hist.csv EUR/GBP",
  });
  expect(shown(rates, "USDT", "USD", "2023-04-30")).toEqual({
    rate: "1",
    date: "",
    source: "par declared in accounts.json (1 USDT = 1 USD)",
  });
  expect(shown(rates, "USD", "USDT", "1999-01-01").rate).toBe("1");
});

describe("missing rates", () => {
  const missing = (from: string, to: string, ...days: string[]) => days.map((day) => ({ from, to, day }));
  const FOLDER = "./ex";

  test("for one day: the message tells which, where it was searched, and what to add", () => {
    const rates = createRates([fixture("eurofxref-hist.csv"), fixture("results.csv")], { USDC: "USD" });
    expect(rates.find("USDT", "GBP", "2023-05-02")).toBeNull();
    expect(rates.missing(missing("USDT", "GBP", "2023-05-02"), FOLDER)).toMatchObject({
      kind: "usage",
      message:
        "there is no rate from USDT to GBP on 2023-05-02: searched rates/eurofxref-hist.csv (European Central Bank, euro reference rates, 2023-04-27 to 2023-05-02), " +
        "rates/results.csv (Bank of England, daily spot rates, 2026-03-17 to 2026-03-20) and the pars 1 USDC = 1 USD (a daily rate is used for up to 7 days after its date, the rate of a period within the period)",
      hint: 'put a file that has it into the folder ./ex/rates/ (a file of a central bank or tax office, or a CSV file with the headings date,base,quote,rate,source and the line 2023-05-02,USDT,GBP,RATE,"source of the rate"); if 1 USDT is worth 1 USD to you, write {"par": {"USDT": "USD"}} into ./ex/accounts.json',
    });
    expect(createRates([], {}).missing(missing("USDT", "GBP", "2025-03-01"), FOLDER).message).toBe(
      "there is no rate from USDT to GBP on 2025-03-01: there is no rate file in ./ex/rates/",
    );
  });

  const dayOf = (at: number) => new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10);
  const year = Array.from({ length: 365 }, (_, at) => dayOf(at));
  const message = (files: RateFile[], ...all: ReturnType<typeof missing>) =>
    createRates(files, {}).missing(all, FOLDER).message.split(": ")[0];

  test("for many days have their number, the first and the last", () => {
    const traded = year.filter((day) => day !== "2025-03-08" && day !== "2025-03-09");
    expect(message([], ...missing("USDT", "EUR", ...traded.toReversed()))).toBe(
      "there is no rate from USDT to EUR on 363 days, 2025-01-01 to 2025-12-31",
    );
    expect(
      message([], ...missing("USDT", "EUR", "2025-03-02"), ...missing("USD", "EUR", "2025-03-02", "2025-03-01")),
    ).toBe("there is no rate from USD to EUR on 2 days, 2025-03-01 to 2025-03-02; from USDT to EUR on 2025-03-02");
  });

  test("of many pairs are those of the first five", () => {
    const many = "ABCDEFG".split("").flatMap((name) => missing(`${name}X`, "EUR", "2025-01-01"));
    expect(message([], ...many)).toMatch(/; from EX to EUR on 2025-01-01 and 2 more$/);
  });

  test("a currency with a hostile name is just missing", () => {
    const rates = createRates([fixture("eurofxref-hist.csv")], {});
    for (const name of ["", "constructor", "__proto__", "EUR\nUSD", "usd"]) {
      expect(rates.find(name, "EUR", "2023-05-02")).toBeNull();
    }
  });
});

describe("of several files", () => {
  const DAYS = ["2025-02-28,USD,EUR,1,x", "2025-03-03,USD,EUR,2,x", "2025-03-05,USD,EUR,3,x", "2025-03-06,USD,EUR,4,x"];

  test("the first keeps its weekends, and after its last day the one that has it, or that ends last, is used", () => {
    const bank = recogniseRates("z.csv", Buffer.from("date,FXUSDEUR\n2025-03-01,7\n2025-03-07,8\n"));
    const found = (...days: string[]) =>
      days.map((day) => {
        const rates = createRates([own("a.csv", ...DAYS), bank], {});
        return `${rates.find("USD", "EUR", day)?.rate}${rates.notes().length === 0 ? "" : `: ${rates.notes()}`}`;
      });
    expect(found("2025-03-01", "2025-03-06")).toEqual(["1", "4"]);
    expect(found("2025-03-07")).toEqual([
      "8: a.csv has no rate between EUR and USD on 2025-03-07, so that of z.csv is used",
    ]);
    expect(found("2025-03-08")).toEqual([
      "8: a.csv has no rate between EUR and USD on 2025-03-08, so that of z.csv is used",
    ]);
  });
});

const HMRC = Buffer.from(bytesOf("monthly_csv_2026-8.csv")).toString();
const ECB = Buffer.from(bytesOf("eurofxref-hist.csv")).toString();
const changed = (text: string, from: string, to: string) =>
  recogniseRates("x.csv", Buffer.from(text.replace(from, to)));
const USD = "2025-03-08,USD,EUR,0.9,x";
const EUR = "2025-03-08,EUR,USD,1.25,y";
const NAMED = "accounts.json declares USDT and USD at par, but rates/own.csv also has rates for them (USDT/USD)";

test.each<[what: string, files: readonly RateFile[], pars: Pars, message: string]>([
  ["a file and a par", [fixture("own.csv")], { USDT: "USD" }, NAMED],
  ["a file and a par the other way", [fixture("own.csv")], { USD: "USDT" }, NAMED],
  [
    "two files of one form",
    [fixture("eurofxref-hist.csv"), changed(ECB, "1.0981", "1.0982")],
    {},
    "EUR/USD for 2023-04-28 has two rates: rates/eurofxref-hist.csv, line 3, and x.csv, line 3",
  ],
  [
    "two lines of a period",
    [changed(HMRC, "Dubai,Dirham,AED,4.9091", "Dubai,Dirham,AED,4.9092")],
    {},
    "GBP/AED for 2026-08-01 to 2026-08-31 has two rates: x.csv, line 2, and x.csv, line 5",
  ],
  [
    "one pair in both directions",
    [own("a.csv", USD, EUR)],
    {},
    "EUR/USD for 2025-03-08 has two rates: a.csv, line 2, and a.csv, line 3",
  ],
  [
    "one pair in both directions in two files",
    [own("a.csv", USD), own("b.csv", EUR)],
    {},
    "EUR/USD for 2025-03-08 has two rates: a.csv, line 2, and b.csv, line 2",
  ],
])("contradictory rates are refused: %s", (_, files, pars, message) => {
  expect(refusal(() => createRates(files, pars)).message).toBe(message);
});

test.each<[what: string, files: readonly RateFile[], day: string, rate: string]>([
  ["in two files", [fixture("eurofxref-hist.csv"), changed(ECB, "1.0981", "1.09810")], "2023-04-28", "1.0981"],
  ["in both directions, as 1 ÷ 0.8 is 1.25", [own("a.csv", EUR, USD.replace("0.9", "0.8"))], "2025-03-08", "1.25"],
  ["of two sources", [own("a.csv", EUR, EUR.replace("1.25,y", "1.250,z"))], "2025-03-08", "1.25"],
])("the same rate may be there twice: %s", (_, files, day, rate) => {
  expect(shown(createRates(files, {}), "EUR", "USD", day).rate).toBe(rate);
});

test("of a pair in both directions, the rate of the day is used, not an older one of the other direction", () => {
  const rates = createRates([own("a.csv", "2025-03-03,EUR,USD,1.25,x", "2025-03-08,USD,EUR,0.9,y")], {});
  expect(shown(rates, "USD", "EUR", "2025-03-08").rate).toBe("0.9");
  expect(shown(rates, "USD", "EUR", "2025-03-07").rate).toBe("0.8");
});

const average = (name: string) => recogniseRates(`rates/${name}`, bytesOf("average_csv_2025-12.csv"));

describe("what is to note of the sources of rates", () => {
  const ask = (rates: ReturnType<typeof createRates>, ...days: readonly string[]) => {
    for (const day of days) {
      rates.find("GBP", "USD", day);
      rates.find("USD", "GBP", day);
    }
    return rates.notes();
  };
  const daily = own("rates/own.csv", "2025-04-05,GBP,USD,1.3,x", "2025-04-06,GBP,USD,1.3,x");

  test("nothing, if one source has all days", () => {
    const rates = createRates([average("average_csv_2025-3.csv"), average("average_csv_2026-3.csv"), daily], {});
    expect(ask(rates, "2025-04-05", "2025-04-06")).toEqual([]);
  });

  const WAYS = (pair: string, ...ways: readonly string[]) => [
    `amounts are converted between ${pair} in more than one way: ${ways.join("; ")}`,
  ];

  test("that another source has a day that the first one lacks", () => {
    const rates = createRates([average("average_csv_2025-3.csv"), daily], {});
    expect(ask(rates, "2025-04-05", "2025-04-06", "2025-04-07")).toEqual([
      "rates/average_csv_2025-3.csv has no rate between GBP and USD on 2025-04-06, 2025-04-07, so that of rates/own.csv is used",
      ...WAYS(
        "GBP and USD",
        "HM Revenue & Customs, average or spot rates, of a year from 04-06 (1 day)",
        "the user's own rates, of a day (2 days)",
      ),
    ]);
  });

  test("that it is converted over another currency on a day that a direct source lacks", () => {
    const direct = own("a.csv", "2025-04-05,GBP,USD,1.3,x");
    const over = own("b.csv", "2025-04-05,EUR,GBP,0.8,x", "2025-04,EUR,USD,1.1,x", "2025-04,EUR,GBP,0.8,x");
    expect(ask(createRates([direct, over], {}), "2025-04-05", "2025-04-13")[0]).toBe(
      "a.csv has no rate between GBP and USD on 2025-04-13, so those over EUR of b.csv are used",
    );
  });

  test("the first three of many such days", () => {
    const days = ["01", "02", "03", "04", "05"].map((day) => `2025-06-${day}`);
    const rates = createRates([average("average_csv_2025-3.csv"), own("z.csv", "2025-06,GBP,USD,1.3,x")], {});
    expect(ask(rates, ...days)).toEqual([
      "rates/average_csv_2025-3.csv has no rate between GBP and USD on 2025-06-01, 2025-06-02, 2025-06-03 and 2 more, so that of z.csv is used",
    ]);
  });

  test("that one tax year has the averages of two years that overlap", () => {
    const rates = createRates([average("average_csv_2024-12.csv"), average("average_csv_2025-3.csv")], {});
    const HMRC = "HM Revenue & Customs, average or spot rates, of a year from";
    expect(ask(rates, "2024-04-06", "2025-01-02")).toEqual(
      WAYS("GBP and USD", `${HMRC} 01-01 (1 day)`, `${HMRC} 04-06 (1 day)`),
    );
  });

  test("that amounts are converted directly on some days, and over another currency or a par on others", () => {
    const all = own("own.csv", "2025-04-05,USDT,GBP,0.9,x", "2025-04,USD,GBP,0.7,x", "2025-04,USDT,USD,1,x");
    const rates = createRates([all], {});
    const days = ["2025-04-04", "2025-04-05", "2025-04-20"];
    expect(days.map((day) => rates.find("USDT", "GBP", day)?.rate)).toEqual(["0.7", "0.9", "0.7"]);
    const OWN = "the user's own rates, of a";
    const LACKS = "own.csv has no rate between GBP and USDT on 2025-04-04, 2025-04-20, so those over USD of own.csv";
    expect(rates.notes()).toEqual([
      `${LACKS} are used`,
      ...WAYS("GBP and USDT", `${OWN} day (1 day)`, `${OWN} month, over USD (2 days)`),
    ]);
    const direct = own("own.csv", "2025-04-05,USDT,GBP,0.9,x", "2025-04,USD,GBP,0.7,x");
    const withPar = createRates([direct], { USDT: "USD" });
    expect(days.map((day) => withPar.find("USDT", "GBP", day) !== null)).toEqual([true, true, true]);
    expect(withPar.notes()).toEqual([
      `${LACKS}, par declared in accounts.json are used`,
      ...WAYS("GBP and USDT", `${OWN} day (1 day)`, `${OWN} month and a declared par, over USD (2 days)`),
    ]);
  });
});
