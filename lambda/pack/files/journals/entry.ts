import { type Amount, divideHalfEven, formatAmount } from "../../../accounting/amount.ts";
import { type Booked, isBlank, type Realised } from "../../../accounting/booked.ts";
import { METHOD_NAMES } from "../../../accounting/method.ts";
import type { Funding } from "../../../accounting/tally.ts";
import type { Trade } from "../../../accounting/trade.ts";
import { formatUnits } from "../../../core/decimal.ts";
import { isoTime } from "../../../core/time.ts";
import type { Transfer } from "../../../inputs/transfers.ts";
import type { FormattedAmounts } from "../../build/formatted-amounts.ts";
import type { PackContext } from "../../build/maker.ts";
import { memoizeLast } from "../../build/memoize-last.ts";
import { negative } from "./postings.ts";

/** A change of the margin balance in one currency: a result, a fee, funding or a transfer. */
export interface Movement {
  readonly role: "realised" | "fees" | "funding" | "transfers";
  /** Positive when the balance grows. Never zero. */
  readonly amount: Amount;
  /** The amount as a plain decimal. */
  readonly text: string;
}

/**
 * An entry of a journal before it gets a program's syntax: one fill with an effect, one funding payment, or
 * one transfer.
 */
export interface Entry {
  /** ms UTC */
  readonly time: number;
  /** "" for a transfer. */
  readonly market: string;
  /** The settlement currency. "": not known, and nothing is booked. */
  readonly currency: string;
  /** `sell 3 @ 110` */
  readonly what: string;
  /** `closes long 1 from 100, opens short 2 (FIFO)`. "" unless it is a fill that can be classified. */
  readonly effects: string;
  readonly movements: readonly Movement[];
  /** The user's note on a transfer; otherwise "". */
  readonly note: string;
  /** Why the result is not known. Null: it is known. */
  readonly unknown: string | null;
  /** The fill's ids; null for funding and transfers. */
  readonly fill: { readonly matchId: string; readonly orderId: string } | null;
  /** The kind of time, and the exact time, ISO 8601 UTC. */
  readonly stamp: readonly [name: string, iso: string];
}

/** The entries of a batch. Null for a fill that changes no balance. */
export type EntriesOf = (batch: readonly Booked[]) => readonly (Entry | null)[];

/** Made once for all journals of a pack. */
export function entriesOf(context: PackContext): EntriesOf {
  return memoizeLast((batch) => context.textsOf(batch).map((texts) => entryOf(texts, context)));
}

function entryOf(texts: FormattedAmounts, { methods, basis }: PackContext): Entry | null {
  const { booked } = texts;
  const { fill, time, trade } = booked;
  const result = booked.realised;
  const unknown = unknownOf(booked);
  const movements: Movement[] = [];
  if (result !== null && result.gross !== 0n) {
    movements.push({ role: "realised", amount: result.gross, text: texts.gross });
  }
  if (trade !== null && trade.fee !== 0n) {
    movements.push({ role: "fees", amount: -trade.fee, text: negative(texts.fee) });
  }
  if (movements.length === 0 && unknown === null) {
    return null;
  }
  const isFilled = basis === "fill" && fill.filledAt !== null;
  return {
    time,
    market: fill.market ?? "",
    currency: trade?.currency ?? "",
    what:
      trade === null
        ? "a fill that cannot be read as a trade, see exceptions.csv"
        : `${sideOf(trade)} ${texts.quantity} @ ${texts.price}`,
    effects: trade === null ? "" : effectsOf(trade, texts, result, METHOD_NAMES[methods.primary]),
    movements,
    note: "",
    unknown,
    fill,
    stamp: [isFilled ? "filled-at" : "tx-created", texts.time],
  };
}

/**
 * The user's funding payments and transfers by time. Within a time, deposits come first and withdrawals last.
 */
export function userEntries({ funding, transfers }: PackContext): readonly Entry[] {
  const [deposits, withdrawals] = [1, -1].map((sign) =>
    (transfers ?? []).filter(({ amount }) => amount > 0n === sign > 0).map(transferEntry),
  );
  const payments = (funding ?? []).filter(({ amount }) => amount !== 0n).map(fundingEntry);
  return [...(deposits ?? []), ...payments, ...(withdrawals ?? [])].sort((a, b) => a.time - b.time);
}

function fundingEntry({ time, market, amount, currency }: Funding): Entry {
  const what = amount > 0n ? "funding received" : "funding paid";
  return { ...userEntry("funding", amount), time, market, currency, what, note: "", stamp: ["paid-at", isoTime(time)] };
}

function transferEntry({ time, amount, currency, note }: Transfer): Entry {
  const what = amount > 0n ? "deposit" : "withdrawal";
  const stamp = ["transferred-at", isoTime(time)] as const;
  return { ...userEntry("transfers", amount), time, market: "", currency, what, note, stamp };
}

function userEntry(role: Movement["role"], amount: Amount) {
  return { effects: "", movements: [{ role, amount, text: formatAmount(amount) }], unknown: null, fill: null };
}

function unknownOf(booked: Booked): string | null {
  if (booked.trade === null) {
    return "cannot be read as a trade";
  }
  return isBlank(booked) ? booked.blank : null;
}

function effectsOf(trade: Trade, texts: FormattedAmounts, result: Realised | null, method: string): string {
  const { closed, opened, before } = texts.booked;
  if (before === null) {
    return "it is not known what this fill closes and opens";
  }
  const [from, to] = trade.sign === 1n ? ["short", "long"] : ["long", "short"];
  const known = result === null ? "" : ` from ${entryPriceOf(texts, closed)}`;
  const closes = closed > 0n ? `closes ${from} ${texts.closed}${known}` : "";
  const opens = opened > 0n ? `opens ${to} ${closed === 0n ? texts.quantity : formatUnits(opened)}` : "";
  const both = closes === "" || opens === "" ? closes + opens : `${closes}, ${opens}`;
  return result === null ? both : `${both} (${method})`;
}

/** The average opening price of the closed part. It is for the reader; nothing is calculated from it. */
function entryPriceOf({ matches }: FormattedAmounts, closed: bigint): string {
  const [first] = matches;
  if (first !== undefined && matches.length === 1 && first.match.openValue === closed * first.match.opener.price) {
    return first.openPrice;
  }
  const value = matches.reduce((sum, { match }) => sum + match.openValue, 0n);
  const price = divideHalfEven(value, closed);
  return `${price * closed === value ? "" : "about "}${formatUnits(price)}`;
}

function sideOf({ sign }: Trade): string {
  return sign === 1n ? "buy" : "sell";
}
