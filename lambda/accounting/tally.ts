import { type Amount, withSign, ZERO } from "../core/amount.ts";
import { getOrMake } from "../core/get-or-make.ts";
import { localDays } from "../core/local-day.ts";
import { quoteCurrencyOf } from "../core/market.ts";
import { monthsOf, type Period, type PeriodMonth } from "../core/period.ts";
import { isWithin, rangeFinder } from "../core/ranges.ts";
import { compareText } from "../core/text.ts";
import type { AccountsState } from "./accounts.ts";
import { type Booked, type Funding, isBlank, type Realised, type Result, type UnknownReason } from "./booked.ts";
import { type Break, isBrokenIn, monthsBroken } from "./breaks.ts";
import type { Methods } from "./method.ts";
import {
  type Activity,
  byMonthAndMarket,
  carriedOf,
  carriedUnseen,
  type Day,
  type Liquidity,
  type MarketMonth,
  type MarketStatement,
  NOTHING_CARRIED,
  type Statement,
} from "./statement.ts";
import type { Trade } from "./trade.ts";

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
type OpenMarketMonth = Omit<Writable<MarketMonth>, "activity"> & {
  readonly activity: Record<Liquidity, Writable<Activity>>;
};

export interface TallyPlan {
  readonly period: Period;
  readonly methods: Methods;
  /** Null: the user gave no file. */
  readonly funding: readonly Funding[] | null;
  readonly breaks: readonly Break[];
  readonly contractTypes: ReadonlyMap<string, string | null>;
}

/** What was seen of a market in the period. */
interface Met {
  /** The position before its first fill. */
  readonly first: Amount | null;
  readonly blanks: Map<UnknownReason, number>;
  /** The time of its last trades, ms UTC, and how many buy and sell at it. */
  time: number;
  buys: number;
  sells: number;
  ties: number;
}

/** The sums to which a fill is added. */
interface Place {
  readonly marketMonth: OpenMarketMonth;
  readonly day: Writable<Day>;
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
  readonly #met = new Map<string, Met>();
  /** The place of each market's last fill. */
  readonly #places = new Map<string, Place>();
  readonly #trips = { count: 0, won: 0, lost: 0 };
  readonly #compared = new Map<string, Writable<Result>>();

  constructor(plan: TallyPlan) {
    this.#plan = plan;
    this.#months = monthsOf(plan.period);
    this.#monthAt = rangeFinder(this.#months);
    this.#dayAt = localDays(plan.period.zone);
    for (const { time, market, amount, currency } of plan.funding ?? []) {
      if (isWithin(plan.period, time)) {
        const marketMonth = this.#marketMonthOf(this.#monthAt(time).name, market, currency);
        marketMonth.funding = (marketMonth.funding ?? ZERO).plus(amount);
      }
    }
    for (const one of plan.breaks.filter((any) => isBrokenIn(any, plan.period))) {
      for (const { name } of monthsBroken(one, this.#months)) {
        this.#marketMonthOf(name, one.market, quoteCurrencyOf(one.market) ?? "").breaks += 1;
      }
    }
  }

  add(booked: Booked): void {
    const { fill, time, trade, realised, trip } = booked;
    const market = fill.market ?? "";
    const currency = trade?.currency ?? quoteCurrencyOf(fill.market) ?? "";
    const met = this.#meet(market, booked);
    if (trade === null) {
      this.#marketMonthOf(this.#monthAt(time).name, market, currency).untyped += 1;
      return;
    }
    const { marketMonth, day } = this.#placeOf(time, market, currency);
    countTies(met, trade);
    addActivity(marketMonth.activity[liquidityOf(trade)], trade);
    if (booked.before !== null) {
      marketMonth.cashFlow = marketMonth.cashFlow.minus(withSign(trade.sign, trade.value));
    }
    if (realised !== null) {
      addClose(marketMonth, day, realised);
      addResult(
        getOrMake(this.#compared, currency, () => ({ gross: ZERO, fees: ZERO })),
        realised.compared,
      );
    } else if (isBlank(booked)) {
      marketMonth.blankCloses += 1;
      countBlank(met.blanks, booked);
    }
    if (trip !== null) {
      this.#trips.count += 1;
      this.#trips.won += trip.gross.gt(ZERO) ? 1 : 0;
      this.#trips.lost += trip.gross.lt(ZERO) ? 1 : 0;
    }
  }

  /** `before` and `after`: the accounts at the two ends of the period. */
  statement(before: AccountsState, after: AccountsState): Statement {
    return {
      methods: this.#plan.methods,
      months: this.#months,
      marketMonths: [...this.#marketMonths.values()].sort(byMonthAndMarket),
      compared: this.#compared,
      markets: this.#markets(before, after),
      days: [...this.#days.values()].sort((a, b) => compareText(a.day, b.day) || compareText(a.currency, b.currency)),
      trips: this.#trips,
    };
  }

  #markets(before: AccountsState, after: AccountsState): MarketStatement[] {
    const active = new Set([...this.#marketMonths.values()].map(({ market }) => market));
    const names = [...new Set([...active, ...after.keys()])].sort();
    return names.flatMap((market) => {
      const end = carriedOf(after, market) ?? NOTHING_CARRIED;
      const met = this.#met.get(market);
      const start = carriedOf(before, market) ?? carriedUnseen(met === undefined ? end.position : met.first, end);
      if (!active.has(market) && start.position?.isZero() === true && end.position?.isZero() === true) {
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
          ties: met?.ties ?? 0,
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

  #meet(market: string, { before }: Booked): Met {
    return getOrMake(this.#met, market, () => ({
      first: before,
      blanks: new Map(),
      time: Number.NaN,
      buys: 0,
      sells: 0,
      ties: 0,
    }));
  }

  /** Mostly the place of the market's last fill. */
  #placeOf(time: number, market: string, currency: string): Place {
    const [month, day] = [this.#monthAt(time).name, this.#dayAt(time)];
    const last = this.#places.get(market);
    if (last?.day.day === day && last.marketMonth.month === month && last.marketMonth.currency === currency) {
      return last;
    }
    const place = { marketMonth: this.#marketMonthOf(month, market, currency), day: this.#dayOf(day, currency) };
    this.#places.set(market, place);
    return place;
  }

  #marketMonthOf(month: string, market: string, currency: string): OpenMarketMonth {
    const funding = this.#plan.funding === null ? null : ZERO;
    return getOrMake(this.#marketMonths, `${month}\n${market}\n${currency}`, () =>
      emptyMarketMonth(month, market, currency, funding),
    );
  }

  #dayOf(day: string, currency: string): Writable<Day> {
    const empty = () => ({ day, currency, net: ZERO });
    return getOrMake(this.#days, `${day}\n${currency}`, empty);
  }
}

function emptyMarketMonth(month: string, market: string, currency: string, funding: Amount | null): OpenMarketMonth {
  const activity = () => ({ fills: 0, volume: ZERO, feesPaid: ZERO, rebates: ZERO });
  return {
    month,
    market,
    currency,
    activity: { maker: activity(), taker: activity(), other: activity() },
    untyped: 0,
    closes: 0,
    blankCloses: 0,
    breaks: 0,
    gross: ZERO,
    fees: ZERO,
    cashFlow: ZERO,
    funding,
  };
}

function countTies(met: Met, { time, sign }: Trade): void {
  if (met.time !== time) {
    Object.assign(met, { time, buys: 0, sells: 0 });
  }
  const before = tied(met);
  met[sign > 0 ? "buys" : "sells"] += 1;
  met.ties += tied(met) - before;
}

function tied({ buys, sells }: Met): number {
  return buys > 0 && sells > 0 ? buys + sells : 0;
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
  activity.volume = activity.volume.plus(value);
  const side = fee.gt(ZERO) ? "feesPaid" : "rebates";
  activity[side] = activity[side].plus(fee);
}

function addClose(marketMonth: OpenMarketMonth, day: Writable<Day>, realised: Realised): void {
  marketMonth.closes += 1;
  addResult(marketMonth, realised);
  day.net = day.net.plus(realised.gross).minus(realised.fees);
}

function addResult(sum: Writable<Result>, { gross, fees }: Result): void {
  sum.gross = sum.gross.plus(gross);
  sum.fees = sum.fees.plus(fees);
}
