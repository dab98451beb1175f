import fc from "fast-check";
import { METHODS } from "../../../lambda/accounting/method.ts";
import { type Amount, ZERO } from "../../../lambda/core/amount.ts";
import { byTradeTime, type Fill } from "../../../lambda/core/fill.ts";
import { customPeriod } from "../../../lambda/core/period.ts";
import { ledgerMaker } from "../../../lambda/pack/exports/ledger.ts";
import { DailyCash } from "../../../lambda/pack/exports/movements.ts";
import type { AccountSettings } from "../../../lambda/pack/make/account-settings.ts";
import type { Closing, FileMaker, PackContext } from "../../../lambda/pack/make/maker.ts";
import { CashTally } from "../../../lambda/pack/tables/cash.ts";
import { type Books, booksOf, cubeOf, sumsOf } from "../../accounting/make.ts";
import { exactly, scaled } from "../../support/amounts.ts";
import { hostileText } from "../../support/arbitrary-fill.ts";
import { makeFill } from "../../support/make-fill.ts";

/**
 * Books of drawn fills: several markets and currencies, flips, ties, rebates, fills that cannot be typed,
 * funding, unknown opening positions.
 */

const MARKETS = ["BTC-USDT", "ETH-USDT", "BTC-USD", "X-1INCH", "ETH-usdt", "BTC-TRUE"];

/** A plain decimal above zero: mostly with few digits, sometimes with as many as fit. */
function decimal(digits: number): fc.Arbitrary<string> {
  const short = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 6n }), fc.integer({ min: 0, max: 4 }));
  const long = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** BigInt(digits) }), fc.integer({ min: 0, max: 18 }));
  return fc.oneof({ weight: 9, arbitrary: short }, { weight: 1, arbitrary: long }).map(([whole, places]) => {
    const text = whole.toString().padStart(places + 1, "0");
    return places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
  });
}

interface DrawnFill {
  readonly market: string;
  readonly side: string;
  readonly quantity: string;
  readonly price: string;
  readonly fee: string;
  readonly gapMs: number;
}

/** `isCrowded`: few different amounts and times. */
function drawnFill(digits: number, isCrowded: boolean): fc.Arbitrary<DrawnFill> {
  const amount = (...few: readonly string[]) =>
    isCrowded ? fc.constantFrom(...few) : fc.oneof(decimal(digits), fc.constantFrom(...few));
  return fc.record({
    market: fc.constantFrom(...MARKETS.slice(0, isCrowded ? 3 : MARKETS.length)),
    side: fc.oneof(
      { weight: 30, arbitrary: fc.constantFrom("buy", "sell") },
      { weight: 1, arbitrary: fc.constant("?") },
    ),
    quantity: amount("1", "2", "0.5"),
    price: amount("100", "101", "99.9"),
    fee: fc.oneof(
      amount("0", "0.10", "0.20", "0.40", "0.80", "1", "2", "0.000000000000000001"),
      amount("0.10", "0.20").map((text) => `-${text}`),
    ),
    gapMs: isCrowded
      ? fc.constantFrom(0, 0, 1, 250, 1000)
      : fc.oneof(fc.constantFrom(0, 1, 1000), fc.integer({ min: 0, max: 40_000_000 })),
  });
}

const FROM = Date.UTC(2025, 0, 2);
const ZONES = ["UTC", "America/New_York", "Asia/Kolkata", "Pacific/Chatham", "America/Santiago"];

/** `digits`: the most digits of quantities, prices and fees. */
export function drawnBooks(digits = 20): fc.Arbitrary<Books> {
  return fc.oneof(booksWith(drawnFill(digits, false)), booksWith(drawnFill(digits, true)));
}

function booksWith(fill: fc.Arbitrary<DrawnFill>): fc.Arbitrary<Books> {
  return fc
    .record({
      fills: fc.array(fill, { maxLength: 40 }),
      method: fc.constantFrom(...METHODS),
      zone: fc.constantFrom(...ZONES),
      fromBeginning: fc.oneof(
        { weight: 4, arbitrary: fc.constant(true) },
        { weight: 1, arbitrary: fc.constant(false) },
      ),
      inverse: fc.constantFrom(null, null, null, "BTC-USDT"),
      transfers: fc.option(fc.array(fc.tuple(fill, fc.constantFrom("USDT", "EUR"), hostileText), { maxLength: 8 })),
      funding: fc.option(fc.array(fc.tuple(fill, fc.constantFrom("USDT", "USD", "1INCH")), { maxLength: 8 })),
    })
    .map(({ fills, method, zone, fromBeginning, inverse, funding, transfers }) =>
      booksOf(timed(fills), {
        method,
        period: customPeriod("2025-01-01", "2026-01-01", zone),
        fromBeginning,
        isLinear: (market) => market !== inverse,
        transfers:
          transfers
            ?.map(([{ side, quantity, gapMs }, currency, note], at) => {
              const amount = exactly(`${side === "buy" ? "" : "-"}${quantity}`);
              return { time: FROM + gapMs, currency, amount, note, line: at + 2 };
            })
            .filter(({ amount }) => !amount.isZero())
            .sort((a, b) => a.time - b.time) ?? null,
        funding:
          funding
            ?.map(([{ market, fee, gapMs }, currency]) => {
              const amount = exactly(fee);
              return { time: FROM + gapMs, market, amount, currency };
            })
            .sort((a, b) => a.time - b.time) ?? null,
      }),
    );
}

function timed(drawn: readonly DrawnFill[]): Fill[] {
  let time = FROM;
  const fills = drawn.map(({ gapMs, ...fill }, at) => {
    time += gapMs;
    const filledAt = at % 5 === 4 ? null : time;
    return makeFill({
      ...fill,
      matchId: `M${at}`,
      orderId: `O${at}`,
      txCreated: time + (filledAt === null ? 0 : 7),
      filledAt,
    });
  });
  return fills.sort(byTradeTime);
}

/** Totals of what was booked and of the user's files in each currency, not of the journals. */
export interface Totals {
  readonly realised: bigint;
  readonly fees: bigint;
  readonly funding: bigint;
  readonly transfers: bigint;
}

const NONE: Totals = { realised: 0n, fees: 0n, funding: 0n, transfers: 0n };

export function totalsOf({ booked, own: { funding, transfers } }: Books): Map<string, Totals> {
  const totals = new Map<string, Totals>();
  const add = (currency: string, name: keyof Totals, amount: Amount) => {
    const sum = totals.get(currency) ?? NONE;
    totals.set(currency, { ...sum, [name]: sum[name] + scaled(amount) });
  };
  for (const { currency, amount } of transfers ?? []) {
    add(currency, "transfers", amount);
  }
  for (const { currency, amount } of funding ?? []) {
    add(currency, "funding", amount);
  }
  for (const { trade, realised } of booked) {
    add(trade?.currency ?? "", "realised", realised?.gross ?? ZERO);
    add(trade?.currency ?? "", "fees", trade?.fee ?? ZERO);
  }
  return totals;
}

/** A maker of a journal with cash of its own. */
export function made(program: "beancount" | "hledger") {
  return (context: PackContext, settings: AccountSettings) =>
    ledgerMaker(program, context, settings[program], new DailyCash(context, new CashTally(context).transfers));
}

/** The text of a file. Fills are added in batches of `size`. */
export function textOf(maker: FileMaker, books: Books, size = 1000): string {
  const cuts = books.booked.map((_, at) => at).filter((at) => at % size === size - 1);
  const texts = [maker.begin()];
  for (const days of cubeOf(books, cuts).batches) {
    texts.push(maker.addDays?.(days) ?? "");
  }
  const end = maker.end({ sums: sumsOf(books) } as Closing);
  if (typeof end !== "string") {
    throw new TypeError("not a text");
  }
  return [...texts, end].join("");
}
