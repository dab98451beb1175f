import { Decimal } from "decimal.js";
import { describe, expect, test } from "vitest";
import { formatRate } from "../../../lambda/accounting/rates/fraction.ts";
import type { Pars } from "../../../lambda/accounting/rates/rate-file.ts";
import { createRates, type Rates } from "../../../lambda/accounting/rates/rates.ts";
import { recogniseRates } from "../../../lambda/accounting/rates/recognise.ts";
import { refusal } from "../../inputs/make.ts";
import { bytesOf, fixture, own } from "./make.ts";

const Printed = Decimal.clone({ precision: 18, rounding: Decimal.ROUND_HALF_EVEN, toExpNeg: -1000, toExpPos: 1000 });
const quotient = (a: string, b: string) => new Printed(a).div(b).toFixed();

function shown(rates: Rates, from: string, to: string, day: string) {
  const found = rates.find(from, to, day);
  return { rate: found && formatRate(found.rate), date: found?.date, source: found?.source };
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

describe("a conversion through other currencies", () => {
  test("USDT to GBP through USD and EUR: a declared par, and the ECB's file", () => {
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
});

describe("missing rates", () => {
  const missing = (from: string, to: string, ...days: string[]) => days.map((day) => ({ from, to, day }));

  test("for one day: the message tells which, where it was searched, and what to add", () => {
    const rates = createRates([fixture("eurofxref-hist.csv"), fixture("results.csv")], { USDC: "USD" });
    expect(rates.find("USDT", "GBP", "2023-05-02")).toBeNull();
    expect(rates.missing(missing("USDT", "GBP", "2023-05-02"))).toMatchObject({
      kind: "usage",
      message:
        "no rate from USDT to GBP for 2023-05-02: looked at rates/eurofxref-hist.csv (European Central Bank, euro reference rates, 2023-04-27 to 2023-05-02), " +
        "rates/results.csv (Bank of England, daily spot rates, 2026-03-17 to 2026-03-20) and the pars 1 USDC = 1 USD; none of them has USDT",
      hint: expect.stringContaining('2023-05-02,USDT,GBP,RATE,"where it is from"'),
    });
    expect(rates.find("USD", "CHF", "2024-01-01")).toBeNull();
    expect(rates.missing(missing("USD", "CHF", "2024-01-01")).message).toMatch(
      /they have both currencies, but no way between them for that day \(a day's rate counts for the 7 days after it, one of a period within it\)$/,
    );
    expect(createRates([], {}).missing(missing("USDT", "GBP", "2025-03-01")).message).toBe(
      "no rate from USDT to GBP for 2025-03-01: no rate file was given",
    );
  });

  test("for many days are listed at once, the first 20 by currency and day", () => {
    const rates = createRates([], {});
    const days = Array.from({ length: 25 }, (_, at) => `2025-01-${String(at + 1).padStart(2, "0")}`);
    const message = (...all: ReturnType<typeof missing>) => rates.missing(all).message;
    expect(message(...missing("USDT", "EUR", "2025-03-02"), ...missing("USD", "EUR", "2025-03-02", "2025-03-01"))).toBe(
      "3 rates are missing: from USD to EUR for 2025-03-01, 2025-03-02; from USDT to EUR for 2025-03-02: no rate file was given",
    );
    expect(message(...missing("USD", "EUR", ...days))).toBe(
      `25 rates are missing: from USD to EUR for ${days.slice(0, 20).join(", ")}; and 5 others: no rate file was given`,
    );
  });

  test("a currency in no file, and days in no file, get different messages", () => {
    const rates = createRates([fixture("eurofxref-hist.csv")], {});
    expect(
      rates.missing([...missing("USDT", "EUR", "2023-05-02"), ...missing("USD", "EUR", "2024-01-01")]).message,
    ).toMatch(/; none of them has USDT; they have the others, but no way between them for these days \(/);
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
        "accounts.json declares USDT and USD at par, and rates/own.csv has rates for them (USDT/USD)",
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
    expect(refusal(() => createRates([ecb, ecb], {})).message).toBe(
      "two rate files have the name rates/eurofxref-hist.csv",
    );
  });
});
