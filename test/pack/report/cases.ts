import { fc } from "@fast-check/vitest";
import { ZERO } from "../../../lambda/core/amount.ts";
import { parsePeriod } from "../../../lambda/core/period.ts";
import { DAY_MS } from "../../../lambda/core/time.ts";
import { histories } from "../../accounting/draw.ts";
import { type Books, booksOf } from "../../accounting/make.ts";
import { converterOf } from "../../accounting/rates/make.ts";
import { exactly } from "../../support/amounts.ts";
import { closingOf, drawFills, type FileOptions } from "../books.ts";

export interface Case extends FileOptions {
  readonly name: string;
  readonly books: Books;
}

/** Two pounds for every unit: the converted amounts are exact. */
const DOUBLE = converterOf({
  to: "GBP",
  convert: (amount) => ({ amount: amount.plus(amount), rate: "2", rateDate: "2025-04", source: "HMRC monthly" }),
});
const US = parsePeriod("us-2025");
const UK = parsePeriod("uk-2025-26");

/** A year with open positions at both ends. */
function tradedYear(): Case {
  const fills = drawFills(1500, US.from - 20 * DAY_MS, US.to);
  return { name: "a year of trading", books: booksOf(fills, { period: US }) };
}

/**
 * The opening of four markets is declared, one of them without a price. Another market has a break, and the
 * others are unknown. One fill cannot be read as a trade.
 */
function incompleteYear(): Case {
  const drawn = drawFills(900, UK.from, UK.to);
  const fills = drawn.map((fill, at) => (at === 400 ? { ...fill, fee: "n/a" } : fill));
  const flat = { quantity: ZERO, price: null, asOf: UK.from, where: "test" };
  const books = booksOf(fills, {
    period: UK,
    method: "hifo",
    fromBeginning: false,
    declared: [
      { ...flat, market: "ETH-USD", quantity: exactly("2"), price: exactly("3000") },
      { ...flat, market: "SOL-USDT", quantity: exactly("3") },
      { ...flat, market: "BTC-USDT" },
      { ...flat, market: "ETH-USDT" },
      {
        ...flat,
        market: "ETH-USD",
        quantity: exactly("-1"),
        price: exactly("3100"),
        asOf: UK.from + 80 * DAY_MS,
        breakFrom: UK.from + 60 * DAY_MS,
      },
    ],
    funding: [
      { time: UK.from + DAY_MS, market: "BTC-USDT", amount: exactly("-12.345"), currency: "USDT" },
      { time: UK.from + 40 * DAY_MS, market: "ETH-USDT", amount: exactly("0.5"), currency: "USDT" },
    ],
  });
  const gap = { from: UK.from + 100 * DAY_MS, to: UK.from + 103 * DAY_MS };
  return {
    name: "an incomplete year",
    books,
    context: { complete: false },
    closing: {
      proof: {
        ...closingOf(books).proof,
        complete: false,
        coverage: [
          { from: UK.from, to: gap.from, readings: 2 },
          { from: gap.to, to: UK.to, readings: 1 },
        ],
        gaps: [gap],
        assumed: { silenceDays: 7, vanished: 3 },
      },
      exceptions: {
        count: 1234,
        ofFills: 1230,
        first: Array.from({ length: 1000 }, (_, at) => ({
          account: "main",
          matchId: `M${at}`,
          orderId: `O${at}`,
          txCreated: Date.UTC(2025, 5, 1),
          market: "BTC-USDT",
          column: "fee",
          reason: "not a plain decimal",
          value: "n/a",
        })),
      },
    },
    converter: DOUBLE,
  };
}

/** Histories with flips, ties, dust and amounts that just fit, in three markets and two currencies. */
function drawnCases(): Case[] {
  const period = parsePeriod("au-2024-25");
  const markets = ["BTC-USDT", "ETH-USDT", "BTC-USD"];
  const seed = fc.readConfigureGlobal().seed ?? 1;
  return fc.sample(histories({ markets, from: period.from - 30 * DAY_MS }), { numRuns: 24, seed }).map((fills, at) => {
    const method = (["average", "fifo", "lifo", "hifo"] as const)[at % 4] ?? "fifo";
    return { name: `drawn history ${at}, ${method}`, books: booksOf(fills, { period, method }) };
  });
}

export const CASES: readonly Case[] = [
  tradedYear(),
  { name: "a year with nothing in it", books: booksOf([], { period: US }) },
  incompleteYear(),
  {
    name: "a year of which no result is known",
    books: booksOf(drawFills(80, US.from, US.to), { period: US, fromBeginning: false }),
  },
  ...drawnCases(),
];
