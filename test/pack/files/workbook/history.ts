import type { PlainFill } from "../../../../lambda/core/plain-fill.ts";
import type { Closing, ExceptionRow, PackContext } from "../../../../lambda/pack/build/maker.ts";
import { workbookMaker } from "../../../../lambda/pack/files/workbook/workbook.ts";
import type { Books } from "../../../accounting/make.ts";
import { prng } from "../../../support/prng.ts";

const MARKETS = ["BTC-USDT", "ETH-USDT", "SOL-USD", "DOGE-USD"] as const;

/** Fills spread evenly over a time, back and forth around flat, with rebates, ties and as many digits as there can be. */
export function drawFills(count: number, from: number, to: number, seed = 1): PlainFill[] {
  const draw = prng(seed);
  const step = (to - from) / count;
  const held = MARKETS.map(() => 0);
  return Array.from({ length: count }, (_, at) => {
    const which = draw.int(MARKETS.length);
    const position = held[which] ?? 0;
    const side = draw.int(7) < 3 + Math.sign(position) * 2 ? "sell" : "buy";
    const size = 1 + draw.int(3);
    held[which] = position + (side === "buy" ? size : -size);
    const time = from + Math.floor((draw.int(20) === 0 && at > 0 ? at - 1 : at) * step);
    const digits = `${draw.int(10 ** 9)}`.padStart(9, "0");
    return {
      matchId: `0193e5a2-${draw.word().toString(16)}-${at}`,
      orderId: String(10n ** 19n + BigInt(draw.word())),
      txCreated: time,
      filledAt: time,
      market: MARKETS[which] ?? "BTC-USDT",
      side,
      liquidity: ["maker", "taker", null][draw.int(3)] ?? null,
      tradeType: "limit",
      fillType: "complete",
      triggerType: "none",
      transactionHash: null,
      // Few sizes, so that positions meet zero now and then; later ones have all the digits that there can be.
      quantity: at * 2 > count && draw.int(8) === 0 ? `${size}.${digits}${digits}` : String(size),
      price: `${100 + draw.int(900)}.${digits}`,
      fee: `${draw.int(4) === 0 ? "-" : ""}0.${digits}`,
      triggerPrice: "0",
      extra: null,
    };
  });
}

export function closingOf({ statement, booked }: Books, exceptions: readonly ExceptionRow[] = []) {
  return {
    statement,
    ties: [],
    converted: null,
    proof: {
      complete: true,
      coverage: [],
      gaps: [],
      assumed: [],
      fills: booked.length,
      setHash: "00ab".repeat(16),
      months: [],
      restatements: { late: 1, changed: 2, enriched: 3 },
    },
    exceptions: { count: exceptions.length, first: exceptions },
  };
}

/** The workbook's bytes; `batch`: booked fills that are added at once. */
export async function makeWorkbook(
  books: Books,
  { closing = closingOf(books), context = books.context, batch = 1000 }: MakeOptions = {},
): Promise<Uint8Array> {
  const maker = workbookMaker(context);
  const parts = [maker.begin()];
  for (let at = 0; at < books.booked.length; at += batch) {
    parts.push(maker.add(books.booked.slice(at, at + batch)));
  }
  const last = await maker.end(closing);
  if (parts.join("") !== "" || typeof last === "string") {
    throw new TypeError("a workbook is bytes that come at the end");
  }
  return last;
}

export interface MakeOptions {
  readonly closing?: Closing;
  readonly context?: PackContext;
  readonly batch?: number;
}
