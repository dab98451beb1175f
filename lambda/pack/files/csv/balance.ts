import { less } from "../../../accounting/aggregate.ts";
import { type Booked, isBlank } from "../../../accounting/booked.ts";
import { type Amount, least, tenTo, ZERO } from "../../../core/amount.ts";
import { clockText } from "../../../core/clock-text.ts";
import { minorUnit } from "../../../core/currency.ts";
import { getOrMake } from "../../../core/get-or-make.ts";
import { quoteCurrencyOf } from "../../../core/market.ts";
import type { StatedBalance } from "../../../inputs/balances.ts";
import { FUNDING, TRANSFERS } from "../../../inputs/files.ts";
import type { Agreement, ComparedCash } from "../../build/compared-cash.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { amount, type CsvColumn, integer, REQUIRED, text, time } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

/**
 * The movements of cash in a currency between two statements, or between a statement and an end of the
 * period.
 */
interface Span {
  readonly currency: string;
  readonly from: number;
  readonly to: number;
  /** The user's statements at its ends. Null: there is none. */
  readonly opening: StatedBalance | null;
  readonly closing: StatedBalance | null;
  /** Why an end has no statement, for people. Null: both ends have one. */
  readonly missing: string | null;
  gross: Amount;
  fees: Amount;
  funding: Amount;
  transfers: Amount;
  /** Fills whose PnL or fee is not known. */
  unknown: number;
}

/** The spans of one currency. */
interface Spans {
  /** By time, without a gap. */
  readonly all: readonly Span[];
  /** The index of the newest fill's span. */
  at: number;
}

function columnsOf({ funding, transfers }: PackContext): CsvColumn<Span>[] {
  return [
    text(
      "currency",
      "Currency of every amount in the row. Empty: fills whose market is not known.",
      ({ currency }) => currency,
    ),
    time(
      "from",
      "Start of the row's range: movements at this time or later are included.",
      ({ from }) => from,
      REQUIRED,
    ),
    time("to", "End of the row's range: movements before this time are included.", ({ to }) => to, REQUIRED),
    amount(
      "opening_cash",
      "Cash balance at from, according to balances.csv. Empty without a statement.",
      ({ opening }) => opening?.amount,
    ),
    amount(
      "gross_pnl",
      "Realised PnL before fees, by the chosen method. Excludes fills whose PnL is not known.",
      ({ gross }) => gross,
    ),
    amount("net_fees", "Fees less rebates, as in fees.csv.", ({ fees }) => fees),
    amount("funding", "From funding.csv. Empty if none was given.", (span) => (funding === null ? null : span.funding)),
    amount("transfers", "Deposits less withdrawals, from transfers.csv. Empty if none was given.", (span) =>
      transfers === null ? null : span.transfers,
    ),
    amount("movement", "gross_pnl − net_fees + funding + transfers.", movementOf),
    amount("calculated_closing_cash", "opening_cash + movement.", closingOf),
    amount(
      "stated_closing_cash",
      "Cash balance at to, according to balances.csv. Empty without a statement.",
      ({ closing }) => closing?.amount,
    ),
    amount("difference", "stated_closing_cash − calculated_closing_cash.", differenceOf),
    integer(
      "fills_not_known",
      "Number of fills whose PnL or fee is not known. Their effect is part of the difference.",
      ({ unknown }) => unknown,
      REQUIRED,
    ),
    text(
      "result",
      "agrees: rounding explains the difference, because it is less than one unit of the last digit of the statements and less than one cent (or the smallest unit of the currency). differs: the difference is larger. no statement: a statement is missing, see reason.",
      resultOf,
      REQUIRED,
    ),
    text(
      "reason",
      "Which statements balances.csv lacks, and the times of the nearest statements that it has, in the pack's time zone.",
      ({ missing }) => missing,
    ),
    text("opening_note", "Note of the statement at from, as in balances.csv.", ({ opening }) => opening?.note),
    text("closing_note", "Note of the statement at to, as in balances.csv.", ({ closing }) => closing?.note),
  ];
}

export interface BalanceMaker {
  readonly file: FileMaker;
  /** Its rows after `end`. */
  readonly compared: () => readonly ComparedCash[];
}

/**
 * balance.csv: opening cash + PnL − fees + funding ± transfers = closing cash, in each currency and between
 * each two of the user's statements. `balances`: by time; those within the period and at its ends count. Its
 * size grows with statements, not with fills.
 */
export function balanceMaker(context: PackContext, balances: readonly StatedBalance[]): BalanceMaker {
  const { from, to } = context.period;
  const given = Map.groupBy(balances, ({ currency }) => currency);
  const stated = balances.filter((balance) => balance.time >= from && balance.time <= to);
  const spans = new Map<string, Spans>();
  const spansOf = (currency: string) =>
    getOrMake(spans, currency, () => ({ all: spansBetween(currency, context, given.get(currency) ?? []), at: 0 }));
  let rows: readonly Span[] = [];
  const file = new CsvMaker<Span>({
    path: "balance.csv",
    description:
      "Proof of cash: opening cash + PnL − fees + funding ± transfers = closing cash, by currency, compared with the statements in balances.csv. A statement includes every movement before its time. Without statements, the file shows the movements alone. Cash excludes the unrealised PnL of open positions.",
    columns: columnsOf(context),
    rowsOf(batch) {
      for (const booked of batch) {
        addFill(spansOf(currencyOf(booked)), booked);
      }
      return [];
    },
    rowsAtEnd() {
      for (const { currency, time: when, amount: paid } of context.funding ?? []) {
        const span = spanAt(spansOf(currency), when);
        span.funding = span.funding.plus(paid);
      }
      for (const { currency, time: when, amount: moved } of context.transfers ?? []) {
        const span = spanAt(spansOf(currency), when);
        span.transfers = span.transfers.plus(moved);
      }
      const currencies = new Set([...spans.keys(), ...stated.map(({ currency }) => currency)]);
      rows = [...currencies].sort().flatMap((currency) => spansOf(currency).all);
      return rows;
    },
  });
  return { file, compared: () => rows.map((span) => comparedOf(span, context)) };
}

function comparedOf(span: Span, { funding, transfers }: PackContext): ComparedCash {
  const { currency, from, to, opening, closing, unknown } = span;
  return {
    currency,
    from,
    to,
    opening: opening?.amount ?? null,
    closing: closing?.amount ?? null,
    movement: movementOf(span),
    difference: differenceOf(span),
    result: resultOf(span),
    unknown,
    notGiven: [...(funding === null ? [FUNDING] : []), ...(transfers === null ? [TRANSFERS] : [])],
  };
}

function currencyOf({ trade, fill }: Booked): string {
  return trade?.currency ?? quoteCurrencyOf(fill.market) ?? "";
}

/** `given`: the statements of the currency by time, including those outside the period. */
function spansBetween(currency: string, { period }: PackContext, given: readonly StatedBalance[]): Span[] {
  const balances = given.filter(({ time: when }) => when >= period.from && when <= period.to);
  const statedAt = (when: number) => balances.find((balance) => balance.time === when) ?? null;
  const borders = [...new Set([period.from, ...balances.map((balance) => balance.time), period.to])];
  return borders.slice(1).map((to, at) => {
    const from = borders[at] ?? period.from;
    const sums = { gross: ZERO, fees: ZERO, funding: ZERO, transfers: ZERO, unknown: 0 };
    const lacking = [from, to].filter((when) => statedAt(when) === null);
    const missing = lacking.length === 0 ? null : missingText(currency, lacking, given, period.zone);
    return { currency, from, to, opening: statedAt(from), closing: statedAt(to), missing, ...sums };
  });
}

function missingText(
  currency: string,
  lacking: readonly number[],
  given: readonly StatedBalance[],
  zone: string,
): string {
  const times = given.map((balance) => balance.time);
  const [first] = times;
  if (first === undefined) {
    return `balances.csv has no statement for ${currency === "" ? "a currency that is not known" : currency}`;
  }
  const nearest = lacking.map((when) =>
    times.reduce((best, one) => (Math.abs(one - when) < Math.abs(best - when) ? one : best), first),
  );
  const clocks = (all: readonly number[], and: string) =>
    [...new Set(all.map((one) => clockText(one, zone)))].join(` ${and} `);
  const statements = lacking.length === 1 ? "statement" : "statements";
  const are = lacking.length === 1 ? "is" : "are";
  return `balances.csv has no statement for ${clocks(lacking, "or")}; the nearest ${statements} in ${currency} ${are} for ${clocks(nearest, "and")}`;
}

/** The span that holds a time of the period. */
function spanAt({ all }: Spans, when: number): Span {
  return all.find(({ to }) => when < to) ?? unreachable();
}

function unreachable(): never {
  throw new RangeError("a time outside of the period");
}

/** Fills come in the order of time. */
function addFill(spans: Spans, booked: Booked): void {
  while (booked.time >= (spans.all[spans.at]?.to ?? Number.POSITIVE_INFINITY)) {
    spans.at += 1;
  }
  const span = spans.all[spans.at] ?? unreachable();
  const { trade, realised } = booked;
  if (trade !== null) {
    span.fees = span.fees.plus(trade.fee);
  }
  if (realised !== null) {
    span.gross = span.gross.plus(realised.gross);
  } else if (trade === null || isBlank(booked)) {
    span.unknown += 1;
  }
}

function movementOf({ gross, fees, funding, transfers }: Span): Amount {
  return gross.minus(fees).plus(funding).plus(transfers);
}

function closingOf(span: Span): Amount | null {
  return span.opening === null ? null : span.opening.amount.plus(movementOf(span));
}

function differenceOf(span: Span): Amount | null {
  return less(span.closing?.amount ?? null, closingOf(span));
}

function resultOf(span: Span): Agreement {
  const { currency, opening, closing } = span;
  return agreementOf(currency, differenceOf(span), [opening?.amount ?? null, closing?.amount ?? null]);
}

/** Whether rounding explains the difference of two statements. `difference` null: one of them is missing. */
export function agreementOf(
  currency: string,
  difference: Amount | null,
  stated: readonly (Amount | null)[],
): Agreement {
  if (difference === null) {
    return "no statement";
  }
  const places = Math.max(...stated.map(placesOf));
  return difference.abs().lt(least(tenTo(-places), minorUnit(currency))) ? "agrees" : "differs";
}

/** Digits after the point without trailing zeros. */
function placesOf(stated: Amount | null): number {
  const [, fraction = ""] = String(stated ?? ZERO).split(".");
  return fraction.length;
}
