import {
  add,
  divide,
  least,
  magnitude,
  negative,
  type Rational,
  rational,
  read,
  roundHalfEven,
  signOf,
  subtract,
  times,
  ZERO,
} from "../../../accounting/rational.ts";
import type { CompletedOrder } from "../../../emulator/wire.ts";
import type { FundingPayment } from "./funding.ts";

/**
 * A change of the account's cash in the venue's own books. It is calculated in exact fractions and by average
 * cost, without fillbook's accounting code.
 */
export interface CashMovement {
  /** ms UTC */
  readonly time: number;
  readonly currency: string;
  readonly amount: Rational;
}

interface Transfer {
  /** As written in the file. */
  readonly time: string;
  readonly currency: string;
  readonly amount: string;
  readonly note: string;
}

/**
 * The deposits are large enough that no position exceeds a few times the cash, and that taxes are paid from
 * gains.
 */
const TRANSFERS: readonly Transfer[] = [
  { time: "2025-01-02T09:05:00Z", currency: "USD", amount: "100000", note: "from the bank" },
  { time: "2025-01-02T09:20:00Z", currency: "USDT", amount: "30000", note: "from a wallet" },
  { time: "2025-04-11T14:30:00Z", currency: "USD", amount: "-12000", note: "to the bank: income tax" },
  { time: "2025-09-12T14:05:00Z", currency: "USD", amount: "-9000", note: "to the bank: estimated tax" },
  { time: "2025-12-16T15:45:00Z", currency: "USD", amount: "-35000", note: "to the bank" },
];

/** A date in the file means the first moment of that day in New York. */
const STATEMENTS: readonly (readonly [day: string, begins: string, note: string])[] = [
  ["2025-01-01", "2025-01-01T00:00:00-05:00", "account opened"],
  ["2025-04-01", "2025-04-01T00:00:00-04:00", "statement of March 2025"],
  ["2025-07-01", "2025-07-01T00:00:00-04:00", "statement of June 2025"],
  ["2025-10-01", "2025-10-01T00:00:00-04:00", "statement of September 2025"],
  ["2026-01-01", "2026-01-01T00:00:00-05:00", "statement of December 2025"],
];
/** Statements are in cents. */
const STATED_PLACES = 2;

/**
 * A contract that is not linear settles its gains in its coin, so only its fees change the dollar balance.
 */
const SETTLED_IN_COIN = new Set(["DOGE-USD"]);

/** All movements, sorted by time. */
export function makeCash(fills: Iterable<CompletedOrder>, funding: readonly FundingPayment[]): CashMovement[] {
  const byMarket = Map.groupBy(fills, ({ market }) => market);
  return [
    ...TRANSFERS.map((one) => ({ ...one, time: Date.parse(one.time), amount: read(one.amount) })),
    ...funding.map(({ time, currency, amount }) => ({ time, currency, amount: read(amount) })),
    ...[...byMarket].flatMap(([market, own]) => fillMovements(market, own)),
  ].sort((a, b) => a.time - b.time);
}

function fillMovements(market: string, fills: readonly CompletedOrder[]): CashMovement[] {
  const currency = market.slice(market.lastIndexOf("-") + 1);
  const position = new AveragePosition();
  return fills
    .map((fill) => ({ ...fill, time: fill.filledAt ?? fill.txCreated }))
    .sort((a, b) => a.time - b.time)
    .map(({ time, orderType, quantity, price, fees }) => {
      const signed = orderType === "buy" ? read(quantity) : negative(read(quantity));
      const gained = position.trade(signed, read(price));
      return { time, currency, amount: subtract(SETTLED_IN_COIN.has(market) ? ZERO : gained, read(fees)) };
    });
}

/** A position at its average price. Closing a part of it gains that part's difference to the average. */
class AveragePosition {
  #quantity = ZERO;
  #average = ZERO;

  /** Books a trade and returns its gain before fees. A sale has a negative quantity. */
  trade(signed: Rational, price: Rational): Rational {
    const before = this.#quantity;
    const after = add(before, signed);
    const isAgainst = signOf(before) * signOf(signed) < 0;
    const closed = isAgainst ? least(magnitude(before), magnitude(signed)) : ZERO;
    const gained = times(times(rational(BigInt(signOf(before))), closed), subtract(price, this.#average));
    if (signOf(after) !== signOf(before)) {
      this.#average = price; // flat, opened, or turned to the other side
    } else if (!isAgainst) {
      const value = add(times(magnitude(before), this.#average), times(magnitude(signed), price));
      this.#average = divide(value, magnitude(after));
    }
    this.#quantity = after;
    return gained;
  }
}

/** The sum of the movements before `time` (ms UTC). */
export function balanceAt(cash: readonly CashMovement[], currency: string, time: number): Rational {
  const own = cash.filter((one) => one.currency === currency && one.time < time);
  return own.reduce((sum, { amount }) => add(sum, amount), ZERO);
}

/** The input file transfers.csv (lambda/inputs/tables.ts). */
export function transfersCsv(): string {
  const lines = TRANSFERS.map(({ time, currency, amount, note }) => [time, currency, amount, note].join(","));
  return csvOf("time,currency,amount,note", lines);
}

/** The input file balances.csv (lambda/inputs/tables.ts): the venue's statements. */
export function balancesCsv(cash: readonly CashMovement[]): string {
  const currencies = [...new Set(cash.map(({ currency }) => currency))].sort();
  const lines = STATEMENTS.flatMap(([day, begins, note]) =>
    currencies.map((currency) =>
      [day, currency, inCents(balanceAt(cash, currency, Date.parse(begins))), note].join(","),
    ),
  );
  return csvOf("time,currency,amount,note", lines);
}

/** An amount rounded to cents, e.g. `-1234.50`. */
function inCents(exact: Rational): string {
  const { n, d } = times(roundHalfEven(exact, STATED_PLACES), rational(10n ** BigInt(STATED_PLACES)));
  const digits = String((n < 0n ? -n : n) / d).padStart(STATED_PLACES + 1, "0");
  return `${n < 0n ? "-" : ""}${digits.slice(0, -STATED_PLACES)}.${digits.slice(-STATED_PLACES)}`;
}

function csvOf(header: string, lines: readonly string[]): string {
  return `${[header, ...lines].join("\n")}\n`;
}
