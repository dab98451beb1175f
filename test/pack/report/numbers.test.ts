import { fc, test } from "@fast-check/vitest";
import { Decimal } from "decimal.js";
import { describe, expect } from "vitest";
import { ZERO } from "../../../lambda/core/amount.ts";
import { scaleOf } from "../../../lambda/pack/report/charts/drawing.ts";
import { compact, glance, money, result } from "../../../lambda/pack/report/numbers.ts";
import { exactly, unitsText } from "../../support/amounts.ts";

const Exact = Decimal.clone({ precision: 200, toExpNeg: -1000, toExpPos: 1000 });

/** Amounts of every size, with few digits and with many. */
const amount = fc
  .oneof(
    fc.bigInt(-(10n ** 50n), 10n ** 50n),
    fc.bigInt(-999_999n, 999_999n).map((units) => units * 10n ** 34n),
    fc.bigInt(-99n, 99n).chain((units) => fc.nat(48).map((zeros) => units * 10n ** BigInt(zeros))),
  )
  .map((units) => exactly(unitsText(units, 36)));

const SUFFIXES: Readonly<Record<string, string>> = { k: "e3", M: "e6", bn: "e9" };

function read(text: string): Decimal {
  const {
    sign,
    digits = "",
    suffix = "",
  } = /^(?<sign>[+−]?)(?<digits>[\d,]+(?:\.\d+)?)(?<suffix>k|M|bn)?$/.exec(text)?.groups ?? {};
  return new Exact(`${sign === "−" ? "-" : ""}${digits.replaceAll(",", "")}${SUFFIXES[suffix] ?? ""}`);
}

describe("numbers for people", () => {
  test.prop([amount])("a tick of an axis is exact", (value) => {
    expect(read(compact(String(value))).equals(String(value))).toBe(true);
  });

  test.prop([amount])(
    "a label beside a mark is its value rounded half even to three digits, with its sign",
    (value) => {
      const text = glance(value);
      const rounded = new Exact(String(value)).toSignificantDigits(3, Decimal.ROUND_HALF_EVEN);
      expect(read(text).equals(rounded)).toBe(true);
      expect(text.startsWith("+")).toBe(value.gt(ZERO));
    },
  );

  // ISO 4217, list one: minor units of USD 2, JPY 0, KWD 3. A bitcoin has 8 digits.
  test.prop([amount, fc.constantFrom(["USD", 2], ["JPY", 0], ["KWD", 3], ["XBT", 8] as const)])(
    "amounts are whole minor units, half to even, and the element holds the exact one",
    (value, [currency, places]) => {
      const { groups = {} } =
        /<data value="(?<exact>[^"]+)"(?: title="(?<title>[^"]+)")?>(?<text>[^<]+)</.exec(
          money(value, currency).markup,
        ) ?? {};
      const exact = new Exact(String(value));
      const rounded = exact.toDecimalPlaces(places, Decimal.ROUND_HALF_EVEN);
      expect(groups["exact"]).toBe(String(value));
      expect(groups["title"]).toBe(rounded.equals(exact) ? undefined : String(value));
      expect(groups["text"]?.replaceAll(",", "").replace("−", "-")).toBe(
        rounded.toFixed(places).replace(/^-(?=[0.]*$)/, ""),
      );
    },
  );

  test.prop([amount])("PnL has a sign unless it rounds to zero, and costs have none above zero", (value) => {
    const [signed, plain] = [result(value, "USD"), money(value, "USD")].map(
      ({ markup }) => />(?<text>[^<]+)</.exec(markup)?.groups?.["text"] ?? "",
    );
    const cents = new Exact(String(value)).toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN);
    expect(signed?.replace("+", "")).toBe(plain);
    expect(signed?.startsWith("+")).toBe(cents.greaterThan(0));
    expect(plain?.startsWith("−")).toBe(cents.lessThan(0));
  });
});

describe("the axis of a drawing", () => {
  test.prop([fc.array(fc.bigInt(-(10n ** 40n), 10n ** 40n), { maxLength: 20 }), fc.integer({ min: 1, max: 9 })])(
    "includes zero and all values, in order, with a few round ticks",
    (units, ticks) => {
      const values = units.map((one) => exactly(unitsText(one, 36)));
      const scale = scaleOf(values, 200, 20, ticks);
      const places = values.toSorted((a, b) => a.cmp(b)).map(scale.place);
      expect(places).toEqual(places.toSorted((a, b) => b - a));
      expect([...places, scale.place(ZERO)].every((place) => place >= 20 && place <= 200)).toBe(true);
      expect(scale.ticks).toContainEqual(ZERO);
      expect(scale.ticks.length).toBeLessThanOrEqual(ticks + 2);
      expect(scale.ticks.every((tick) => /^-?(?:0\.0*)?\d+(?:\.\d+)?$/.test(tick.toString()))).toBe(true);
      expect(scale.ticks.map(scale.place).every((place) => place >= 20 && place <= 200)).toBe(true);
    },
  );
});
