import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { createConverter } from "../../../lambda/accounting/rates/converter.ts";
import { createRates } from "../../../lambda/accounting/rates/rates.ts";
import { ZERO } from "../../../lambda/core/amount.ts";
import { exactly, rationalOf, unitsText } from "../../support/amounts.ts";
import { divide, rational, read, roundHalfEven, significantText, times } from "../rational.ts";
import { fixture, own } from "./make.ts";

const DAILY = createRates(
  [own("own.csv", "2025-03-29,USD,GBP,0.77,a", "2025-03-30,USD,GBP,0.78,b", "2025-03-31,USD,GBP,0.79,c")],
  {},
);

const amounts = fc.bigInt(-(10n ** 56n), 10n ** 56n).map((units) => unitsText(units, 36));
const values = fc
  .oneof(
    fc.bigInt(1n, 10n ** 38n - 1n),
    fc.bigInt(1n, 10n ** 20n),
    fc.bigInt(1n, 99n).map((one) => one * 10n ** 18n),
  )
  .map((units) => unitsText(units));

describe("a converter", () => {
  test("gives the amount, the rate, its date and its source", () => {
    const converter = createConverter({
      rates: createRates([fixture("eurofxref-hist.csv")], {}),
      to: "EUR",
      zone: "UTC",
    });
    const { amount: converted, ...rest } = converter.convert(exactly("-1096.5"), "USD", Date.UTC(2023, 4, 2, 12));
    expect(String(converted)).toBe("-1000"); // 1 EUR = 1.0965 USD
    expect(rest).toEqual({
      rate: "0.911992704058367533",
      rateDate: "2023-05-02",
      source: "rates/eurofxref-hist.csv EUR/USD",
    });
  });

  // 30 March 2025 began at 00:00Z in London, and the clocks went forward at 01:00Z, so the 31st began at
  // 23:00Z.
  test.each([
    ["Europe/London", "2025-03-29T23:59:59.999Z", "0.77"],
    ["Europe/London", "2025-03-30T22:59:59.999Z", "0.78"],
    ["Europe/London", "2025-03-30T23:00:00.000Z", "0.79"],
    ["UTC", "2025-03-30T23:00:00.000Z", "0.78"],
    ["America/New_York", "2025-03-31T03:59:59.999Z", "0.78"],
  ])("takes the rate of the local day: in %s at %s it is %s", (zone, time, rate) => {
    const converter = createConverter({ rates: DAILY, to: "GBP", zone });
    expect(converter.convert(exactly("1"), "USD", Date.parse(time)).rate).toBe(rate);
  });

  test("keeps an amount that is already in the currency, rounded to eight digits", () => {
    const converter = createConverter({ rates: createRates([], {}), to: "USD", zone: "UTC" });
    const { amount: converted, ...rest } = converter.convert(exactly("0.123456785"), "USD", 0);
    expect(String(converted)).toBe("0.12345678"); // half to even
    expect(rest).toEqual({ rate: "1", rateDate: "", source: "same currency" });
  });

  test.prop([amounts, fc.array(fc.tuple(values, fc.boolean()), { minLength: 1, maxLength: 3 })], { numRuns: 300 })(
    "rounds once, half even: the amount to 8 places, and the rate that it prints to 18 digits",
    (amount, steps) => {
      const stops = ["USD", "AAA", "BBB"].slice(0, steps.length);
      const lines = steps.map(([value, isForward], at) => {
        const [from, to] = [stops[at], stops[at + 1] ?? "GBP"];
        return `2025,${isForward ? `${from},${to}` : `${to},${from}`},${value},source`;
      });
      const exact = steps.reduce(
        (rate, [value, isForward]) => (isForward ? times(rate, read(value)) : divide(rate, read(value))),
        rational(1n),
      );
      const converter = createConverter({ rates: createRates([own("own.csv", ...lines)], {}), to: "GBP", zone: "UTC" });
      const converted = converter.convert(exactly(amount), "USD", Date.UTC(2025, 2, 1));
      expect(rationalOf(converted.amount)).toEqual(roundHalfEven(times(read(amount), exact), 8));
      expect(converted.rate).toBe(significantText(exact, 18));
      expect(rationalOf(converter.convertToMinor(exactly(amount), "USD", Date.UTC(2025, 2, 1)))).toEqual(
        roundHalfEven(times(read(amount), exact), 2),
      );
    },
  );

  test("lists each day without a rate once, and converts nothing on it", () => {
    const converter = createConverter({ rates: DAILY, to: "GBP", zone: "UTC" });
    const at = (day: number) => Date.UTC(2025, 4, day, 12);
    const amounts = [at(2), at(1), at(2)].map((time) => converter.convert(exactly("5"), "USD", time).amount);
    expect(converter.convert(exactly("5"), "GBP", at(3)).rate).toBe("1");
    expect(amounts).toEqual([ZERO, ZERO, ZERO]);
    expect(converter.missing).toEqual([
      { from: "USD", to: "GBP", day: "2025-05-02" },
      { from: "USD", to: "GBP", day: "2025-05-01" },
    ]);
  });

  test("can be asked whether there is a rate, without listing it as missing", () => {
    const converter = createConverter({ rates: DAILY, to: "GBP", zone: "UTC" });
    expect(converter.convertIfKnown(exactly("5"), "USD", Date.UTC(2025, 4, 2))).toBeNull();
    expect(converter.convertIfKnown(exactly("5"), "USD", Date.UTC(2025, 2, 31))?.rate).toBe("0.79");
    expect(converter.missing).toEqual([]);
  });
});
