import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { localTime } from "../../../lambda/core/period.ts";
import type { Books } from "../../accounting/make.ts";
import { exactly, unitsText } from "../../support/amounts.ts";
import { drawnBooks } from "./draw.ts";
import { importsOf, isReceived, movementsOf } from "./files.ts";
import { READERS, type ReadRow, readImport } from "./readers.ts";
import { wordOf } from "./words.ts";

type Summed = Pick<ReadRow, "time" | "label" | "received" | "amount" | "currency">;

/** Sums by local day, the tool's word, direction and currency. */
function sumsOf(rows: readonly Summed[], zone: string): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const { time, label, received, amount, currency } of rows) {
    const key = `${localTime(time, zone).slice(0, 10)} ${label} ${received ? "in" : "out"} ${currency}`;
    sums[key] = (sums[key] ?? 0n) + amount;
  }
  return sums;
}

describe.each(READERS)("$file, read by the tool's own rules", (reader) => {
  const { file, resolution } = reader;
  const read = (drawn: Books) => readImport(reader, importsOf(drawn).texts.get(file) ?? "");

  test.prop([drawnBooks()])("adds up to the movements of cash of each day, each with its word", (drawn) => {
    const expected = movementsOf(drawn).map(
      ({ kind, ...rest }): Summed => ({
        ...rest,
        label: wordOf(file, kind, rest.currency),
        received: isReceived(kind),
      }),
    );
    const { zone } = drawn.context.period;
    expect(sumsOf(read(drawn), zone)).toEqual(sumsOf(expected, zone));
  });

  test.prop([drawnBooks()])("reports the sums of its rows", (drawn) => {
    const { totals, texts, rows } = importsOf(drawn);
    const own = readImport(reader, texts.get(file) ?? "");
    const sum = (currency: string, direction: boolean) =>
      own
        .filter((row) => row.currency === currency && row.received === direction)
        .reduce((total, { amount }) => total + amount, 0n);
    const currencies = [...new Set(own.map(({ currency }) => currency))].sort();
    expect(totals.filter((one) => one.file === `imports/${file}`)).toEqual(
      currencies.map((currency) => ({
        file: `imports/${file}`,
        currency,
        in: exactly(unitsText(sum(currency, true), 36)),
        out: exactly(unitsText(sum(currency, false), 36)),
      })),
    );
    expect(rows.get(file)).toBe(own.length);
  });

  test.prop([drawnBooks()])("has no two rows that the tool could treat as one, and at most four of a day", (drawn) => {
    const rows = read(drawn);
    const twins = rows.flatMap(({ twin }) => twin ?? []);
    expect(twins.length).toBe(new Set(twins).size);
    const traded = rows.filter(({ market }) => market !== null);
    const counts = Map.groupBy(traded, ({ time, market, currency }) => `${time} ${market} ${currency}`);
    expect([...counts.values()].filter(({ length }) => length > 4)).toEqual([]);
  });

  test.prop([drawnBooks()])("has each movement at its time, oldest first", (drawn) => {
    const times = read(drawn).map(({ time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(times)).toEqual(new Set(movementsOf(drawn).map(({ time }) => time - (time % resolution))));
  });
});

test.prop([drawnBooks(), fc.array(fc.nat(40), { maxLength: 6 })])("batches make no difference", (drawn, cuts) => {
  const borders = cuts.map((at) => Math.min(at, drawn.booked.length));
  expect(importsOf(drawn, borders)).toEqual(importsOf(drawn));
});
