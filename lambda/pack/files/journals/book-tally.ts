import { type Amount, formatAmount, roundToMinor } from "../../../accounting/amount.ts";
import { type Booked, isBlank } from "../../../accounting/booked.ts";
import type { Converter } from "../../../accounting/rates/converter.ts";
import { getOrMake } from "../../../core/get-or-make.ts";
import { localTime, monthsOf, type PeriodMonth } from "../../../core/period.ts";
import { rangeFinder } from "../../../core/ranges.ts";
import { compareText, counted } from "../../../core/text.ts";
import type { BooksSettings } from "../../build/account-settings.ts";
import type { PackContext } from "../../build/maker.ts";
import { plain } from "../imports/plain.ts";

export type BookRole = keyof BooksSettings;

/** A line of a journal in the book currency. */
export interface BookLine {
  readonly role: BookRole;
  /** In whole minor units of the book currency (cents of EUR). Positive: a debit. Never zero. */
  readonly amount: Amount;
  readonly text: string;
  /** The settled amount, as `6.25 USDT`. Null if it is in the book currency. */
  readonly settled: string | null;
}

/** The journal of one market and month. Its lines add up to zero. */
export interface BookJournal {
  /** `2025-03` */
  readonly month: string;
  /** The last day of the month within the period, in the period's zone. */
  readonly day: string;
  /** As files write it: see imports/plain.ts. */
  readonly market: string;
  readonly currency: string;
  readonly lines: readonly BookLine[];
  /** Fills that closed something, or may have, whose result is not known. */
  readonly unknown: number;
}

/** A sum of one kind, as settled and in the book currency. */
interface Sum {
  settled: Amount;
  booked: Amount;
}

interface MonthSums {
  readonly month: PeriodMonth;
  readonly market: string;
  readonly currency: string;
  readonly realised: Sum;
  readonly fees: Sum;
  readonly funding: Sum;
  unknown: number;
}

/**
 * Adds up a period for the user's books: by month, market and currency, each amount converted at its own
 * time. Its size grows with months and markets, not with fills.
 */
export class BookTally {
  readonly #context: PackContext;
  readonly #converter: Converter;
  readonly #monthAt: (time: number) => PeriodMonth;
  readonly #months = new Map<string, MonthSums>();

  /** `converter`: into the book currency. Its errors are passed on. */
  constructor(context: PackContext, converter: Converter) {
    this.#context = context;
    this.#converter = converter;
    this.#monthAt = rangeFinder(monthsOf(context.period));
    for (const { time, market, currency, amount } of context.funding ?? []) {
      this.#add(this.#monthOf(time, market, currency).funding, amount, currency, time);
    }
  }

  add(batch: readonly Booked[]): void {
    for (const booked of batch) {
      const { trade, realised, time } = booked;
      if (trade !== null) {
        const { market, currency, fee } = trade;
        const sums = this.#monthOf(time, market, currency);
        for (const { gross } of realised?.matches ?? []) {
          this.#add(sums.realised, gross, currency, time);
        }
        this.#add(sums.fees, fee, currency, time);
        sums.unknown += isBlank(booked) ? 1 : 0;
      }
    }
  }

  /** By month, then market, then currency. Journals without a line are left out. */
  get journals(): readonly BookJournal[] {
    const { period, funding } = this.#context;
    const months = [...this.#months].sort(([a], [b]) => compareText(a, b));
    return months.flatMap(([, sums]) => {
      const { month, market, currency, unknown } = sums;
      const lines = linesOf(sums, this.#converter.to, funding !== null);
      const day = localTime(month.to - 1, period.zone).slice(0, 10);
      return lines.length === 0 ? [] : [{ month: month.name, day, market: plain(market), currency, lines, unknown }];
    });
  }

  #add(sum: Sum, amount: Amount, currency: string, time: number): void {
    if (amount !== 0n) {
      sum.settled += amount;
      sum.booked += this.#converter.convert(amount, currency, time).amount;
    }
  }

  #monthOf(time: number, market: string, currency: string): MonthSums {
    const month = this.#monthAt(time);
    const none = () => ({ settled: 0n, booked: 0n });
    return getOrMake(this.#months, `${month.name}\n${market}\n${currency}`, () => ({
      month,
      market,
      currency,
      realised: none(),
      fees: none(),
      funding: none(),
      unknown: 0,
    }));
  }
}

function linesOf(sums: MonthSums, bookCurrency: string, hasFunding: boolean): BookLine[] {
  const { currency, realised, fees, funding, unknown } = sums;
  const cash = {
    settled: realised.settled - fees.settled + funding.settled,
    booked: realised.booked - fees.booked + funding.booked,
  };
  const scope = hasFunding ? "" : " excl. funding";
  const gap = unknown === 0 ? "" : ` without ${counted(unknown, "closing fill")} of unknown PnL`;
  const line = (role: BookRole, text: string, sum: Sum, sign: 1n | -1n): BookLine => {
    const settled = currency === bookCurrency ? null : `${formatAmount(sum.settled)} ${plain(currency)}`;
    return {
      role,
      amount: sign * roundToMinor(sum.booked, bookCurrency),
      text: settled === null ? text : `${text} (${settled})`,
      settled,
    };
  };
  const lines = [
    line("cash", `Change of margin balance${scope}${gap}`, cash, 1n),
    line("realised", "Realised PnL excl. funding", realised, -1n),
    line("fees", "Trading fees", fees, 1n),
    line("funding", "Funding", funding, -1n),
  ];
  const rest = lines.reduce((sum, { amount }) => sum + amount, 0n);
  return [...lines, { role: "rounding" as const, amount: -rest, text: "Rounding", settled: null }].filter(
    ({ amount }) => amount !== 0n,
  );
}
