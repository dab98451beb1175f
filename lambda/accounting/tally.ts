import { getOrMake } from "../core/get-or-make.ts";
import { localDays } from "../core/local-day.ts";
import { quoteCurrencyOf } from "../core/market.ts";
import { monthsOf, type Period, type PeriodMonth } from "../core/period.ts";
import { isWithin, rangeFinder } from "../core/ranges.ts";
import { compareText } from "../core/text.ts";
import type { AccountsState } from "./accounts.ts";
import type { Amount } from "./amount.ts";
import { type Booked, isBlank, type Realised, type UnknownReason } from "./booked.ts";
import { type Break, isBrokenIn, monthsBroken } from "./breaks.ts";
import { type ByMethod, byMethod, type Method } from "./method.ts";
import {
  type Activity,
  byMonthAndMarket,
  carriedOf,
  carriedUnseen,
  type Day,
  type DayPosition,
  type Liquidity,
  type MarketMonth,
  type MarketStatement,
  NOTHING_CARRIED,
  type Result,
  type Statement,
} from "./statement.ts";
import type { Trade } from "./trade.ts";

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type OpenMarketMonth = Omit<Writable<MarketMonth>, "activity" | "results"> & {
  readonly activity: Record<Liquidity, Writable<Activity>>;
  readonly results: ByMethod<Writable<Result>>;
};

/** A payment of the user's funding.csv. Positive: received. */
export interface Funding {
  /** ms UTC */
  readonly time: number;
  readonly market: string;
  readonly amount: Amount;
  readonly currency: string;
}

export interface TallyPlan {
  readonly period: Period;
  readonly methods: ByMethod<Method>;
  /** Null: the user gave no file. */
  readonly funding: readonly Funding[] | null;
  readonly breaks: readonly Break[];
  readonly contractTypes: ReadonlyMap<string, string | null>;
}

/** What was seen of a market in the period. */
interface Met {
  /** The position before its first fill. */
  readonly first: bigint | null;
  readonly blanks: Map<UnknownReason, number>;
  /** The time of its last fill, ms UTC, and whether another fill has the same. */
  time: number;
  tied: boolean;
}

/** The sums to which a fill is added. */
interface Place {
  readonly marketMonth: OpenMarketMonth;
  readonly position: Writable<DayPosition>;
  /** Null: nothing was added yet. */
  day: Writable<Day> | null;
}

/**
 * Adds up a period's booked fills, which come in order. Its size grows with months, days and markets, not
 * with fills.
 */
export class Tally {
  readonly #plan: TallyPlan;
  readonly #months: Statement["months"];
  readonly #marketMonths = new Map<string, OpenMarketMonth>();
  readonly #days = new Map<string, Writable<Day>>();
  readonly #monthAt: (time: number) => PeriodMonth;
  readonly #dayAt: (time: number) => string;
  readonly #positions = new Map<string, Writable<DayPosition>>();
  readonly #met = new Map<string, Met>();
  /** The place of each market's last fill. */
  readonly #places = new Map<string, Place>();
  readonly #trips = { count: 0, won: 0, lost: 0 };
  #ties = 0;

  constructor(plan: TallyPlan) {
    this.#plan = plan;
    this.#months = monthsOf(plan.period);
    this.#monthAt = rangeFinder(this.#months);
    this.#dayAt = localDays(plan.period.zone);
    for (const { time, market, amount, currency } of plan.funding ?? []) {
      if (isWithin(plan.period, time)) {
        const marketMonth = this.#marketMonthOf(this.#monthAt(time).name, market, currency);
        marketMonth.funding = (marketMonth.funding ?? 0n) + amount;
      }
    }
    for (const one of plan.breaks.filter((any) => isBrokenIn(any, plan.period))) {
      for (const { name } of monthsBroken(one, this.#months)) {
        this.#marketMonthOf(name, one.market, quoteCurrencyOf(one.market) ?? "").breaks += 1;
      }
    }
  }

  add(booked: Booked): void {
    const { fill, time, trade, after, realised, trip } = booked;
    const market = fill.market ?? "";
    const currency = trade?.currency ?? quoteCurrencyOf(fill.market) ?? "";
    const place = this.#placeOf(time, market, currency);
    const { marketMonth } = place;
    const { blanks } = this.#meet(market, booked);
    place.position.position = after;
    if (trade === null) {
      marketMonth.untyped += 1;
      return;
    }
    addActivity(marketMonth.activity[liquidityOf(trade)], trade);
    place.day ??= this.#dayOf(place.position.day, currency);
    const own = place.day;
    own.volume += trade.value;
    own.fees += trade.fee;
    if (booked.before !== null) {
      marketMonth.cashFlow -= trade.sign * trade.value;
    }
    if (realised !== null) {
      addClose(marketMonth, own, realised);
    } else if (isBlank(booked)) {
      marketMonth.blankCloses += 1;
      countBlank(blanks, booked);
    }
    if (trip !== null) {
      this.#trips.count += 1;
      this.#trips.won += trip.gross > 0n ? 1 : 0;
      this.#trips.lost += trip.gross < 0n ? 1 : 0;
    }
  }

  /** `before` and `after`: the accounts at the two ends of the period. */
  statement(before: AccountsState, after: AccountsState): Statement {
    return {
      methods: this.#plan.methods,
      months: this.#months,
      marketMonths: [...this.#marketMonths.values()].sort(byMonthAndMarket),
      markets: this.#markets(before, after),
      days: [...this.#days.values()].sort((a, b) => compareText(a.day, b.day) || compareText(a.currency, b.currency)),
      positions: [...this.#positions.values()].sort(
        (a, b) => compareText(a.day, b.day) || compareText(a.market, b.market),
      ),
      trips: this.#trips,
      ties: this.#ties,
    };
  }

  #markets(before: AccountsState, after: AccountsState): MarketStatement[] {
    const active = new Set([...this.#marketMonths.values()].map(({ market }) => market));
    const names = [...new Set([...active, ...after.keys()])].sort();
    return names.flatMap((market) => {
      const end = carriedOf(after, market) ?? NOTHING_CARRIED;
      const met = this.#met.get(market);
      const start = carriedOf(before, market) ?? carriedUnseen(met === undefined ? end.position : met.first, end);
      if (!active.has(market) && start.position === 0n && end.position === 0n) {
        return [];
      }
      return [
        {
          market,
          currency: quoteCurrencyOf(market) ?? "",
          origin:
            this.#isAnew(market) && end.blank !== "unsupported_contract_type"
              ? "declared"
              : (after.get(market)?.origin ?? "unknown"),
          contractType: this.#plan.contractTypes.get(market) ?? null,
          blanks: met?.blanks ?? new Map(),
          before: start,
          after: end,
        },
      ];
    });
  }

  /** True if the period's opening position comes from the end of a break. */
  #isAnew(market: string): boolean {
    const { breaks, period } = this.#plan;
    return breaks.some((one) => one.market === market && one.to <= period.from);
  }

  #meet(market: string, { time, before }: Booked): Met {
    const met = getOrMake(this.#met, market, () => ({
      first: before,
      blanks: new Map(),
      time: Number.NaN,
      tied: false,
    }));
    const isTied = met.time === time;
    if (isTied) {
      this.#ties += met.tied ? 1 : 2;
    }
    met.time = time;
    met.tied = isTied;
    return met;
  }

  /** Mostly the place of the market's last fill. */
  #placeOf(time: number, market: string, currency: string): Place {
    const [month, day] = [this.#monthAt(time).name, this.#dayAt(time)];
    const last = this.#places.get(market);
    if (last?.position.day === day && last.marketMonth.month === month && last.marketMonth.currency === currency) {
      return last;
    }
    const position = getOrMake(this.#positions, `${day}\n${market}`, () => ({ day, market, position: null }));
    const place = { marketMonth: this.#marketMonthOf(month, market, currency), position, day: null };
    this.#places.set(market, place);
    return place;
  }

  #marketMonthOf(month: string, market: string, currency: string): OpenMarketMonth {
    const funding = this.#plan.funding === null ? null : 0n;
    return getOrMake(this.#marketMonths, `${month}\n${market}\n${currency}`, () =>
      emptyMarketMonth(month, market, currency, funding),
    );
  }

  #dayOf(day: string, currency: string): Writable<Day> {
    const empty = () => ({ day, currency, gross: 0n, net: 0n, fees: 0n, volume: 0n });
    return getOrMake(this.#days, `${day}\n${currency}`, empty);
  }
}

function emptyMarketMonth(month: string, market: string, currency: string, funding: Amount | null): OpenMarketMonth {
  const activity = () => ({ fills: 0, volume: 0n, feesPaid: 0n, rebates: 0n });
  return {
    month,
    market,
    currency,
    activity: { maker: activity(), taker: activity(), other: activity() },
    untyped: 0,
    closes: 0,
    blankCloses: 0,
    breaks: 0,
    results: byMethod(() => ({ gross: 0n, fees: 0n })),
    cashFlow: 0n,
    funding,
  };
}

function countBlank(blanks: Map<UnknownReason, number>, { blank }: Booked): void {
  if (blank !== null) {
    blanks.set(blank, (blanks.get(blank) ?? 0) + 1);
  }
}

export function liquidityOf({ fill: { liquidity } }: Trade): Liquidity {
  return liquidity === "maker" || liquidity === "taker" ? liquidity : "other";
}

function addActivity(activity: Writable<Activity>, { value, fee }: Trade): void {
  activity.fills += 1;
  activity.volume += value;
  if (fee > 0n) {
    activity.feesPaid += fee;
  } else {
    activity.rebates += fee;
  }
}

function addClose(marketMonth: OpenMarketMonth, day: Writable<Day>, { primary, reference }: ByMethod<Realised>): void {
  marketMonth.closes += 1;
  addResult(marketMonth.results.primary, primary);
  addResult(marketMonth.results.reference, reference);
  day.gross += primary.gross;
  day.net += primary.gross - primary.fees;
}

function addResult(sum: Writable<Result>, { gross, fees }: Realised): void {
  sum.gross += gross;
  sum.fees += fees;
}
