import { parseSetHash } from "../../../../lambda/archive/set-hash.ts";
import type { PlainFill } from "../../../../lambda/core/plain-fill.ts";
import type { Closing, PackContext } from "../../../../lambda/pack/build/maker.ts";
import { reportMaker } from "../../../../lambda/pack/files/report/report.ts";
import type { Books } from "../../../accounting/make.ts";
import { makeFill } from "../../../support/make-fill.ts";
import { type Prng, prng } from "../../../support/prng.ts";

const SET_HASH = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/** What a sound pack of these books ends with. */
export function closingOf({ booked, statement, context }: Books, changes: Partial<Closing> = {}): Closing {
  const { period, complete } = context;
  let next = 0;
  const months = statement.months.map((month) => {
    const start = next;
    while ((booked[next]?.time ?? Number.POSITIVE_INFINITY) < month.to) {
      next += 1;
    }
    const [first, last] = [booked[start], booked[next - 1]];
    return {
      ...month,
      rows: next - start,
      first: next > start ? (first?.time ?? null) : null,
      last: next > start ? (last?.time ?? null) : null,
      set: parseSetHash(SET_HASH),
    };
  });
  return {
    statement,
    ties: [],
    proof: {
      complete,
      coverage: [{ from: period.from, to: period.to }],
      gaps: [],
      assumed: [],
      fills: booked.length,
      setHash: SET_HASH,
      months,
      restatements: { late: 0, changed: 0, enriched: 0 },
    },
    exceptions: { count: 0, first: [] },
    converted: null,
    ...changes,
  };
}

/** The page, the fills in batches of `size`. */
export function pageOf(books: Books, { context = {}, closing = {}, size = 1000 }: PageOptions = {}): string {
  const maker = reportMaker({ ...books.context, ...context });
  let text = maker.begin();
  for (let at = 0; at < books.booked.length; at += size) {
    text += maker.add(books.booked.slice(at, at + size));
  }
  const end = maker.end(closingOf(books, closing));
  if (typeof end !== "string") {
    throw new TypeError("the page is text");
  }
  return text + end;
}

export interface PageOptions {
  readonly context?: Partial<PackContext>;
  readonly closing?: Partial<Closing>;
  readonly size?: number;
}

const MARKETS = [
  { market: "BTC-USDT", price: 94_000, step: 0.01, lot: 0.004 },
  { market: "ETH-USDT", price: 3300, step: 0.01, lot: 0.09 },
  { market: "SOL-USDT", price: 190, step: 0.001, lot: 1.6 },
  { market: "BTC-USD", price: 94_000, step: 0.5, lot: 0.003 },
  { market: "ETH-USD", price: 3300, step: 0.05, lot: 0.05 },
  { market: "DOGE-USD", price: 0.32, step: 0.000_01, lot: 900 },
] as const;

export interface DrawOptions {
  readonly seed: number;
  readonly fills: number;
  /** ms UTC, `[from, to)` */
  readonly from: number;
  readonly to: number;
}

/** A trader's fills in six markets and two currencies: prices walk, positions come back to nothing now and then. */
export function drawFills({ seed, fills, from, to }: DrawOptions): PlainFill[] {
  const draw = prng(seed);
  const states = MARKETS.map(({ price }) => ({ price, position: 0 }));
  return Array.from({ length: fills }, (_, at): PlainFill => {
    const index = Math.min(draw.int(9), MARKETS.length - 1);
    const facts = MARKETS[index] ?? MARKETS[0];
    const state = states[index] ?? { price: facts.price, position: 0 };
    const move = (draw.next() - 0.499) * 0.008;
    const signed = nextSize(draw, state.position, move);
    state.position += signed;
    const price = (Math.round(state.price / facts.step) * facts.step).toFixed(5);
    state.price *= 1 + move;
    const quantity = (Math.abs(signed) * facts.lot).toFixed(4);
    const time = Math.floor(from + ((to - from) * at) / fills + draw.next() * 1000);
    const isMaker = draw.next() < 0.45;
    return makeFill({
      matchId: `${hex(draw, 8)}-${hex(draw, 4)}-4${hex(draw, 3)}-9${hex(draw, 3)}-${hex(draw, 8)}${hex(draw, 4)}`,
      orderId: `01J${hex(draw, 8)}${hex(draw, 8)}${hex(draw, 7)}`.toUpperCase(),
      txCreated: time,
      filledAt: time,
      market: facts.market,
      side: signed > 0 ? "buy" : "sell",
      liquidity: isMaker ? "maker" : "taker",
      quantity,
      price,
      fee: (Number(price) * Number(quantity) * (isMaker ? -0.000_05 : 0.000_35)).toFixed(6),
    });
  });
}

/** In lots: back to nothing now and then, else a few, with some luck about the price's next move. */
function nextSize(draw: Prng, position: number, move: number): number {
  const held = Math.abs(position);
  const closes = held > 0 && draw.next() < 0.1 + held * 0.02;
  const lots = closes && draw.next() < 0.6 ? held : 1 + draw.int(5);
  const isBuy = closes ? position < 0 : draw.next() < (move > 0 ? 0.545 : 0.455);
  return isBuy ? lots : -lots;
}

function hex(draw: Prng, digits: number): string {
  return draw.word().toString(16).padStart(8, "0").slice(0, digits);
}
