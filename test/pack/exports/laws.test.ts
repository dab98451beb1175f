import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import type { Funding } from "../../../lambda/accounting/booked.ts";
import { METHODS } from "../../../lambda/accounting/method.ts";
import { ZERO } from "../../../lambda/core/amount.ts";
import { byTradeTime, type Fill } from "../../../lambda/core/fill.ts";
import type { Transfer } from "../../../lambda/inputs/tables.ts";
import { histories, makeFill } from "../../accounting/draw.ts";
import { type Books, type BooksOptions, booksOf } from "../../accounting/make.ts";
import { exactly, scaled, unitsText } from "../../support/amounts.ts";
import { importsOf } from "./files.ts";
import { READERS, type ReadRow, readImport } from "./readers.ts";
import { WORDS } from "./words.ts";

const FROM = Date.UTC(2025, 5, 30, 23, 59, 58, 500);
const MARKETS = ["BTC-USDT", "ETH-USDT", "1000PEPE-USD"];

/** Many fills in a second with few different amounts, and some with unknown PnL. */
const crowded: fc.Arbitrary<readonly Fill[]> = fc
  .array(
    fc.record({
      market: fc.constantFrom(...MARKETS),
      side: fc.constantFrom("buy", "sell"),
      quantity: fc.constantFrom("1", "2", "1", "2", "1", "2", "1", "2", "0.5", null),
      price: fc.constantFrom("100", "101", "99.9"),
      fee: fc.constantFrom("0", "0.1", "0.2", "0.4", "0.8", "-0.1", "-0.2", "1", "2", "0.000000000000000001"),
      wait: fc.constantFrom(0, 0, 0, 1, 250, 999, 1000),
      settled: fc.constantFrom(0, 0, 7),
    }),
    { maxLength: 40 },
  )
  .map((drafts) => {
    let time = FROM;
    const fills = drafts.map(({ wait, settled, quantity, ...values }, at) => {
      time += wait;
      const fill = makeFill(at + 1, { ...values, quantity: "1", time });
      // Two orders for each match, as in a self-trade, in no order.
      const ids = { matchId: `M${99 - Math.floor(at / 2)}`, orderId: `O${(at * 7) % 41}` };
      return { ...fill, ...ids, quantity, txCreated: time + settled };
    });
    return fills.toSorted(byTradeTime);
  });

const fills = fc.oneof(crowded, histories({ markets: MARKETS, most: 25, from: FROM }));

const payments: fc.Arbitrary<readonly Funding[] | null> = fc.option(
  fc
    .array(
      fc.record({
        time: fc.integer({ min: 0, max: 6 }).map((halves) => FROM + 500 * halves),
        market: fc.constantFrom(...MARKETS),
        amount: fc.constantFrom("0.1", "0.2", "1", "2", "-0.1", "-0.2", "-1", "0").map(exactly),
        currency: fc.constantFrom("USDT", "USDT", "USD"),
      }),
      { maxLength: 12 },
    )
    .map((rows) => rows.toSorted((a, b) => a.time - b.time)),
  { nil: null },
);

const transfers: fc.Arbitrary<readonly Transfer[] | null> = fc.option(
  fc
    .array(
      fc.record({
        time: fc.integer({ min: 0, max: 6 }).map((halves) => FROM + 500 * halves),
        currency: fc.constantFrom("USDT", "USD"),
        amount: fc.constantFrom("0.1", "0.1", "0.2", "100", "-0.1", "-0.2").map(exactly),
        note: fc.constantFrom("", "from the bank"),
      }),
      { maxLength: 8 },
    )
    .map((rows) => rows.map((row, at) => ({ ...row, line: at + 2 })).toSorted((a, b) => a.time - b.time)),
  { nil: null },
);

const books: fc.Arbitrary<Books> = fc
  .record({
    fills,
    funding: payments,
    transfers,
    method: fc.constantFrom(...METHODS),
    fromBeginning: fc.constantFrom(true, true, true, false),
    inverse: fc.constantFrom(null, null, "BTC-USDT"),
  })
  .map(({ fills, inverse, ...options }) => {
    const isLinear: BooksOptions["isLinear"] = (market) => market !== inverse;
    return booksOf(fills, { ...options, isLinear });
  });

type Kind = keyof (typeof WORDS)["koinly.csv"];

interface Expected {
  readonly time: number;
  readonly kind: Kind;
  readonly amount: bigint;
  readonly currency: string;
}

const DAY = 86_400_000;
const stampOf = (time: number) => time - (time % DAY) + 10 * 3_600_000;

/** The movements that every file must contain, by the cash convention. */
function movementsOf({ booked, own: { funding, transfers } }: Books): Expected[] {
  const sums = new Map<string, Expected & { readonly paid: Kind }>();
  const add = (group: string, [kind, paid]: readonly [Kind, Kind], own: Omit<Funding, "amount">, amount: bigint) => {
    const key = [group, own.market, own.currency, Math.floor(own.time / DAY)].join();
    const sum = sums.get(key)?.amount ?? 0n;
    sums.set(key, { time: stampOf(own.time), kind, paid, currency: own.currency, amount: sum + amount });
  };
  for (const { trade, realised } of booked) {
    if (trade !== null) {
      const gross = scaled(realised?.gross ?? ZERO);
      add(gross > 0n ? "profit" : "loss", ["profit", "loss"], trade, gross);
      add("fees", ["rebate", "fee"], trade, -scaled(trade.fee));
    }
  }
  for (const payment of funding ?? []) {
    add("funding", ["fundingReceived", "fundingPaid"], payment, scaled(payment.amount));
  }
  const traded = [...sums.values()].map(({ paid, ...sum }) => ({ ...sum, kind: sum.amount > 0n ? sum.kind : paid }));
  const transferred = (transfers ?? []).map(({ time, currency, amount }) => {
    const kind: Kind = amount.gt(ZERO) ? "deposit" : "withdrawal";
    return { time, currency, amount: scaled(amount), kind };
  });
  return [...traded, ...transferred]
    .filter(({ amount }) => amount !== 0n)
    .map((one) => ({ ...one, amount: one.amount < 0n ? -one.amount : one.amount }));
}

function received(kind: Kind): boolean {
  return ["profit", "rebate", "fundingReceived", "deposit"].includes(kind);
}

/** Sums by the tool's word, direction and currency. */
function sumsOf(rows: readonly Pick<ReadRow, "label" | "received" | "amount" | "currency">[]): Record<string, bigint> {
  const sums: Record<string, bigint> = {};
  for (const { label, received, amount, currency } of rows) {
    const key = `${label} ${received ? "in" : "out"} ${currency}`;
    sums[key] = (sums[key] ?? 0n) + amount;
  }
  return sums;
}

describe.each(READERS)("$file, read by the tool's own rules", (reader) => {
  const words = WORDS[reader.file as keyof typeof WORDS];
  const wordOf = (kind: Kind, currency: string) =>
    reader.file === "summ.csv" && currency === "USD" && (kind === "deposit" || kind === "withdrawal")
      ? `fiat-${kind}`
      : words[kind];
  const read = (drawn: Books) => readImport(reader, importsOf(drawn).texts.get(reader.file) ?? "");

  test.prop([books])("adds up to the movements of cash, each with its word", (drawn) => {
    const expected = movementsOf(drawn).map(({ kind, ...rest }) => ({
      ...rest,
      label: wordOf(kind, rest.currency),
      received: received(kind),
    }));
    expect(sumsOf(read(drawn))).toEqual(sumsOf(expected));
  });

  test.prop([books])("reports the sums of its rows", (drawn) => {
    const { totals, texts, rows } = importsOf(drawn);
    const own = readImport(reader, texts.get(reader.file) ?? "");
    const sum = (currency: string, direction: boolean) =>
      own
        .filter((row) => row.currency === currency && row.received === direction)
        .reduce((total, { amount }) => total + amount, 0n);
    const currencies = [...new Set(own.map(({ currency }) => currency))].sort();
    expect(totals.filter(({ file }) => file === `imports/${reader.file}`)).toEqual(
      currencies.map((currency) => ({
        file: `imports/${reader.file}`,
        currency,
        in: exactly(unitsText(sum(currency, true), 36)),
        out: exactly(unitsText(sum(currency, false), 36)),
      })),
    );
    expect(rows.get(reader.file)).toBe(own.length);
  });

  test.prop([books])("has no two rows that the tool could treat as one", (drawn) => {
    const twins = read(drawn).flatMap(({ twin }) => (twin === null ? [] : [twin]));
    expect(twins.length).toBe(new Set(twins).size);
  });

  test.prop([books])("has each movement at its time, oldest first", (drawn) => {
    const times = read(drawn).map(({ time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(times)).toEqual(new Set(movementsOf(drawn).map(({ time }) => time - (time % reader.resolution))));
  });
});

test.prop([books, fc.array(fc.nat(40), { maxLength: 6 })])("batches make no difference", (drawn, cuts) => {
  const borders = cuts.map((at) => Math.min(at, drawn.booked.length));
  expect(importsOf(drawn, borders)).toEqual(importsOf(drawn));
});
