import { formatAmount } from "../../../../lambda/accounting/amount.ts";
import type { Booked } from "../../../../lambda/accounting/booked.ts";
import { localTime } from "../../../../lambda/core/period.ts";

/** The sums of the page made again, from booked fills and with nothing of what the page is made from. */
export interface Sums {
  fills: number;
  gross: [bigint, bigint];
  fees: [bigint, bigint];
  /** Fills without a known result. */
  unknown: number;
  closes: number;
  paid: bigint;
  rebates: bigint;
  volume: Record<string, bigint>;
  counts: Record<string, number>;
  /** Sold less bought. */
  cash: bigint;
  bought: bigint;
  sold: bigint;
}

export function sumsOf(booked: readonly Booked[]): Sums {
  const sums: Sums = {
    fills: booked.length,
    gross: [0n, 0n],
    fees: [0n, 0n],
    unknown: 0,
    closes: 0,
    paid: 0n,
    rebates: 0n,
    volume: { maker: 0n, taker: 0n, other: 0n },
    counts: { maker: 0, taker: 0, other: 0 },
    cash: 0n,
    bought: 0n,
    sold: 0n,
  };
  for (const one of booked) {
    addResult(sums, one);
    addTrade(sums, one);
  }
  return sums;
}

function addResult(sums: Sums, { trade, realised, closed, after }: Booked): void {
  for (const method of [0, 1] as const) {
    sums.gross[method] += realised?.[method].gross ?? 0n;
    sums.fees[method] += realised?.[method].fees ?? 0n;
  }
  if (realised !== null) {
    sums.closes += 1;
  } else if (trade === null || closed > 0n || after === null) {
    sums.unknown += 1;
  }
}

function addTrade(sums: Sums, { trade }: Booked): void {
  if (trade === null) {
    return;
  }
  const value = trade.price * trade.quantity;
  const liquidity = trade.fill.liquidity ?? "other";
  const kind = liquidity in sums.volume ? liquidity : "other";
  sums.volume[kind] = (sums.volume[kind] ?? 0n) + value;
  sums.counts[kind] = (sums.counts[kind] ?? 0) + 1;
  sums[trade.fee > 0n ? "paid" : "rebates"] += trade.fee;
  sums[trade.sign === 1n ? "bought" : "sold"] += trade.quantity;
  sums.cash -= trade.sign * value;
}

/** A result as the page must give it: what is not known is no zero. */
export function result(amount: bigint, { unknown, closes }: Sums): string {
  return unknown > 0 && closes === 0 ? "not known" : formatAmount(amount);
}

/** Fills of one settlement currency. */
export function settledIn(booked: readonly Booked[], currency: string): Booked[] {
  return booked.filter(({ fill }) => fill.market?.endsWith(`-${currency}`));
}

export function byMonth(booked: readonly Booked[], zone: string): Map<string, Booked[]> {
  return Map.groupBy(booked, ({ time }) => localTime(time, zone).slice(0, 7));
}

export function byMarket(booked: readonly Booked[]): Map<string, Booked[]> {
  return Map.groupBy(booked, ({ fill }) => fill.market ?? "");
}
