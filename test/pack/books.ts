import type { Posted } from "../../lambda/accounting/posted.ts";
import type { RateConverter } from "../../lambda/accounting/rates/converter.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import type { Closing, FileMaker, PackContext } from "../../lambda/pack/make/maker.ts";
import { reportMaker } from "../../lambda/pack/report/report.ts";
import { FillSums } from "../../lambda/pack/tables/control.ts";
import { controlsTable } from "../../lambda/pack/tables/controls.ts";
import { workbookMaker } from "../../lambda/pack/workbook/workbook.ts";
import { type Books, cubeOf, inCurrency, sumsOf } from "../accounting/make.ts";
import { makeFill } from "../support/make-fill.ts";
import { prng } from "../support/prng.ts";

/** Makes books, and from them a page and a workbook. */

const MARKETS = ["BTC-USDT", "ETH-USDT", "SOL-USDT", "BTC-USD", "ETH-USD", "DOGE-USD"] as const;

/**
 * Fills spread evenly over `[from, to)`, ms UTC. They move back and forth around flat, with rebates, ties and
 * the most digits possible.
 */
export function drawFills(count: number, from: number, to: number, seed = 1): Fill[] {
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
    return makeFill({
      matchId: `0193e5a2-${draw.word().toString(16)}-${at}`,
      orderId: String(10n ** 19n + BigInt(draw.word())),
      txCreated: time,
      filledAt: time,
      market: MARKETS[which] ?? "BTC-USDT",
      side,
      liquidity: ["maker", "taker", null][draw.int(3)] ?? null,
      // Few sizes, so that positions reach zero now and then. Later fills have the most digits possible.
      quantity: at * 2 > count && draw.int(8) === 0 ? `${size}.${digits}${digits}` : String(size),
      price: `${100 + draw.int(900)}.${digits}`,
      fee: `${draw.int(4) === 0 ? "-" : ""}0.${digits}`,
    });
  });
}

const SHA256 = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/** The closing of a sound pack of these books. */
export function closingOf(books: Books, changes: Partial<Closing> = {}): Closing {
  const { booked, context } = books;
  const { period, complete } = context;
  const months = books.months.map((month) => {
    const times = booked.map(({ time }) => time).filter((time) => time >= month.from && time < month.to);
    return {
      ...month,
      rows: times.length,
      first: times[0] ?? null,
      last: times.at(-1) ?? null,
    };
  });
  return {
    sums: sumsOf(books),
    proof: {
      complete,
      coverage: [{ from: period.from, to: period.to, readings: 2 }],
      gaps: [],
      readTwiceAt: null,
      assumed: { silenceDays: null, vanished: 0 },
      declared: [],
      noted: [],
      declaredTrades: 0,
      fills: booked.length,
      sha256: SHA256,
      months,
      restatements: { late: 1, changed: 2, enriched: 3 },
    },
    exceptions: { count: 0, ofFills: 0, first: [] },
    cash: [],
    ...changes,
  };
}

interface Maker extends Pick<FileMaker<string | Uint8Array>, "path" | "begin" | "end" | "addDays"> {
  add(batch: readonly Posted[]): string | Uint8Array;
}

/**
 * The files of some makers, by path, as a pack makes them: each batch of fills, the days that ended with it, and at
 * last the closing. `cuts`: where batches end.
 */
export function filesOf(
  makers: readonly Maker[],
  books: Books,
  closing: () => Closing = () => closingOf(books),
  cuts: readonly number[] = [],
): Map<string, Buffer> {
  const parts = new Map(makers.map((maker) => [maker, [maker.begin()]]));
  const give = (piece: (maker: Maker) => string | Uint8Array) => {
    for (const [maker, own] of parts) {
      own.push(piece(maker));
    }
  };
  for (const batch of batchesOf(books.booked, cuts)) {
    give((maker) => maker.add(batch));
  }
  for (const days of cubeOf(books, cuts).batches) {
    give((maker) => maker.addDays?.(days) ?? "");
  }
  const last = closing();
  give((maker) => maker.end(last));
  return new Map([...parts].map(([{ path }, own]) => [path, Buffer.concat(own.map((part) => Buffer.from(part)))]));
}

export function batchesOf<T>(all: readonly T[], cuts: readonly number[]): readonly (readonly T[])[] {
  const ends = [...new Set([...cuts.filter((cut) => cut < all.length), all.length])].sort((a, b) => a - b);
  return ends.map((end, at) => all.slice(ends[at - 1] ?? 0, end));
}

export interface FileOptions {
  readonly context?: Partial<PackContext>;
  readonly closing?: Partial<Closing>;
  /** For a workbook; absent: nothing is converted. */
  readonly converter?: RateConverter | null;
}

function fileOf(
  makerOf: (context: PackContext, sums: FillSums) => Maker,
  own: Books,
  { context = {}, closing = {}, converter = null }: FileOptions,
): Buffer {
  const books = inCurrency({ ...own, context: { ...own.context, ...context } }, converter);
  const sums = new FillSums();
  for (const posted of books.booked) {
    sums.add(posted);
  }
  const [file] = filesOf([makerOf(books.context, sums)], books, () => closingOf(books, closing)).values();
  return file as Buffer;
}

export function pageOf(books: Books, options: FileOptions = {}): string {
  // Its controls compare the sums of all fills, and no imports.
  const report = (context: PackContext, sums: FillSums) => {
    const controls = controlsTable(context, { sums, imports: () => [], form: null, transfers: [] });
    return reportMaker(context, { controls, transfers: [] });
  };
  return fileOf(report, books, options).toString();
}

export function workbookOf(books: Books, options: FileOptions = {}): Buffer {
  return fileOf(workbookMaker, books, options);
}
