import { type Amount, totalOf, ZERO } from "../../core/amount.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { monthsOf, type Period, type PeriodMonth } from "../../core/period.ts";
import { isWithin, rangeFinder } from "../../core/ranges.ts";
import { compareText } from "../../core/text.ts";
import type { Booked, Funding, Match } from "../booked.ts";
import type { Liquidity } from "../statement.ts";
import { liquidityOf } from "../tally.ts";
import { type Converted, type Converter, SAME_CURRENCY } from "./converter.ts";

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

/**
 * Fees of fills, each converted at its own fill's time: those above zero, and those below zero as a negative
 * amount.
 */
export type ConvertedFees = Pick<ConvertedMonth, "feesPaid" | "rebates">;

/** The same for one market. */
export interface ConvertedMarketMonth extends ConvertedMonth {
  readonly market: string;
  /** They add up to `feesPaid` and `rebates`. */
  readonly byLiquidity: Readonly<Record<Liquidity, ConvertedFees>>;
}

/** A rate that was used to convert lines. */
export interface RateUse {
  readonly currency: string;
  readonly rate: string;
  readonly rateDate: string;
  readonly source: string;
  /** The number of matches, fees and funding payments converted at it. */
  readonly lines: number;
}

/** The order of uses: by currency, then date, then source. */
export function byCurrencyAndDate(a: RateUse, b: RateUse): number {
  return compareText(a.currency, b.currency) || compareText(a.rateDate, b.rateDate) || compareText(a.source, b.source);
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

export interface ConvertedPlan {
  readonly period: Period;
  /** The user's payments. Those outside the period are ignored. Null: no file was given. */
  readonly funding: readonly Funding[] | null;
  readonly converter: Converter;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

type OpenSums = Omit<Writable<ConvertedMarketMonth>, "byLiquidity"> & {
  readonly byLiquidity: Readonly<Record<Liquidity, Writable<ConvertedFees>>>;
};

interface OpenMonth extends PeriodMonth {
  /** By market, then currency. */
  readonly byMarket: Map<string, Map<string, OpenSums>>;
}

/** Adds up a period's converted lines. Its size grows with months, currencies and days, not with fills. */
export class ConvertedTally {
  readonly #plan: ConvertedPlan;
  readonly #months: readonly OpenMonth[];
  /** By currency, then date. Rates of one date differ in their source. */
  readonly #rates = new Map<string, Map<string, Writable<RateUse>[]>>();
  readonly #monthAt: (time: number) => OpenMonth;

  constructor(plan: ConvertedPlan) {
    this.#plan = plan;
    this.#months = monthsOf(plan.period).map((month) => ({ ...month, byMarket: new Map() }));
    this.#monthAt = rangeFinder(this.#months);
    for (const { time, market, amount, currency } of plan.funding ?? []) {
      if (isWithin(plan.period, time)) {
        const converted = plan.converter.convert(amount, currency, time);
        const sums = this.#sumsOf(time, market, currency);
        sums.funding = (sums.funding ?? ZERO).plus(converted.amount);
        this.#use(currency, converted);
      }
    }
  }

  add({ trade, realised, time }: Booked): void {
    if (trade === null) {
      return;
    }
    const { converter } = this.#plan;
    const { market, currency, fee } = trade;
    const matches = realised?.matches ?? [];
    if (matches.length === 0 && fee.isZero()) {
      return;
    }
    const sums = this.#sumsOf(time, market, currency);
    for (const match of matches) {
      const { gross, fees, net, ...rate } = convertMatch(converter, match, currency, time);
      sums.gross = sums.gross.plus(gross);
      sums.fees = sums.fees.plus(fees);
      sums.net = sums.net.plus(net);
      this.#use(currency, rate);
    }
    if (!fee.isZero()) {
      const { amount, ...rate } = converter.convert(fee, currency, time);
      const figure = fee.gt(ZERO) ? "feesPaid" : "rebates";
      const own = sums.byLiquidity[liquidityOf(trade)];
      sums[figure] = sums[figure].plus(amount);
      own[figure] = own[figure].plus(amount);
      this.#use(currency, rate);
    }
  }

  statement(): ConvertedStatement {
    const uses = [...this.#rates.values()].flatMap((dates) => [...dates.values()].flat());
    const marketMonths = this.#months.flatMap(({ byMarket }) =>
      [...byMarket.values()]
        .flatMap((byCurrency) => [...byCurrency.values()])
        .sort((a, b) => compareText(a.market, b.market) || compareText(a.currency, b.currency)),
    );
    return {
      currency: this.#plan.converter.to,
      months: monthsIn(marketMonths),
      marketMonths,
      rates: uses.sort(byCurrencyAndDate),
    };
  }

  #sumsOf(time: number, market: string, currency: string): OpenSums {
    const { name: month, byMarket } = this.#monthAt(time);
    const none = () => ({ feesPaid: ZERO, rebates: ZERO });
    return getOrMake(
      getOrMake(byMarket, market, () => new Map()),
      currency,
      () => ({
        month,
        market,
        currency,
        gross: ZERO,
        fees: ZERO,
        net: ZERO,
        ...none(),
        funding: this.#plan.funding === null ? null : ZERO,
        byLiquidity: { maker: none(), taker: none(), other: none() },
      }),
    );
  }

  #use(currency: string, { rate, rateDate, source }: Omit<Converted, "amount">): void {
    if (source === SAME_CURRENCY) {
      return;
    }
    const dates = getOrMake(this.#rates, currency, () => new Map<string, Writable<RateUse>[]>());
    const uses = getOrMake(dates, rateDate, () => []);
    const known = uses.find((one) => one.source === source && one.rate === rate);
    if (known === undefined) {
      uses.push({ currency, rate, rateDate, source, lines: 1 });
    } else {
      known.lines += 1;
    }
  }
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
