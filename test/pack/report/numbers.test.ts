import { fc, test } from "@fast-check/vitest";
import { Decimal } from "decimal.js";
import { expect } from "vitest";
import { barChart } from "../../../lambda/pack/report/chart.ts";
import { money, result } from "../../../lambda/pack/report/numbers.ts";
import { exactly, unitsText } from "../../support/amounts.ts";
import { Exact } from "../sums.ts";

/** Amounts of every size, with few digits and with many. */
const amount = fc
  .oneof(
    fc.bigInt(-(10n ** 50n), 10n ** 50n),
    fc.bigInt(-999_999n, 999_999n).map((units) => units * 10n ** 34n),
    fc.bigInt(-99n, 99n).chain((units) => fc.nat(48).map((zeros) => units * 10n ** BigInt(zeros))),
  )
  .map((units) => exactly(unitsText(units, 36)));

test.prop([amount])("PnL has a sign unless it rounds to zero, and costs have none above zero", (value) => {
  const [signed, plain] = [result(value, "USD"), money(value, "USD")].map(
    ({ markup }) => />(?<text>[^<]+)</.exec(markup)?.groups?.["text"] ?? "",
  );
  const cents = new Exact(String(value)).toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN);
  expect(signed?.replace("+", "")).toBe(plain);
  expect(signed?.startsWith("+")).toBe(cents.greaterThan(0));
  expect(plain?.startsWith("−")).toBe(cents.lessThan(0));
});

test.prop([fc.array(amount, { minLength: 1, maxLength: 80 })])(
  "bars lie within the plot, each from zero to its value",
  (values) => {
    const bars = values.map((value) => ({ label: "2025-01", value }));
    const { markup } = barChart({ id: "a", title: "b", description: "c", currency: "USD", bars });
    const zero = Number(/class="zero" d="M0 (?<y>[\d.]+)H/.exec(markup)?.groups?.["y"]);
    const drawn = [
      ...markup.matchAll(/<rect class="(?<fill>[^"]+)" .*? y="(?<y>[^"]+)" width="[^"]+" height="(?<height>[^"]+)"/g),
    ];
    const ends = drawn.map(({ groups: { fill, y, height } = {} }) => {
      const [top, bottom] = [Number(y), Number(y) + Number(height)];
      expect(Math.abs((fill === "fill-blue" ? bottom : top) - zero)).toBeLessThan(0.7);
      return fill === "fill-blue" ? top : bottom;
    });
    const known = values.filter((value) => !value.isZero());
    expect(ends.length).toBe(known.length);
    expect(ends.every((end) => end >= 24 && end <= 160.5)).toBe(true);
    const order = known.map((value, at) => ({ value, end: ends[at] ?? 0 })).sort((a, b) => b.value.cmp(a.value));
    expect(order.every(({ end }, at) => at === 0 || end >= (order[at - 1]?.end ?? 0) - 0.6)).toBe(true);
  },
);
