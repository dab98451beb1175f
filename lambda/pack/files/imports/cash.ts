import { type Amount, formatAmount } from "../../../accounting/amount.ts";
import type { Booked } from "../../../accounting/booked.ts";
import { sideOf } from "../../../accounting/cost-book.ts";
import type { Funding } from "../../../accounting/tally.ts";
import type { Trade } from "../../../accounting/trade.ts";
import { magnitude } from "../../../core/decimal.ts";
import { compareText } from "../../../core/text.ts";
import { isoTime } from "../../../core/time.ts";
import type { Transfer } from "../../../inputs/transfers.ts";
import type { FormattedAmounts } from "../../build/formatted-amounts.ts";
import type { PackContext } from "../../build/maker.ts";
import { memoizeLast } from "../../build/memoize-last.ts";
import { takenUntil } from "../../build/taken-until.ts";
import { plain } from "./plain.ts";

/** What moves cash: the gross result of a close, the fee of a fill, a funding payment, a transfer. */
export type Kind = "profit" | "loss" | "fee" | "rebate" | "fundingReceived" | "fundingPaid" | "deposit" | "withdrawal";

/** One movement of cash: a row of an import file, before it gets a tool's words. */
export interface Movement {
  /** ms UTC */
  readonly time: number;
  /** The time as ISO 8601 UTC with milliseconds. */
  readonly iso: string;
  readonly kind: Kind;
  /** Above zero. */
  readonly amount: Amount;
  /** The amount as files write it: every digit, and at least two places. */
  readonly digits: string;
  /** The market's settlement currency, or the currency of the transfer. */
  readonly currency: string;
  /** Currency and market as files write them: see plain.ts. */
  readonly symbol: string;
  /** "" for a transfer. */
  readonly market: string;
  /** `fee of buy 1 @ 100`; for merged movements `fee of buy 1 @ 100 and others (3 fills)`. */
  readonly text: string;
  /** The text, after the market if there is one. */
  readonly description: string;
  /**
   * `<match_id>/<order_id>/<pnl|fee>`, `funding/<time>/<market>/<number>` or `transfer/<time>/<number>`.
   * Unique, and the same in every run.
   */
  readonly id: string;
  /** Null for funding and transfers. */
  readonly matchId: string | null;
  readonly orderId: string | null;
}

/** The movements from which all import files of a pack are made. */
export interface Cash {
  /**
   * The movements of booked fills, in their order, and the user's movements before them. The result of a fill
   * comes before its fee. The user's movements come after the fills of their time.
   */
  of(batch: readonly Booked[]): readonly Movement[];
  /** The user's movements after all fills. */
  rest(): readonly Movement[];
}

export function cashOf({ funding, transfers, textsOf }: PackContext): Cash {
  const own = [...fundingMovements(funding ?? []), ...transferMovements(transfers ?? [])];
  const ownUntil = takenUntil(own.sort((a, b) => a.time - b.time));
  let rest: readonly Movement[] | null = null;
  return {
    of: memoizeLast((batch) => {
      const movements: Movement[] = [];
      for (const texts of textsOf(batch)) {
        movements.push(...ownUntil(texts.booked.time));
        addMovements(texts, movements);
      }
      return movements;
    }),
    rest() {
      rest ??= ownUntil(Number.POSITIVE_INFINITY);
      return rest;
    },
  };
}

export function isReceived(kind: Kind): boolean {
  return kind === "profit" || kind === "rebate" || kind === "fundingReceived" || kind === "deposit";
}

export function isFunding(kind: Kind): boolean {
  return kind === "fundingReceived" || kind === "fundingPaid";
}

export function isTransfer(kind: Kind): boolean {
  return kind === "deposit" || kind === "withdrawal";
}

/** `1 fill`, `2 fills`, `2 payments`: how many were merged into a movement. */
export function countedOf(kind: Kind, count: number): string {
  const noun = isFunding(kind) ? "payment" : "fill";
  return `${count} ${isTransfer(kind) ? "transfer" : noun}${count === 1 ? "" : "s"}`;
}

/** The order within a time: a deposit pays for what comes with it. */
function rankOf(kind: Kind): number {
  if (isTransfer(kind)) {
    return kind === "deposit" ? 0 : 3;
  }
  return isFunding(kind) ? 2 : 1;
}

/**
 * Oldest first. Within a time: deposits, then by match and order, then funding, then withdrawals. Results and
 * fees of one fill keep their order.
 */
export function byOrder(a: Movement, b: Movement): number {
  return (
    a.time - b.time ||
    rankOf(a.kind) - rankOf(b.kind) ||
    compareText(a.matchId ?? "", b.matchId ?? "") ||
    compareText(a.orderId ?? "", b.orderId ?? "")
  );
}

/** Every digit, and at least two places. */
export function digitsOf(amount: Amount): string {
  return twoPlaces(formatAmount(amount));
}

function twoPlaces(text: string): string {
  const point = text.indexOf(".");
  if (point === -1) {
    return `${text}.00`;
  }
  return text.length - point === 2 ? `${text}0` : text;
}

/** Adds the result of a fill and then its fee. Zero and unknown amounts are left out. */
function addMovements(texts: FormattedAmounts, movements: Movement[]): void {
  const { trade, realised } = texts.booked;
  const gross = realised?.gross ?? 0n;
  if (trade === null) {
    return;
  }
  if (gross !== 0n) {
    const kind = gross > 0n ? "profit" : "loss";
    const text = `close ${sideOf(-trade.sign)} ${texts.closed} @ ${texts.price}`;
    movements.push(movementOf(texts, trade, { kind, ...sizeOf(gross, texts.gross), text, part: "pnl" }));
  }
  if (trade.fee !== 0n) {
    const kind = trade.fee > 0n ? "fee" : "rebate";
    const text = `${kind} of ${trade.sign === 1n ? "buy" : "sell"} ${texts.quantity} @ ${texts.price}`;
    movements.push(movementOf(texts, trade, { kind, ...sizeOf(trade.fee, texts.fee), text, part: "fee" }));
  }
}

type Own = Pick<Movement, "kind" | "amount" | "digits" | "text"> & { readonly part: "pnl" | "fee" };

function movementOf(
  { booked: { time }, time: iso }: FormattedAmounts,
  { fill: { matchId, orderId }, currency, market: name }: Trade,
  { kind, amount, digits, text, part }: Own,
): Movement {
  const market = plain(name);
  return {
    time,
    iso,
    kind,
    amount,
    digits,
    currency,
    symbol: plain(currency),
    market,
    text,
    description: `${market} ${text}`,
    id: `${plain(matchId)}/${plain(orderId)}/${part}`,
    matchId,
    orderId,
  };
}

function fundingMovements(funding: readonly Funding[]): Movement[] {
  const numbered = numbering();
  return funding.flatMap((payment) => {
    const { time, amount } = payment;
    const market = plain(payment.market);
    const movement: Movement = {
      ...ownOf(payment),
      kind: amount > 0n ? "fundingReceived" : "fundingPaid",
      market,
      ...wordsOf(market, amount > 0n ? "funding received" : "funding paid"),
      id: numbered(`funding/${isoTime(time)}/${market}`),
    };
    return amount === 0n ? [] : [movement];
  });
}

function transferMovements(transfers: readonly Transfer[]): Movement[] {
  const numbered = numbering();
  return transfers.map((transfer) => {
    const kind = transfer.amount > 0n ? "deposit" : "withdrawal";
    const id = numbered(`transfer/${isoTime(transfer.time)}`);
    return { ...ownOf(transfer), kind, market: "", text: kind, description: kind, id };
  });
}

/** What all of the user's movements share. */
function ownOf({ time, amount, currency }: Pick<Transfer, "time" | "amount" | "currency">) {
  const size = sizeOf(amount, formatAmount(amount));
  return { time, iso: isoTime(time), ...size, currency, symbol: plain(currency), matchId: null, orderId: null };
}

/** Numbers equal texts. */
function numbering(): (text: string) => string {
  const numbers = new Map<string, number>();
  return (text) => {
    const number = (numbers.get(text) ?? 0) + 1;
    numbers.set(text, number);
    return `${text}/${number}`;
  };
}

export function wordsOf(market: string, text: string): Pick<Movement, "text" | "description"> {
  return { text, description: `${market} ${text}` };
}

/** A signed amount and its text, both without the sign. */
export function sizeOf(signed: Amount, text: string): Pick<Movement, "amount" | "digits"> {
  return { amount: magnitude(signed), digits: twoPlaces(signed < 0n ? text.slice(1) : text) };
}
