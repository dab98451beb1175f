import { fc } from "@fast-check/vitest";
import { METHODS, type Method } from "../../lambda/accounting/method.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import { parsePeriod } from "../../lambda/core/period.ts";
import { exactly, unitsText } from "../support/amounts.ts";
import { breaksAmong, histories } from "./draw.ts";
import type { BooksOptions } from "./make.ts";

/**
 * Drawn books: three markets in two currencies. Some have an open position when the year begins, some have
 * fills that cannot be typed, and one has breaks.
 */

const YEAR = parsePeriod("calendar-2025");

export interface Drawn {
  readonly fills: readonly Fill[];
  readonly options: BooksOptions;
  readonly cuts: readonly number[];
}

export const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    fills: histories({
      markets: ["BTC-USDT", "ETH-USD", "SOL-USDT"],
      most: 60,
      from: Date.UTC(2024, 10, 15),
    }),
    broken: fc.option(fc.nat(59), { freq: 3, nil: null }),
    method: fc.constantFrom<Method>(...METHODS),
    fromBeginning: fc.boolean(),
    isDeclared: fc.boolean(),
    isRestored: fc.boolean(),
    funding: fc.option(fc.bigInt(-(10n ** 38n), 10n ** 38n), { nil: null }),
    breaks: fc.option(breaksAmong("SOL-USDT"), { nil: null }),
    cuts: fc.array(fc.nat(60), { maxLength: 5 }),
  })
  .map(({ fills, broken, method, fromBeginning, isDeclared, isRestored, funding, breaks, cuts }) => {
    const last = fills.at(-1)?.txCreated ?? 0;
    return {
      fills: fills.map((fill, at) => (at === broken ? { ...fill, price: "much" } : fill)),
      options: {
        method,
        fromBeginning,
        declared: [
          ...(isDeclared && !fromBeginning ? declaredOf(fills) : []),
          ...(isRestored && broken !== null ? restoredOf(fills[broken]) : []),
          ...(breaks === null || (isRestored && broken !== null) ? [] : breaks(fills)),
        ],
        funding:
          funding === null
            ? null
            : [
                {
                  time: Math.min(Math.max(last, YEAR.from), YEAR.to - 1),
                  market: "BTC-USDT",
                  amount: exactly(unitsText(funding, 36)),
                  currency: "USDT",
                },
              ],
      },
      cuts,
    };
  });

/** Declares a position at the time of the first fill. */
function declaredOf(fills: readonly Fill[]) {
  const first = fills.find(({ market }) => market === "BTC-USDT");
  return first === undefined
    ? []
    : [{ market: "BTC-USDT", quantity: exactly("-2"), price: exactly("100"), asOf: first.txCreated, where: "line 2" }];
}

/** Declares the position of a market after a fill that cannot be typed. */
function restoredOf(fill: Fill | undefined) {
  return fill === undefined
    ? []
    : [
        {
          market: fill.market,
          quantity: exactly("3"),
          price: exactly("99"),
          asOf: fill.txCreated + 1,
          where: "line 3",
        },
      ];
}
