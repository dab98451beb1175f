import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import type { Booked } from "../../../../lambda/accounting/booked.ts";
import { METHODS } from "../../../../lambda/accounting/method.ts";
import type { Funding } from "../../../../lambda/accounting/tally.ts";
import { byTradeTime } from "../../../../lambda/core/fill.ts";
import type { PlainFill } from "../../../../lambda/core/plain-fill.ts";
import type { Transfer } from "../../../../lambda/inputs/transfers.ts";
import { histories, makeFill } from "../../../accounting/draw.ts";
import { type Books, type BooksOptions, booksOf } from "../../../accounting/make.ts";
import { importsOf } from "./files.ts";
import { READERS, type ReadRow, readImport } from "./readers.ts";
import { WORDS } from "./words.ts";

const FROM = Date.UTC(2025, 5, 30, 23, 59, 58, 500);
const MARKETS = ["BTC-USDT", "ETH-USDT", "1000PEPE-USD"];

/** Many fills in a second with few different amounts, and some with unknown PnL. */
const crowded: fc.Arbitrary<readonly PlainFill[]> = fc
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
        amount: fc.constantFrom(1n, 2n, 10n, 20n, -1n, -2n, -10n, 0n).map((tenths) => tenths * 10n ** 35n),
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
        amount: fc.constantFrom(1n, 1n, 2n, 1000n, -1n, -2n).map((tenths) => tenths * 10n ** 35n),
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
  readonly id: string;
}

/** The movements that every file must contain, by the cash convention, in order. */
function movementsOf({ booked, context }: Books): Expected[] {
  const ofFills = booked.flatMap(movementsOfFill);
  const numbers = new Map<string, number>();
  const ofFunding = (context.funding ?? []).flatMap(({ time, market, amount, currency }) => {
    const id = `funding/${new Date(time).toISOString()}/${market}`;
    numbers.set(id, (numbers.get(id) ?? 0) + 1);
    const own = { time, currency, id: `${id}/${numbers.get(id)}` };
    return signed(own, amount, "fundingReceived", "fundingPaid");
  });
  const ofTransfers = (context.transfers ?? []).flatMap(({ time, amount, currency }) => {
    const id = `transfer/${new Date(time).toISOString()}`;
    numbers.set(id, (numbers.get(id) ?? 0) + 1);
    return signed({ time, currency, id: `${id}/${numbers.get(id)}` }, amount, "deposit", "withdrawal");
  });
  const deposits = ofTransfers.filter(({ kind }) => kind === "deposit");
  const withdrawals = ofTransfers.filter(({ kind }) => kind === "withdrawal");
  const sorted = ofFills.toSorted((a, b) => a.time - b.time || compare(a.match, b.match) || compare(a.order, b.order));
  return [...deposits, ...sorted, ...ofFunding, ...withdrawals].toSorted((a, b) => a.time - b.time);
}

function movementsOfFill({ fill, trade, time, realised }: Booked) {
  const { matchId: match, orderId: order } = fill;
  const own = { time, currency: trade?.currency ?? "", match, order };
  const gross = realised?.gross ?? 0n;
  return [
    ...signed({ ...own, id: `${match}/${order}/pnl` }, gross, "profit", "loss"),
    ...signed({ ...own, id: `${match}/${order}/fee` }, -(trade?.fee ?? 0n), "rebate", "fee"),
  ];
}

function signed<T extends object>(own: T, amount: bigint, positive: Kind, negative: Kind) {
  const kind = amount > 0n ? positive : negative;
  return amount === 0n ? [] : [{ ...own, kind, amount: amount < 0n ? -amount : amount }];
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
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
        in: sum(currency, true),
        out: sum(currency, false),
      })),
    );
    expect(rows.get(reader.file)).toBe(own.length);
  });

  test.prop([books])("has no two rows that the tool could treat as one", (drawn) => {
    const twins = read(drawn).flatMap(({ twin }) => (twin === null ? [] : [twin]));
    expect(twins.length).toBe(new Set(twins).size);
  });

  test.prop([books])("has the movements in order: oldest first, then match and order, PnL before the fee", (drawn) => {
    const rows = read(drawn);
    const cut = ({ time }: { readonly time: number }) => time - (time % reader.resolution);
    const expected = movementsOf(drawn);
    if (rows.some(({ id }) => id !== null)) {
      expect(rows.map(({ id, time }) => [id, time])).toEqual(expected.map((one) => [one.id, cut(one)]));
    }
    expect(rows.map(({ time }) => time)).toEqual(rows.map(({ time }) => time).toSorted((a, b) => a - b));
    expect(new Set(rows.map(({ time }) => time))).toEqual(new Set(expected.map(cut)));
  });
});

test.prop([books, fc.array(fc.nat(40), { maxLength: 6 })])("batches make no difference", (drawn, cuts) => {
  const borders = cuts.map((at) => Math.min(at, drawn.booked.length));
  expect(importsOf(drawn, borders)).toEqual(importsOf(drawn));
});
