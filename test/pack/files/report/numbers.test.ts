import { fc, test } from "@fast-check/vitest";
import { Decimal } from "decimal.js";
import { describe, expect } from "vitest";
import { formatAmount } from "../../../../lambda/accounting/amount.ts";
import { scaleOf } from "../../../../lambda/pack/files/report/charts/scale.ts";
import { basisPoints, compact, glance, money, result } from "../../../../lambda/pack/files/report/numbers.ts";

const Exact = Decimal.clone({ precision: 200, toExpNeg: -1000, toExpPos: 1000 });

/** Of every size, with few digits and with many. */
const amount = fc.oneof(
  fc.bigInt(-(10n ** 50n), 10n ** 50n),
  fc.bigInt(-999_999n, 999_999n).map((units) => units * 10n ** 34n),
  fc.bigInt(-99n, 99n).chain((units) => fc.nat(48).map((zeros) => units * 10n ** BigInt(zeros))),
);

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
    expect(read(compact(formatAmount(value))).equals(formatAmount(value))).toBe(true);
  });

  test.prop([amount])("a label beside a mark is its value cut to a few digits, with its sign", (value) => {
    const text = glance(formatAmount(value));
    const [shown, exact] = [read(text), new Exact(formatAmount(value))];
    expect(text.startsWith("+")).toBe(value > 0n);
    expect(shown.isNegative() && !shown.isZero()).toBe(value < 0n);
    expect(shown.abs().lessThanOrEqualTo(exact.abs())).toBe(true);
    expect(exact.minus(shown).abs().lessThanOrEqualTo(exact.abs().times("0.1"))).toBe(true);
  });

  test.prop([amount])("a result has a sign where it is not zero, and what it costs has none above it", (value) => {
    const [signed, plain] = [result(value), money(value)].map(
      ({ markup }) => />(?<text>[^<]+)</.exec(markup)?.groups?.["text"] ?? "",
    );
    expect(signed?.replace("+", "")).toBe(plain);
    expect(signed?.startsWith("+")).toBe(value > 0n);
    expect(plain?.startsWith("−")).toBe(value < 0n);
    const cut = new Exact(formatAmount(value)).toDecimalPlaces(2, Decimal.ROUND_DOWN);
    const isShownWhole = read(plain ?? "").equals(cut);
    expect(isShownWhole || cut.isZero()).toBe(true);
  });

  test.prop([amount, fc.bigInt(1n, 10n ** 50n)])("basis points are rounded half to even", (fees, volume) => {
    const expected = new Exact(fees.toString())
      .times(10_000)
      .div(volume.toString())
      .toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN);
    expect(read(basisPoints(fees, volume).markup).equals(expected)).toBe(true);
  });
});

describe("the axis of a drawing", () => {
  test.prop([fc.array(fc.bigInt(-(10n ** 40n), 10n ** 40n), { maxLength: 20 }), fc.integer({ min: 1, max: 9 })])(
    "holds zero and all values, in order, with a few round ticks",
    (values, ticks) => {
      const scale = scaleOf(values, 200, 20, ticks);
      const places = values.toSorted((a, b) => (a < b ? -1 : 1)).map(scale.place);
      expect(places).toEqual(places.toSorted((a, b) => b - a));
      expect([...places, scale.place(0n)].every((place) => place >= 20 && place <= 200)).toBe(true);
      expect(scale.ticks).toContain(0n);
      expect(scale.ticks.length).toBeLessThanOrEqual(ticks + 2);
      expect(scale.ticks.every((tick) => /^-?[125]?\d?0*$|^-?\d+$/.test(tick.toString()))).toBe(true);
      expect(scale.ticks.map(scale.place).every((place) => place >= 20 && place <= 200)).toBe(true);
    },
  );
});
