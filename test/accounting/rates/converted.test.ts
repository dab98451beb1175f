import { describe, expect, test } from "vitest";
import type { Funding } from "../../../lambda/accounting/booked.ts";
import type { Cell } from "../../../lambda/accounting/cube/cell.ts";
import { projected } from "../../../lambda/accounting/cube/project.ts";
import { createConverter } from "../../../lambda/accounting/rates/converter.ts";
import { createRates } from "../../../lambda/accounting/rates/rates.ts";
import { ZERO } from "../../../lambda/core/amount.ts";
import type { Fill } from "../../../lambda/core/fill.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { exactly } from "../../support/amounts.ts";
import { booksOf, fillsFrom, inCurrency, sumsOf } from "../make.ts";
import { own } from "./make.ts";

const PERIOD = parsePeriod("calendar-2025", "Europe/London");
const RATES = createRates(
  [
    own("usd.csv", "2025-01,USD,GBP,0.81,HMRC", "2025-02,USD,GBP,0.8,HMRC"),
    own("usdt.csv", "2025,USDT,USD,0.999,mean"),
  ],
  {},
);
const isConverted = ({ closes, charged, payments }: Cell) => closes + charged + payments > 0;

/** The converted amounts of the months. */
function convertedIn(fills: readonly Fill[], funding: readonly Funding[] | null) {
  const books = booksOf(fills, { period: PERIOD, funding });
  const converter = createConverter({ rates: RATES, to: "GBP", zone: PERIOD.zone });
  const { cells, rates, currency } = sumsOf(inCurrency(books, converter));
  const months = projected(cells, ["month", "currency"])
    .filter(isConverted)
    .map(({ month, currency: own, converted }) => {
      const { gross = ZERO, fees = ZERO, feesPaid = ZERO, rebates = ZERO, funding: paid = ZERO } = converted ?? {};
      return { month, currency: own, gross, fees, net: gross.minus(fees), feesPaid, rebates, funding: paid };
    });
  return { currency, rates, months };
}

describe("converted sums", () => {
  test("of a month, worked by hand", () => {
    // 4 Jan: buy 2 at 100, fee 0.3. 31 Jan 23:30Z: sell 1 at 110, fee 0.11. 1 Feb 00:30Z: sell 1 at 90, a
    // rebate of 0.05.
    const fills = [
      ...fillsFrom("B2@100/0.3", { market: "BTC-USD", from: Date.UTC(2025, 0, 4) }),
      ...fillsFrom("S1@110/0.11 S1@90/-0.05", { market: "BTC-USD", from: Date.UTC(2025, 0, 31, 23, 30) }),
    ];
    const funding = [{ time: Date.UTC(2025, 1, 3), market: "BTC-USD", amount: exactly("-1.5"), currency: "USD" }];
    const { currency, months, rates } = convertedIn(fills, funding);
    expect(currency).toBe("GBP");
    expect(
      months.map((month) =>
        Object.entries(month).flatMap(([name, value]) => {
          const shown = typeof value === "object" ? `${name} ${value}` : value;
          return [shown];
        }),
      ),
    ).toEqual([
      // gross 10 × 0.81; fees (0.15 + 0.11) × 0.81; paid 0.41 × 0.81
      ["2025-01", "USD", "gross 8.1", "fees 0.2106", "net 7.8894", "feesPaid 0.3321", "rebates 0", "funding 0"],
      // gross −10 × 0.8; fees (0.15 − 0.05) × 0.8; a rebate of 0.05 × 0.8; funding −1.5 × 0.8
      ["2025-02", "USD", "gross -8", "fees 0.08", "net -8.08", "feesPaid 0", "rebates -0.04", "funding -1.2"],
    ]);
    expect(rates).toEqual([
      { currency: "USD", rate: "0.81", rateDate: "2025-01-01", source: "usd.csv USD/GBP (HMRC)", lines: 3 },
      { currency: "USD", rate: "0.8", rateDate: "2025-02-01", source: "usd.csv USD/GBP (HMRC)", lines: 3 },
    ]);
  });

  test("are empty if nothing was closed or paid", () => {
    const opening = fillsFrom("B1@100", { market: "BTC-EUR", from: Date.UTC(2025, 3, 1) });
    // There is no rate for EUR, and none is needed.
    expect(convertedIn(opening, [])).toEqual({
      currency: "GBP",
      months: [],
      rates: [],
    });
  });
});
