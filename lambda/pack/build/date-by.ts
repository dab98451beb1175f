import type { Sum } from "../../archive/index/node.ts";
import type { DataFile } from "../../archive/manifest-entries.ts";
import { byTradeTime, byTxCreated, type Fill, tradeTime } from "../../core/fill.ts";
import type { TimeRange } from "../../core/time.ts";

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
  /** No fill of the data file counts before the first time or after the last. */
  readonly firstOf: (dataFile: DataFile) => number;
  readonly lastOf: (dataFile: DataFile) => number;
  /** The same for all data files in a unit of the index that has some. */
  readonly firstIn: (sum: Sum, unit: TimeRange) => number;
  readonly lastIn: (sum: Sum) => number;
}

export const DATE_BY: Readonly<Record<DateByName, DateBy>> = {
  fill: {
    name: "fill",
    timeOf: tradeTime,
    otherTimeOf: ({ txCreated }) => txCreated,
    compare: byTradeTime,
    firstOf: ({ firstTrade }) => firstTrade,
    lastOf: ({ lastTrade }) => lastTrade,
    firstIn: ({ firstTrade }) => firstTrade ?? Number.NEGATIVE_INFINITY,
    lastIn: ({ lastTrade }) => lastTrade ?? Number.POSITIVE_INFINITY,
  },
  transaction: {
    name: "transaction",
    timeOf: ({ txCreated }) => txCreated,
    otherTimeOf: tradeTime,
    compare: byTxCreated,
    firstOf: ({ from }) => from,
    lastOf: ({ to }) => to - 1,
    firstIn: (_, { from }) => from,
    lastIn: ({ dataFilesTo }) => dataFilesTo - 1,
  },
};
