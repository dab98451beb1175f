import { Decimal } from "decimal.js";
import type { Booked } from "../../lambda/accounting/booked.ts";
import type { Holding } from "../../lambda/accounting/holdings.ts";
import { type Amount, ZERO } from "../../lambda/core/amount.ts";
import { localTime } from "../../lambda/core/period.ts";

/**
 * The expected amounts of a page and a workbook, added up from the booked fills and their texts. This uses
 * neither the statement nor the same arithmetic.
 */

export const Exact = Decimal.clone({
  precision: 200,
  rounding: Decimal.ROUND_HALF_EVEN,
  toExpNeg: -1000,
  toExpPos: 1000,
});

export interface Sums {
  readonly fills: number;
  readonly untyped: number;
  /** Fills with known PnL, and those whose PnL is unknown. */
  readonly closes: number;
  readonly blank: number;
  readonly gross: Decimal;
  readonly fees: Decimal;
  /** Under the method for comparison. */
  readonly compared: { readonly gross: Decimal; readonly fees: Decimal };
  readonly paid: Decimal;
  readonly rebates: Decimal;
  readonly volume: Decimal;
  readonly bought: Decimal;
  readonly sold: Decimal;
  /** Sold less bought. */
  readonly cash: Decimal;
}

export function sumsOf(booked: readonly Booked[]): Sums {
  const typed = booked.filter(({ trade }) => trade !== null);
  const known = booked.flatMap(({ realised }) => (realised === null ? [] : [realised]));
  const isBlank = ({ realised, closed, after }: Booked) => realised === null && (closed.gt(ZERO) || after === null);
  const tradedValue = ({ fill }: Booked) => decimal(fill.quantity).times(decimal(fill.price));
  const quantities = (side: string) =>
    total(typed.filter(({ fill }) => fill.side === side).map(({ fill }) => decimal(fill.quantity)));
  const cash = (side: string) => total(typed.filter(({ fill }) => fill.side === side).map(tradedValue));
  const fees = typed.map(({ fill }) => decimal(fill.fee));
  return {
    fills: booked.length,
    untyped: booked.length - typed.length,
    closes: known.length,
    blank: typed.filter(isBlank).length,
    gross: total(known.map(({ gross }) => exact(gross))),
    fees: total(known.map((one) => exact(one.fees))),
    compared: {
      gross: total(known.map(({ compared }) => exact(compared.gross))),
      fees: total(known.map(({ compared }) => exact(compared.fees))),
    },
    paid: total(fees.filter((fee) => fee.gt(0))),
    rebates: total(fees.filter((fee) => fee.lt(0))),
    volume: total(typed.map(tradedValue)),
    bought: quantities("buy"),
    sold: quantities("sell"),
    cash: cash("sell").minus(cash("buy")),
  };
}

/** The cost of the open lots of markets, and their opening fees, at one end of the period. */
export function carriedOf(markets: readonly Holding[], end: "before" | "after") {
  const lots = markets.flatMap((market) => market[end].lots);
  return {
    isKnown: markets.every((market) => market[end].blank === null),
    value: total(lots.map(({ sign, value }) => exact(value).times(sign))),
    fees: total(lots.map(({ fee }) => exact(fee))),
  };
}

export function total(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce((sum, amount) => sum.plus(amount), new Exact(0));
}

export function exact(amount: Amount): Decimal {
  return new Exact(String(amount));
}

/** A fill's text as a decimal; 0 if it is missing. */
export function decimal(text: string | null): Decimal {
  return new Exact(text ?? 0);
}

/** All digits, with zero unsigned. */
export function plain(amount: Decimal): string {
  return amount.toFixed().replace(/^-0$/, "0");
}

export function monthOf({ time }: { readonly time: number }, zone: string): string {
  return localTime(time, zone).slice(0, 7);
}

export function currencyOf({ fill }: Booked): string {
  return fill.market?.split("-").at(-1) ?? "not known";
}
