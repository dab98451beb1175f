import { type Amount, formatAmount } from "../../../accounting/amount.ts";
import type { Booked } from "../../../accounting/booked.ts";
import { sideOf } from "../../../accounting/cost-book.ts";
import type { Funding } from "../../../accounting/tally.ts";
import { magnitude } from "../../../core/decimal.ts";
import { compareText } from "../../../core/text.ts";
import { isoTime } from "../../../core/time.ts";
import type { FormattedAmounts } from "../../build/formatted-amounts.ts";
import type { PackContext } from "../../build/maker.ts";
import { memoizeLast } from "../../build/memoize-last.ts";
import { takenUntil } from "../../build/taken-until.ts";
import { plain } from "./plain.ts";

/** What moves cash: the gross result of a closing part, the fee of a fill, a payment of funding. */
export type Kind = "profit" | "loss" | "fee" | "rebate" | "fundingReceived" | "fundingPaid";

/** One movement of cash: a row of an import file, before a tool's words are put to it. */
export interface Movement {
  /** ms UTC */
  readonly time: number;
  /** The same as ISO 8601 UTC with milliseconds. */
  readonly iso: string;
  readonly kind: Kind;
  /** Above zero. */
  readonly amount: Amount;
  /** The same as files write it: every digit, and two places at least. */
  readonly digits: string;
  /** What it is settled in. */
  readonly currency: string;
  /** The same, and the market, as files write them: see plain.ts. */
  readonly symbol: string;
  readonly market: string;
  /** `fee of buy 1 @ 100`; of merged ones `fee of buy 1 @ 100 and others (3 fills)`. */
  readonly text: string;
  /** The same, led by the market. */
  readonly description: string;
  /** `<match_id>/<order_id>/<pnl|fee>`, or `funding/<time>/<market>/<number>`: unique, and the same in every run. */
  readonly id: string;
  /** Of its fill; null for funding. */
  readonly matchId: string | null;
  readonly orderId: string | null;
}

/** The movements that all import files of a pack are made from. */
export interface Cash {
  /** Of booked fills, in their order, and the funding before them: the result of a fill before its fee, funding after the fills of its time. */
  of(batch: readonly Booked[]): readonly Movement[];
  /** The funding after all fills. */
  rest(): readonly Movement[];
}

export function cashOf({ funding, textsOf }: PackContext): Cash {
  const fundingUntil = takenUntil(fundingMovements(funding ?? []));
  let rest: readonly Movement[] | null = null;
  return {
    of: memoizeLast((batch) =>
      textsOf(batch).flatMap((texts) => [...fundingUntil(texts.booked.time), ...movementsOf(texts)]),
    ),
    rest() {
      rest ??= fundingUntil(Number.POSITIVE_INFINITY);
      return rest;
    },
  };
}

export function isReceived(kind: Kind): boolean {
  return kind === "profit" || kind === "rebate" || kind === "fundingReceived";
}

export function isFunding(kind: Kind): boolean {
  return kind === "fundingReceived" || kind === "fundingPaid";
}

/** Oldest first; within a time by match and order, and funding last. Results and fees of one fill stay as they come. */
export function byOrder(a: Movement, b: Movement): number {
  return (
    a.time - b.time ||
    Number(isFunding(a.kind)) - Number(isFunding(b.kind)) ||
    compareText(a.matchId ?? "", b.matchId ?? "") ||
    compareText(a.orderId ?? "", b.orderId ?? "")
  );
}

/** Every digit, and two places at least. */
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

function movementsOf(texts: FormattedAmounts): Movement[] {
  const { fill, time, trade, realised } = texts.booked;
  const gross = realised?.primary.gross ?? 0n;
  if (trade === null || (gross === 0n && trade.fee === 0n)) {
    return [];
  }
  const id = `${plain(fill.matchId)}/${plain(fill.orderId)}`;
  const market = plain(trade.market);
  const common = {
    time,
    iso: texts.time,
    currency: trade.currency,
    symbol: plain(trade.currency),
    market,
    matchId: fill.matchId,
    orderId: fill.orderId,
  };
  const movements: Movement[] = [];
  if (gross !== 0n) {
    const words = wordsOf(market, `close ${sideOf(-trade.sign)} ${texts.closed} @ ${texts.price}`);
    movements.push({
      ...common,
      kind: gross > 0n ? "profit" : "loss",
      ...sizeOf(gross, texts.gross),
      ...words,
      id: `${id}/pnl`,
    });
  }
  if (trade.fee !== 0n) {
    const kind = trade.fee > 0n ? "fee" : "rebate";
    const side = trade.sign === 1n ? "buy" : "sell";
    const words = wordsOf(market, `${kind} of ${side} ${texts.quantity} @ ${texts.price}`);
    movements.push({ ...common, kind, ...sizeOf(trade.fee, texts.fee), ...words, id: `${id}/fee` });
  }
  return movements;
}

function fundingMovements(funding: readonly Funding[]): Movement[] {
  const numbers = new Map<string, number>();
  return funding.flatMap(({ time, market, amount, currency }) => {
    const iso = isoTime(time);
    const id = `funding/${iso}/${plain(market)}`;
    const number = (numbers.get(id) ?? 0) + 1;
    numbers.set(id, number);
    const movement: Movement = {
      time,
      iso,
      kind: amount > 0n ? "fundingReceived" : "fundingPaid",
      ...sizeOf(amount, formatAmount(amount)),
      currency,
      symbol: plain(currency),
      market: plain(market),
      ...wordsOf(plain(market), amount > 0n ? "funding received" : "funding paid"),
      id: `${id}/${number}`,
      matchId: null,
      orderId: null,
    };
    return amount === 0n ? [] : [movement];
  });
}

function wordsOf(market: string, text: string): Pick<Movement, "text" | "description"> {
  return { text, description: `${market} ${text}` };
}

/** A signed amount, and its text, without its sign. */
function sizeOf(signed: Amount, text: string): Pick<Movement, "amount" | "digits"> {
  return { amount: magnitude(signed), digits: twoPlaces(signed < 0n ? text.slice(1) : text) };
}
