import { isBlank } from "../../../accounting/booked.ts";
import type { Trade } from "../../../accounting/trade.ts";
import type { FormattedAmounts, FormattedMatch } from "../../build/formatted-amounts.ts";

/** A row of a table of closes: a match, or a close whose PnL is not known; then `match` is null. */
export interface CloseRow {
  readonly own: FormattedAmounts;
  readonly trade: Trade;
  readonly match: FormattedMatch | null;
}

export function closeRowsOf(own: FormattedAmounts): readonly CloseRow[] {
  const { booked, matches } = own;
  const { trade } = booked;
  if (trade === null) {
    return [];
  }
  return isBlank(booked) ? [{ own, trade, match: null }] : matches.map((match) => ({ own, trade, match }));
}

/** What is closed. Of a position that is known without its cost it is known too; "" where nothing is. */
export function quantityOf({ match, own }: CloseRow): string {
  const isKnown = match !== null || own.booked.closed > 0n;
  return isKnown ? (match?.quantity ?? own.closed) : "";
}

/** The side of the position that the trade closes. */
export function sideOf({ sign }: Trade): string {
  return sign === 1n ? "short" : "long";
}

export function statusOf({ match, own }: CloseRow): string {
  return match === null ? (own.booked.blank ?? "market_incomplete") : "known";
}
