import { type Amount, ZERO } from "../core/amount.ts";
import { quoteCurrencyOf } from "../core/market.ts";
import type { Period, PeriodMonth } from "../core/period.ts";
import { compareText } from "../core/text.ts";
import type { AccountsState, Origin } from "./accounts.ts";
import type { Result, UnknownReason } from "./booked.ts";
import type { Break } from "./breaks.ts";
import type { OpenLot } from "./cost-book.ts";
import { blankCloses, type Cell, totalCell } from "./cube/cell.ts";
import type { Cube, DayNet } from "./cube/cube.ts";
import { keyOf, onlyNames, projected } from "./cube/project.ts";
import type { Methods } from "./method.ts";

/** Sums over fills of one kind. */
export interface Activity {
  readonly fills: number;
  /** Quantity × price. */
  readonly volume: Amount;
  /** Fees above zero. */
  readonly feesPaid: Amount;
  /** Fees below zero, as a negative amount. */
  readonly rebates: Amount;
}

export const LIQUIDITIES = ["maker", "taker", "other"] as const;
export type Liquidity = (typeof LIQUIDITIES)[number];

/** One market in one month: its settlement currency and its sums, by the chosen method. */
export interface MarketMonth extends Result {
  /** `2025-03` */
  readonly month: string;
  /** "" for fills without one. */
  readonly market: string;
  /** The settlement currency. "": not known. */
  readonly currency: string;
  readonly activity: Readonly<Record<Liquidity, Activity>>;
  /** Fills that cannot be classified. They are in no sum. */
  readonly untyped: number;
  /** Closing fills whose PnL is known, and those whose PnL is not. */
  readonly closes: number;
  readonly blankCloses: number;
  /** Breaks with a part in this month. Its sums may be incomplete. */
  readonly breaks: number;
  /**
   * Σ −side × quantity × price of the fills whose position is known. Gross PnL and open value must add up to
   * it.
   */
  readonly cashFlow: Amount;
  /** From the user's file. Null: there is none. */
  readonly funding: Amount | null;
}

type MarketMonthName = Pick<MarketMonth, "month" | "market" | "currency">;

/** Orders market months by month, then market, then currency. */
export function byMonthAndMarket(a: MarketMonthName, b: MarketMonthName): number {
  return compareText(a.month, b.month) || compareText(a.market, b.market) || compareText(a.currency, b.currency);
}

/** What a market carries into or out of the period. */
export interface Carried {
  /** Signed. Null: not known. */
  readonly position: Amount | null;
  readonly blank: UnknownReason | null;
  /** By the chosen method. Empty while PnL is blank. */
  readonly lots: readonly OpenLot[];
}

export interface MarketStatement {
  readonly market: string;
  readonly currency: string;
  readonly origin: Origin;
  /** From the specification. Null: not given, or there is no specification. */
  readonly contractType: string | null;
  /** The number of closes whose PnL is not known, by reason. */
  readonly blanks: ReadonlyMap<UnknownReason, number>;
  /** Fills that share their time with a fill of the other side. Nothing gives their order. */
  readonly ties: number;
  readonly before: Carried;
  readonly after: Carried;
}

/** All sums of a pack's period. Summary, workbook and report are made from them. */
export interface Statement {
  readonly methods: Methods;
  readonly months: readonly PeriodMonth[];
  /** By month, then market. Empty ones are left out. */
  readonly marketMonths: readonly MarketMonth[];
  /** The sum of each currency under the method for comparison. */
  readonly compared: ReadonlyMap<string, Result>;
  /** Sorted. Markets with fills in the period, or with a position at its beginning or end. */
  readonly markets: readonly MarketStatement[];
  /** By day, then currency. */
  readonly days: readonly DayNet[];
  /** Closed in the period. */
  readonly trips: { readonly count: number; readonly won: number; readonly lost: number };
}

/** What a statement says beside its sums. */
export interface StatementPlan {
  readonly account: string;
  readonly methods: Methods;
  readonly period: Period;
  readonly breaks: readonly Break[];
  readonly contractTypes: ReadonlyMap<string, string | null>;
  /** The accounts at the two ends of the period. */
  readonly before: AccountsState;
  readonly after: AccountsState;
}

/** The sums of one account in a cube whose days have all ended. */
export function statementOf(cube: Cube, plan: StatementPlan): Statement {
  const cells = cube.cells.filter(({ account }) => account === plan.account);
  const isFunded = cube.funded.has(plan.account);
  const marketMonths = [...Map.groupBy(cells, (cell) => keyOf(cell, OF_MARKET_MONTH)).values()];
  const byCurrency = projected(cells, ["currency"]).filter(({ closes }) => closes > 0);
  const { trips, wonTrips, lostTrips } = totalCell(cells);
  return {
    methods: plan.methods,
    months: cube.months,
    marketMonths: marketMonths.map((own) => marketMonthOf(own, isFunded)),
    compared: new Map(
      byCurrency.map(({ currency, comparedGross, comparedFees }) => [
        currency ?? "",
        { gross: comparedGross, fees: comparedFees },
      ]),
    ),
    markets: marketsOf(cube, cells, plan),
    days: cube.nets,
    trips: { count: trips, won: wonTrips, lost: lostTrips },
  };
}

const OF_MARKET_MONTH = ["month", "market", "currency"] as const;

/** `cells`: of one market, month and currency, by kind. */
function marketMonthOf(cells: readonly Cell[], isFunded: boolean): MarketMonth {
  const { month, market, currency, untyped, closes, blanks, breaks, gross, fees, cashFlow, funding } = {
    ...totalCell(cells),
    ...onlyNames(cells[0] ?? {}, OF_MARKET_MONTH),
  };
  const activity = (kind: Liquidity): Activity => {
    const { fills, volume, feesPaid, rebates } = cells.find((cell) => cell.kind === kind) ?? totalCell([]);
    return { fills, volume, feesPaid, rebates };
  };
  return {
    ...{ month: month ?? "", market: market ?? "", currency: currency ?? "" },
    activity: { maker: activity("maker"), taker: activity("taker"), other: activity("other") },
    ...{ untyped, closes, blankCloses: blankCloses({ blanks }), breaks, gross, fees, cashFlow },
    funding: isFunded ? funding : null,
  };
}

function marketsOf(cube: Cube, cells: readonly Cell[], plan: StatementPlan): MarketStatement[] {
  const { account, before, after, breaks, contractTypes, period } = plan;
  const active = new Map(projected(cells, ["market"]).map((cell) => [cell.market ?? "", cell]));
  return [...new Set([...active.keys(), ...after.keys()])].sort().flatMap((market) => {
    const end = carriedOf(after, market) ?? NOTHING_CARRIED;
    const first = cube.firstOf(account, market);
    const start = carriedOf(before, market) ?? carriedUnseen(first === undefined ? end.position : first, end);
    if (!active.has(market) && start.position?.isZero() === true && end.position?.isZero() === true) {
      return [];
    }
    // The period's opening position comes from the end of a break.
    const isAnew = breaks.some((one) => one.market === market && one.to <= period.from);
    const origin =
      isAnew && end.blank !== "unsupported_contract_type" ? "declared" : (after.get(market)?.origin ?? "unknown");
    const { blanks, ties } = active.get(market) ?? totalCell([]);
    const names = { market, currency: quoteCurrencyOf(market) ?? "" };
    return [
      { ...names, origin, contractType: contractTypes.get(market) ?? null, blanks, ties, before: start, after: end },
    ];
  });
}

/** What the accounts hold of a market. Null: it has had no fill yet. */
export function carriedOf(state: AccountsState, market: string): Carried | null {
  const held = state.get(market)?.state;
  return held === undefined
    ? null
    : { position: held.position, blank: held.blank, lots: held.blank === null ? held.lots : [] };
}

export const NOTHING_CARRIED: Carried = { position: ZERO, blank: null, lots: [] };

/**
 * What a market carried into the period if its first fill came in the period: flat if it was flat before that
 * fill, else not known.
 */
export function carriedUnseen(first: Amount | null, end: Carried): Carried {
  if (first?.isZero() === true) {
    return NOTHING_CARRIED;
  }
  const blank = end.blank === "unsupported_contract_type" ? end.blank : "opening_unknown";
  return { position: null, blank, lots: [] };
}
