import { type Amount, totalOf, ZERO } from "../../core/amount.ts";
import { compareText } from "../../core/text.ts";
import type { Match } from "../booked.ts";
import { type Cell, NO_MONEY, totalCell } from "../cube/cell.ts";
import type { Cube } from "../cube/cube.ts";
import { keyOf } from "../cube/project.ts";
import type { Converted, Converter } from "./converter.ts";
import type { RateUse } from "./uses.ts";

/**
 * One match of a close in the currency of the tax return. All of it is converted at the time of the closing
 * fill.
 */
export interface ConvertedMatch extends Omit<Converted, "amount"> {
  readonly gross: Amount;
  /** Its opening and closing fees together, converted once. */
  readonly fees: Amount;
  /** gross − fees */
  readonly net: Amount;
}

/** `currency`: the market's settlement currency. `time`: of the closing fill, ms UTC. */
export function convertMatch(converter: Converter, match: Match, currency: string, time: number): ConvertedMatch {
  const { amount: gross, ...rate } = converter.convert(match.gross, currency, time);
  const fees = converter.convert(match.openFee.plus(match.closeFee), currency, time).amount;
  return { gross, fees, net: gross.minus(fees), ...rate };
}

/**
 * The amounts settled in one currency in one month, in the currency of the tax return: sums of lines that
 * were rounded one by one.
 */
export interface ConvertedMonth {
  /** `2025-03` */
  readonly month: string;
  /** The settlement currency. */
  readonly currency: string;
  /** By the chosen method: the sum over matches, each converted at the time of its closing fill. */
  readonly gross: Amount;
  readonly fees: Amount;
  readonly net: Amount;
  /**
   * Fees of fills, each converted at its own fill's time: those above zero, and those below zero as a
   * negative amount.
   */
  readonly feesPaid: Amount;
  readonly rebates: Amount;
  /** Each payment is converted at its own time. Null: the user gave no file. */
  readonly funding: Amount | null;
}

/** The amounts of a month. */
export type ConvertedSums = Omit<ConvertedMonth, "month" | "currency">;

/** All of them are in one currency, whatever their settlement currencies. */
export function sumConverted(months: readonly ConvertedMonth[]): ConvertedSums {
  return {
    gross: totalOf(months, ({ gross }) => gross),
    fees: totalOf(months, ({ fees }) => fees),
    net: totalOf(months, ({ net }) => net),
    feesPaid: totalOf(months, ({ feesPaid }) => feesPaid),
    rebates: totalOf(months, ({ rebates }) => rebates),
    funding: months.every(({ funding }) => funding === null) ? null : totalOf(months, ({ funding }) => funding ?? ZERO),
  };
}

/** The same for one market. */
export interface ConvertedMarketMonth extends ConvertedMonth {
  readonly market: string;
}

export interface ConvertedStatement {
  /** The currency of all amounts. */
  readonly currency: string;
  /** By month, then currency. Empty months are left out. */
  readonly months: readonly ConvertedMonth[];
  /** The parts of `months`: by month, then market, then currency. */
  readonly marketMonths: readonly ConvertedMarketMonth[];
  /** By currency, then date, then source. Amounts already in the currency need no rate. */
  readonly rates: readonly RateUse[];
}

/** The converted amounts of all accounts in a cube whose days have all ended. `currency`: that of the amounts. */
export function convertedStatementOf({ cells, uses, funded }: Cube, currency: string): ConvertedStatement {
  const isFunded = funded.size > 0;
  const marketMonths = [...Map.groupBy(cells, (cell) => keyOf(cell, OF_MARKET_MONTH)).values()]
    .filter((own) => own.some(({ closes, charged, payments }) => closes + charged + payments > 0))
    .map((own) => convertedMonthOf(own, isFunded));
  return { currency, months: monthsIn(marketMonths), marketMonths, rates: uses.all };
}

const OF_MARKET_MONTH = ["month", "market", "currency"] as const;

/** `cells`: of one market, month and currency, by kind. */
function convertedMonthOf(cells: readonly Cell[], isFunded: boolean): ConvertedMarketMonth {
  const { month, market, currency } = cells[0] ?? {};
  const { gross, fees, feesPaid, rebates, funding } = totalCell(cells).converted ?? NO_MONEY;
  return {
    ...{ month: month ?? "", market: market ?? "", currency: currency ?? "" },
    ...{ gross, fees, net: gross.minus(fees), feesPaid, rebates },
    funding: isFunded ? funding : null,
  };
}

/** By month (in the given order), then currency. */
export function monthsIn(marketMonths: readonly ConvertedMarketMonth[]): ConvertedMonth[] {
  const byMonth = Map.groupBy(marketMonths, ({ month }) => month);
  return [...byMonth].flatMap(([month, inMonth]) =>
    [...Map.groupBy(inMonth, ({ currency }) => currency)]
      .map(([currency, own]) => ({ month, currency, ...sumConverted(own) }))
      .sort((a, b) => compareText(a.currency, b.currency)),
  );
}
