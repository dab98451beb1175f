import type { Unit } from "../../archive/read.ts";
import { byTradeTime, byTxCreated, type Fill, tradeTime } from "../../core/fill.ts";

export const DATE_BY_NAMES = ["fill", "transaction"] as const;
export type DateByName = (typeof DATE_BY_NAMES)[number];
export const DEFAULT_DATE_BY = "fill" satisfies DateByName;

/** Says by which of its two times a fill counts. That time decides the fill's period and its order. */
export interface DateBy {
  readonly name: DateByName;
  /** ms UTC */
  readonly timeOf: (fill: Fill) => number;
  /** The other time. It is equal if the service gave only one. */
  readonly otherTimeOf: (fill: Fill) => number;
  readonly compare: (a: Fill, b: Fill) => number;
  /** No fill of the unit counts before the first time or after the last. */
  readonly firstOf: (unit: Unit) => number;
  readonly lastOf: (unit: Unit) => number;
}

export const DATE_BY: Readonly<Record<DateByName, DateBy>> = {
  fill: {
    name: "fill",
    timeOf: tradeTime,
    otherTimeOf: ({ txCreated }) => txCreated,
    compare: byTradeTime,
    firstOf: ({ firstTrade }) => firstTrade,
    lastOf: ({ lastTrade }) => lastTrade,
  },
  transaction: {
    name: "transaction",
    timeOf: ({ txCreated }) => txCreated,
    otherTimeOf: tradeTime,
    compare: byTxCreated,
    firstOf: ({ from }) => from,
    lastOf: ({ to }) => to - 1,
  },
};
