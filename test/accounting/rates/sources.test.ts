import { describe, expect, test } from "vitest";
import { createRates } from "../../../lambda/accounting/rates/rates.ts";
import { recogniseRates } from "../../../lambda/accounting/rates/recognise.ts";
import { bytesOf, own } from "./make.ts";

const average = (name: string) => recogniseRates(`rates/${name}`, bytesOf("average_csv_2025-12.csv"));

/*
 * HMRC publishes averages for the years to 31 March and to 31 December. For the tax year 2022-23, which ends on
 * 5 April, it accepts that of the year to 31 March 2023: HMRC Admin, 24 May 2023, "You can use either of the
 * yearly rates mentioned in your original questions for the 22/23 tax year"
 * (community.hmrc.gov.uk/customerforums/pt/7108e31a-25f3-ed11-913b-00155d9c6b71). The tax year is 6 April to
 * 5 April: Income Tax Act 2007, s. 4(4).
 */
describe("HMRC's average of the year to 31 March", () => {
  const year = createRates([average("average_csv_2025-3.csv")], {});
  const both = createRates([average("average_csv_2025-3.csv"), average("average_csv_2026-3.csv")], {});

  test.each(["2024-04-06", "2025-03-31", "2025-04-01", "2025-04-05"])("is used on %s, in the tax year", (day) => {
    for (const rates of [year, both]) {
      const found = rates.find("GBP", "USD", day);
      expect(found?.source).toBe("rates/average_csv_2025-3.csv GBP/USD");
      expect(found?.rate).toBe("1.3156");
    }
  });

  test("is not used in the tax years beside it", () => {
    expect([year.find("GBP", "USD", "2024-04-05"), year.find("GBP", "USD", "2025-04-06")]).toEqual([null, null]);
    expect(both.find("GBP", "USD", "2025-04-06")?.source).toBe("rates/average_csv_2026-3.csv GBP/USD");
  });
});

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
    expect(rates.notes()).toEqual(WAYS("GBP and USDT", `${OWN} day (1 day)`, `${OWN} month, over USD (2 days)`));
    const direct = own("own.csv", "2025-04-05,USDT,GBP,0.9,x", "2025-04,USD,GBP,0.7,x");
    const withPar = createRates([direct], { USDT: "USD" });
    expect(days.map((day) => withPar.find("USDT", "GBP", day) !== null)).toEqual([true, true, true]);
    expect(withPar.notes()).toEqual(
      WAYS("GBP and USDT", `${OWN} day (1 day)`, `${OWN} month and a declared par, over USD (2 days)`),
    );
  });
});
