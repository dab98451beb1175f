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

  test("a spot rate holds only for its day: it does not continue into the new year", () => {
    const rates = createRates([fixture("spot_csv_2025-12.csv")], {});
    expect(shown(rates, "GBP", "USD", "2025-12-31")).toMatchObject({ rate: "1.3454" });
    expect(rates.find("GBP", "USD", "2026-01-01")).toBeNull();
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

describe("contradictory rates", () => {
  test("a par and a file", () => {
    for (const pars of [{ USDT: "USD" }, { USD: "USDT" }] as Pars[]) {
      expect(refusal(() => createRates([fixture("own.csv")], pars)).message).toBe(
        "accounts.json declares USDT and USD at par, but rates/own.csv also has rates for them (USDT/USD)",
      );
    }
  });

  test("two files of one form", () => {
    const text = Buffer.from(bytesOf("eurofxref-hist.csv")).toString();
    const other = (name: string, from: string, to: string) => recogniseRates(name, Buffer.from(text.replace(from, to)));
    const ecb = fixture("eurofxref-hist.csv");
    expect(refusal(() => createRates([ecb, other("x.csv", "1.0981", "1.0982")], {})).message).toBe(
      "EUR/USD for 2023-04-28 has two rates: rates/eurofxref-hist.csv, line 3, and x.csv, line 3",
    );
    expect(shown(createRates([ecb, other("x.csv", "1.0981", "1.09810")], {}), "EUR", "USD", "2023-04-28").rate).toBe(
      "1.0981",
    );
  });

  test("one pair in both directions, in one file or in two", () => {
    const [one, other] = ["2025-03-08,USD,EUR,0.9,x", "2025-03-08,EUR,USD,1.25,y"];
    expect(refusal(() => createRates([own("a.csv", one, other)], {})).message).toBe(
      "EUR/USD for 2025-03-08 has two rates: a.csv, line 2, and a.csv, line 3",
    );
    expect(refusal(() => createRates([own("a.csv", one), own("b.csv", other)], {})).message).toBe(
      "EUR/USD for 2025-03-08 has two rates: a.csv, line 2, and b.csv, line 2",
    );
    // 1 ÷ 0.8 is exactly 1.25.
    const same = createRates([own("a.csv", "2025-03-08,USD,EUR,0.8,x", other)], {});
    expect(shown(same, "USD", "EUR", "2025-03-08").rate).toBe("0.8");
  });
});

test("of a pair in both directions, the rate of the day is used, not an older one of the other direction", () => {
  const rates = createRates([own("a.csv", "2025-03-03,EUR,USD,1.25,x", "2025-03-08,USD,EUR,0.9,y")], {});
  expect(shown(rates, "USD", "EUR", "2025-03-08").rate).toBe("0.9");
  expect(shown(rates, "USD", "EUR", "2025-03-07").rate).toBe("0.8");
});
