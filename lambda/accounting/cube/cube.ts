import { type Amount, ONE, ZERO } from "../../core/amount.ts";
import { quoteCurrencyOf } from "../../core/currency.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { monthsOf, type Period, type PeriodMonth } from "../../core/period.ts";
import { daysIn } from "../../core/period-days.ts";
import { isWithin, rangeFinder } from "../../core/ranges.ts";
import { compareText } from "../../core/text.ts";
import { type Funding, isBlank, type Realised, type Result, type RoundTrip } from "../booked.ts";
import { type Break, isBrokenIn, monthsBroken } from "../breaks.ts";
import type { Carried } from "../carried.ts";
import type { Posted } from "../posted.ts";
import type { Converter } from "../rates/converter.ts";
import { RateUses } from "../rates/uses.ts";
import type { Trade } from "../trade.ts";
import {
  ALL,
  addCell,
  byNames,
  type Cell,
  emptyCell,
  type Kind,
  keyOf,
  type Names,
  type OpenCell,
  type OpenMoney,
} from "./cell.ts";

export interface CubeAccount {
  readonly account: string;
  /** By time. Null: the user gave no file. */
  readonly funding: readonly Funding[] | null;
  readonly breaks: readonly Break[];
}

export interface CubePlan {
  readonly period: Period;
  readonly accounts: readonly CubeAccount[];
  /** Null: nothing is converted. */
  readonly converter: Converter | null;
}

/** A local day that has ended, and its cells by account, market, currency and kind. */
export interface CubeDay {
  /** `2025-03-01` */
  readonly day: string;
  readonly cells: readonly Cell[];
}

const NAMES = ["account", "month", "market", "currency", "kind"] as const;
const OF_MARKET = ["account", "market"] as const;
const IN_ORDER = byNames(["month", "market", "currency", "account", "kind"]);

type Cells = Map<string, OpenCell>;

/** The time of the last trades of an account's market, ms UTC, and how many buy and sell at it. */
interface Met {
  time: number;
  buys: number;
  sells: number;
}

/**
 * The one sum of a period: account × day × market × currency × kind. Fills come in order. Days are kept until they
 * end, then months, so its size grows with months and markets, not with days and fills.
 */
export class Cube {
  readonly uses = new RateUses();
  readonly months: readonly PeriodMonth[];
  /** The accounts for which the user gave a funding.csv. */
  readonly funded: ReadonlySet<string>;
  /** The reporting currency. Null: nothing is converted. */
  readonly currency: string | null;
  readonly #plan: CubePlan;
  readonly #monthAt: (time: number) => PeriodMonth;
  readonly #dayOf: (time: number) => string;
  /** By name. Two days are open: where clocks go back over midnight, part of a day comes again. */
  readonly #days = new Map<string, Cells>();
  readonly #cells: Cells = new Map();
  readonly #met = new Map<string, Met>();
  readonly #payments: readonly (Funding & { readonly account: string })[];
  #paid = 0;

  constructor(plan: CubePlan) {
    this.#plan = plan;
    this.months = monthsOf(plan.period);
    this.currency = plan.converter?.to ?? null;
    this.funded = new Set(plan.accounts.flatMap(({ account, funding }) => (funding === null ? [] : [account])));
    this.#monthAt = rangeFinder(this.months);
    this.#dayOf = daysIn(plan.period);
    this.#payments = plan.accounts
      .flatMap(({ account, funding }) => (funding ?? []).map((payment) => ({ ...payment, account })))
      .filter(({ time }) => isWithin(plan.period, time))
      .sort((a, b) => a.time - b.time);
    for (const { account, breaks } of plan.accounts) {
      for (const one of breaks.filter((any) => isBrokenIn(any, plan.period))) {
        for (const { name: month } of monthsBroken(one, this.months)) {
          const names = { ...ALL, account, month, market: one.market, currency: quoteCurrencyOf(one.market) ?? "" };
          this.#cellIn(this.#cells, { ...names, kind: "" }).breaks += 1;
        }
      }
    }
  }

  add(booked: Posted): void {
    const { account, fill, time, trade, realised, trip } = booked;
    this.#pay(time);
    const market = fill.market ?? "";
    const currency = quoteCurrencyOf(market) ?? "";
    const kind = trade === null ? "untyped" : kindOf(trade);
    const cell = this.#cellAt(time, { account, market, currency, kind });
    if (isBlank(booked) && booked.blank !== null) {
      cell.blanks.set(booked.blank, (cell.blanks.get(booked.blank) ?? 0) + 1);
    }
    if (trade === null) {
      cell.untyped += 1;
      return;
    }
    if (booked.apart !== null) {
      cell.apart += 1;
      cell.feesApart = cell.feesApart.plus(booked.apart.fee);
      cell.notionalApart = cell.notionalApart.plus(booked.apart.value);
    }
    const none = () => ({ time: Number.NaN, buys: 0, sells: 0 });
    cell.ties += newTies(getOrMake(this.#met, keyOf({ account, market }, OF_MARKET), none), trade);
    addTrade(cell, trade);
    addMoney(
      cell,
      booked.closes.map(({ match }) => match),
      trade.fee,
    );
    if (realised !== null) {
      addClose(cell, realised);
    }
    if (trip !== null) {
      addTrip(cell, trip);
    }
    if (cell.converted !== null) {
      this.#convert(cell.converted, booked, trade);
    }
  }

  /** Counts the rates at which open positions are converted: those of the period's end, as far as there are any. */
  countRatesOf(ended: readonly { readonly currency: string; readonly after: Carried }[]): void {
    const { converter, period } = this.#plan;
    for (const { currency, after } of ended) {
      const isOpen = after.blank === null && after.position?.isZero() !== true;
      const rate = isOpen ? converter?.convertIfKnown(ZERO, currency, period.to - 1) : null;
      if (rate) {
        this.uses.count(currency, rate);
      }
    }
  }

  /** The days that have ended since the last call, in order. */
  endedDays(): readonly CubeDay[] {
    return this.#days.size <= 2 ? [] : this.#end([...this.#days.keys()].sort(compareText).slice(0, -2));
  }

  /** The other days, after all fills. */
  lastDays(): readonly CubeDay[] {
    this.#pay(Number.POSITIVE_INFINITY);
    return this.#end([...this.#days.keys()].sort(compareText));
  }

  /** Of the days that have ended: by account, month, market, currency and kind. */
  get cells(): readonly Cell[] {
    return [...this.#cells.values()].sort(IN_ORDER);
  }

  #pay(until: number): void {
    for (let next = this.#payments[this.#paid]; next !== undefined && next.time < until; ) {
      const { account, market, currency, amount, time } = next;
      const cell = this.#cellAt(time, { account, market, currency, kind: "" });
      cell.payments += amount.isZero() ? 0 : 1;
      cell.funding = cell.funding.plus(amount);
      const { converter } = this.#plan;
      if (converter !== null && cell.converted !== null) {
        const { amount: converted, ...rate } = converter.convert(amount, currency, time);
        cell.converted.funding = cell.converted.funding.plus(converted);
        this.uses.count(currency, rate);
      }
      this.#paid += 1;
      next = this.#payments[this.#paid];
    }
  }

  /** Each match, and each fee of a fill, at the rate of the fill's day. */
  #convert(money: OpenMoney, { closes, convertedFee }: Posted, { currency }: Trade): void {
    const results = closes.map(({ converted }) => converted);
    addMoney(money, results, convertedFee?.amount ?? ZERO);
    for (const rate of [...results, convertedFee]) {
      if (rate !== null) {
        this.uses.count(currency, rate);
      }
    }
  }

  #cellAt(time: number, names: Pick<Names, "account" | "market" | "currency" | "kind">): OpenCell {
    const [month, day] = [this.#monthAt(time).name, this.#dayOf(time)];
    const cells = getOrMake(this.#days, day, (): Cells => new Map());
    return this.#cellIn(cells, { ...names, month, day });
  }

  #cellIn(cells: Cells, names: Names): OpenCell {
    return getOrMake(cells, keyOf(names, NAMES), () => emptyCell(names, this.currency !== null));
  }

  #end(days: readonly string[]): readonly CubeDay[] {
    return days.map((day) => {
      const cells = [...(this.#days.get(day)?.values() ?? [])].sort(IN_ORDER);
      this.#days.delete(day);
      for (const cell of cells) {
        const { account, month, market, currency, kind } = cell;
        addCell(this.#cellIn(this.#cells, { account, month, day: null, market, currency, kind }), cell);
      }
      return { day, cells };
    });
  }
}

function kindOf({ fill: { liquidity, declared } }: Trade): Kind {
  if (declared !== undefined) {
    return "declared";
  }
  return liquidity === "maker" || liquidity === "taker" ? liquidity : "other";
}

/** What a fill's closes gave and what it cost, in one currency. */
function addMoney(money: OpenMoney, results: readonly (Result | null)[], fee: Amount): void {
  for (const result of results) {
    if (result !== null) {
      money.gross = money.gross.plus(result.gross);
      money.fees = money.fees.plus(result.fees);
      if (!result.net.isZero()) {
        const [sum, rows] = result.net.gt(ZERO) ? (["gains", "gainRows"] as const) : (["losses", "lossRows"] as const);
        money[sum] = money[sum].plus(result.net);
        money[rows] = money[rows].plus(ONE);
      }
    }
  }
  if (!fee.isZero()) {
    const figure = fee.gt(ZERO) ? "feesPaid" : "rebates";
    money[figure] = money[figure].plus(fee);
  }
}

function addTrade(cell: OpenCell, { value, fee }: Trade): void {
  cell.fills += 1;
  cell.declared += cell.kind === "declared" ? 1 : 0;
  cell.volume = cell.volume.plus(value);
  cell.charged += fee.isZero() ? 0 : 1;
}

function addClose(cell: OpenCell, { gross, compared }: Realised): void {
  cell.closes += 1;
  if (gross.gt(ZERO)) {
    cell.wonCloses += 1;
    cell.won = cell.won.plus(gross);
  } else if (gross.lt(ZERO)) {
    cell.lostCloses += 1;
  }
  cell.comparedGross = cell.comparedGross.plus(compared.gross);
  cell.comparedFees = cell.comparedFees.plus(compared.fees);
}

function addTrip(cell: OpenCell, { gross }: RoundTrip): void {
  cell.trips += 1;
  cell.wonTrips += gross.gt(ZERO) ? 1 : 0;
  cell.lostTrips += gross.lt(ZERO) ? 1 : 0;
}

/** How many more fills share their time with one of the other side. */
function newTies(met: Met, { time, sign }: Trade): number {
  if (met.time !== time) {
    Object.assign(met, { time, buys: 0, sells: 0 });
  }
  const before = tied(met);
  met[sign > 0 ? "buys" : "sells"] += 1;
  return tied(met) - before;
}

function tied({ buys, sells }: Met): number {
  return buys > 0 && sells > 0 ? buys + sells : 0;
}
