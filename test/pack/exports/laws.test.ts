import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import { localTime } from "../../../lambda/core/period.ts";
import { plain } from "../../../lambda/pack/exports/names.ts";
import { type Books, booksOf, fillsFrom } from "../../accounting/make.ts";
import { exactly, unitsText } from "../../support/amounts.ts";
import { hostileText } from "../../support/arbitrary-fill.ts";
import { readCsv } from "../../support/rfc4180.ts";
import { drawnBooks } from "./draw.ts";
import { importsOf, isReceived, movementsOf } from "./files.ts";
import { type ReadRow, readImport } from "./readers.ts";
import { KNOWN_TOOLS, wordOf } from "./tools.ts";

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

describe.each(KNOWN_TOOLS)("$file, read by the tool's own rules", (reader) => {
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

/**
 * Characters that a reader splits at or a page runs, and invisible ones: control and format characters, lone
 * surrogates.
 */
const HARMFUL = /["',;<>|]|\p{C}/u;
const FORMULA = /^[=+\-@＝＋－＠]/u;

/** Cells with harmful text. */
function harmIn(text: string): string[] {
  const cells = readCsv(text).flat();
  return cells.filter((cell) => HARMFUL.test(cell) || FORMULA.test(cell));
}

function importsWith(market: string, ids: string, currency: string) {
  const time = Date.UTC(2025, 2, 1, 12);
  const own = { market: `${market}-${currency}`, from: time, stepMs: 1000 };
  const fills = fillsFrom("B1@100/0.1 S1@110/-0.2", own).map((fill) => ({
    ...fill,
    matchId: ids + fill.matchId,
    orderId: ids,
  }));
  const funding = [{ time, market, amount: exactly("1"), currency }];
  return importsOf(booksOf(fills, { funding }));
}

test.prop([hostileText, hostileText, hostileText])(
  "every file is harmless and can be read to its end, whatever the service sends",
  (market, ids, currency) => {
    const { texts } = importsWith(`M${market}`, ids, `C${currency}`);
    for (const reader of KNOWN_TOOLS) {
      const file = texts.get(reader.file) ?? "";
      expect(harmIn(file)).toEqual([]);
      const rows = readImport(reader, file).map(({ received, amount }) => (received ? amount : -amount));
      expect(rows.sort()).toEqual([10n ** 35n, 10n ** 36n, 10n ** 37n]);
    }
  },
);

describe("names in the files", () => {
  test.each(["BTC-USDT", "1000PEPE-USD", "币安人生-USDT", "5f7b1c1e-8a52-4a30-9a0e-0f4f0f1d2c3b", "0x9f2c", "a_b.c:d"])(
    "%s is unchanged",
    (name) => {
      expect(plain(name)).toBe(name);
    },
  );

  test("others are escaped", () => {
    expect(plain('=a,"b"')).toBe("%003Da%002C%0022b%0022");
    expect(plain("-a-b")).toBe("%002Da-b");
    expect(plain("a/b")).toBe("a%002Fb");
    expect(plain(":x")).toBe("%003Ax");
  });

  /** The inverse, as the doc comment gives it. */
  const read = (text: string) =>
    text.replaceAll(/%([0-9A-F]{4})/g, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)));

  test.prop([fc.oneof(fc.string({ unit: "binary" }), hostileText)])("no two names become one", (name) => {
    expect(read(plain(name))).toBe(name);
  });
});
