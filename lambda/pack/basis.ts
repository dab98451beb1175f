import type { Part } from "../archive/manifest.ts";
import { byTradeTime, byTxCreated, type Fill, tradeTime } from "../model/fill.ts";

export const BASES = ["fill", "transaction"] as const;
export type BasisName = (typeof BASES)[number];
export const DEFAULT_BASIS = "fill" satisfies BasisName;

/** Which of its times a fill counts by: which period it belongs to, and in which order. */
export interface Basis {
  readonly name: BasisName;
  /** ms UTC */
  readonly timeOf: (fill: Fill) => number;
  /** The other one: equal where the service gave only one. */
  readonly otherTimeOf: (fill: Fill) => number;
  readonly compare: (a: Fill, b: Fill) => number;
  /** No fill of the part counts before the first or after the last. */
  readonly firstOf: (part: Part) => number;
  readonly lastOf: (part: Part) => number;
}

export const BASIS: Readonly<Record<BasisName, Basis>> = {
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
