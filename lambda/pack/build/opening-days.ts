import type { Booked } from "../../accounting/booked.ts";
import type { Break } from "../../accounting/breaks.ts";
import { type Opener, sideOf } from "../../accounting/cost-book.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { localDays } from "../../core/local-day.ts";
import { type Period, parseTime } from "../../core/period.ts";
import { DAY_MS, isoTime } from "../../core/time.ts";
import { Books, type BooksPlan } from "./books.ts";

/**
 * Days on each side in the window of 26 USC 1091(a): "beginning 30 days before the date of such sale … and
 * ending 30 days after such date".
 */
const WINDOW_DAYS = 30;

/** A loss: the position that was closed, when, and what had opened it. */
export interface ClosedLoss {
  readonly market: string;
  readonly side: "long" | "short";
  /** ms UTC */
  readonly time: number;
  readonly opener: Opener;
}

/**
 * Whether the same position was opened again around a close. `not known`: nothing was seen, and part of the
 * window is not covered.
 */
export type Reopening = "yes" | "no" | "not known";

export interface OpeningDaysPlan {
  readonly period: Period;
  /** Everything from here to the period is covered, ms UTC. -Infinity: since the account's beginning. */
  readonly since: number;
  readonly breaks: readonly Break[];
  /** True: no fill of the period is missing. */
  readonly complete: boolean;
}

interface Side {
  /** The number of opening fills by day, counted from 1970. */
  readonly opened: Map<number, number>;
  /** Days of fills that may have opened something, because the position was not known. */
  readonly unknown: Set<number>;
}

/**
 * The days on which positions were opened, by market and side. Its size grows with markets and days, not with
 * fills.
 */
export class OpeningDays {
  readonly #plan: OpeningDaysPlan;
  readonly #dayOf: (ms: number) => string;
  readonly #openingDayOf: (ms: number) => string;
  /** Earlier days lie in no window. */
  readonly #first: number;
  readonly #markets = new Map<string, Record<ClosedLoss["side"], Side>>();
  readonly #seen = new Map<number, boolean>();

  constructor(plan: OpeningDaysPlan) {
    this.#plan = plan;
    const { zone, firstDay } = plan.period;
    this.#dayOf = localDays(zone);
    this.#openingDayOf = localDays(zone); // of its own, since each is fast for times that come in order
    // Where clocks go back over midnight, a fill of the period can fall on the day before the period's first.
    this.#first = numberOf(firstDay) - WINDOW_DAYS - 1;
  }

  /** Booked fills in order, including those before the period. */
  add(batch: readonly Booked[]): void {
    for (const { fill, trade, time, after, opened } of batch) {
      const day = numberOf(this.#dayOf(time));
      if (day < this.#first) {
        continue;
      }
      const { long, short } = this.#sidesOf(fill.market ?? "");
      if (trade === null) {
        long.unknown.add(day);
        short.unknown.add(day);
        continue;
      }
      const side = sideOf(trade.sign) === "long" ? long : short;
      if (after === null) {
        side.unknown.add(day);
      } else if (opened > 0n) {
        side.opened.set(day, (side.opened.get(day) ?? 0) + 1);
      }
    }
  }

  /**
   * Whether another fill than the opener opened the same market on the same side within 30 days before or
   * after the closing day.
   */
  around({ market, side, time, opener }: ClosedLoss): Reopening {
    const day = numberOf(this.#dayOf(time));
    const { opened, unknown } = this.#sidesOf(market)[side];
    const isOwnIn = opener.matchId !== null && Math.abs(numberOf(this.#openingDayOf(opener.time)) - day) <= WINDOW_DAYS;
    let others = isOwnIn ? -1 : 0;
    let isUnknown = !this.#isSeen(market, day);
    for (let at = day - WINDOW_DAYS; at <= day + WINDOW_DAYS; at += 1) {
      others += opened.get(at) ?? 0;
      isUnknown ||= unknown.has(at);
    }
    if (others > 0) {
      return "yes";
    }
    return isUnknown ? "not known" : "no";
  }

  /** True if no fill of the window around the day can be missing. */
  #isSeen(market: string, day: number): boolean {
    const { period, since, breaks, complete } = this.#plan;
    const isCovered = getOrMake(this.#seen, day, () => {
      const { from, to } = windowAround(day, period.zone);
      return complete && from >= since && to <= period.to;
    });
    if (!isCovered || breaks.length === 0) {
      return isCovered;
    }
    const { from, to } = windowAround(day, period.zone);
    return !breaks.some((one) => one.market === market && one.from < to && one.to >= from);
  }

  #sidesOf(market: string): Record<ClosedLoss["side"], Side> {
    const none = (): Side => ({ opened: new Map(), unknown: new Set() });
    return getOrMake(this.#markets, market, () => ({ long: none(), short: none() }));
  }
}

/** Reads the books once before the pack is made, because a window also has days after the close. */
export async function readOpeningDays(books: BooksPlan, plan: Omit<OpeningDaysPlan, "since">): Promise<OpeningDays> {
  const { from, to } = plan.period;
  const days = new OpeningDays({ ...plan, since: books.since });
  const led = await Books.at(books, from, (booked) => days.add(booked));
  for await (const booked of led.until(to)) {
    days.add(booked);
  }
  return days;
}

function windowAround(day: number, zone: string) {
  return { from: beginningOf(day - WINDOW_DAYS, zone), to: beginningOf(day + WINDOW_DAYS + 1, zone) };
}

function beginningOf(day: number, zone: string): number {
  return parseTime(isoTime(day * DAY_MS).slice(0, 10), zone);
}

/** Days since 1970-01-01 of `2025-03-01`. */
export function numberOf(day: string): number {
  return Date.parse(day) / DAY_MS;
}
