import type { Method } from "../../lambda/accounting/method.ts";
import type { Fill } from "../../lambda/core/fill.ts";
import {
  add,
  compare,
  divide,
  isEqual,
  least,
  magnitude,
  negative,
  type Rational,
  read,
  roundHalfEven,
  signOf,
  subtract,
  sum,
  times,
  ZERO,
} from "./rational.ts";

/**
 * The accounts of one market a second time, in fractions and in the plainest way. It was written from the
 * reference's algorithm and table of methods, to check the real implementation.
 */
export type OracleFill = ReturnType<typeof oracleFill>;

export interface OracleLot {
  /** The id of the fill that opened it. */
  readonly id: string;
  readonly quantity: Rational;
  readonly price: Rational;
  readonly fee: Rational;
}

export type OracleRow = ReturnType<typeof oracle>[number];

export interface OracleMatch {
  readonly open: string;
  readonly quantity: Rational;
}

export interface OracleOpening {
  /** Signed. */
  readonly quantity: Rational;
  readonly price: Rational;
}

/**
 * Fills are missing from `from` on. From the first fill at or after `to`, the position is known again. Times
 * are on the same scale as the fills' times.
 */
export interface OracleBreak extends OracleOpening {
  readonly from: number;
  readonly to: number;
}

export interface OracleOptions {
  /** What is open before the first fill. The id of its lot is "". */
  readonly opening?: OracleOpening;
  /** For `specific`, by the id of the closing fill. */
  readonly matches?: ReadonlyMap<string, readonly OracleMatch[]>;
}

export function oracleFill({ matchId, side, quantity, price, fee }: Fill) {
  return {
    id: matchId,
    sign: side === "buy" ? (1 as const) : (-1 as const),
    quantity: read(quantity ?? ""),
    price: read(price ?? ""),
    fee: read(fee ?? ""),
  };
}

/** The open position: one sum for average; for the other methods also the lots, in order of opening. */
interface Open {
  readonly cost: Rational;
  readonly fee: Rational;
  readonly lots: readonly OracleLot[];
}

interface Closing {
  readonly method: Method;
  readonly closed: Rational;
  /** The position before the close, with this sign. */
  readonly size: Rational;
  readonly side: -1 | 0 | 1;
  readonly named: readonly OracleMatch[];
}

export function oracle(
  fills: readonly OracleFill[],
  method: Method,
  { matches = new Map(), opening }: OracleOptions = {},
) {
  let position = opening?.quantity ?? ZERO;
  let open: Open = { cost: ZERO, fee: ZERO, lots: [] };
  if (opening !== undefined && signOf(opening.quantity) !== 0) {
    open = withLot(open, { id: "", quantity: magnitude(opening.quantity), price: opening.price, fee: ZERO });
  }
  return fills.map(({ sign, quantity, price, fee, id }) => {
    const side = signOf(position);
    const size = magnitude(position);
    const closed = side === -sign ? least(quantity, size) : ZERO;
    const opened = subtract(quantity, closed);
    const closeFee = part(fee, closed, quantity);
    const openFee = subtract(fee, closeFee);

    const closing = { method, closed, size, side, named: matches.get(id) ?? [] };
    const taken = method === "average" ? takeOfPool(open, closing) : takeOfLots(open.lots, closing);
    open = without(open, taken);
    open = signOf(opened) > 0 ? withLot(open, { id, quantity: opened, price, fee: openFee }) : open;
    position = add(position, sign === 1 ? quantity : negative(quantity));

    const cost = sum(taken.map((lot) => times(lot.quantity, lot.price)));
    const difference = subtract(times(closed, price), cost);
    return {
      closed,
      opened,
      closeFee,
      openFee,
      gross: side < 0 ? negative(difference) : difference,
      /** The opening fees of the closed part. */
      feeOut: sum(taken.map((lot) => lot.fee)),
      /** What was taken from which lot; for average one entry without an id. */
      taken,
      /** Signed. */
      position,
      openValue: open.cost,
      deferredFee: open.fee,
      lots: method === "average" ? [] : open.lots,
    };
  });
}

/**
 * The same with missing fills. Each break ends the accounts, and a new market begins at its end. Null for a
 * fill within a break. `breaks` are in order of time and do not overlap.
 */
export function oracleOverBreaks(
  fills: readonly (OracleFill & { readonly time: number })[],
  breaks: readonly OracleBreak[],
  method: Method,
  options: OracleOptions = {},
): (OracleRow | null)[] {
  const [first, ...others] = breaks;
  if (first === undefined) {
    return oracle(fills, method, options);
  }
  const before = fills.filter(({ time }) => time < first.from);
  const within = fills.filter(({ time }) => time >= first.from && time < first.to);
  const after = fills.filter(({ time }) => time >= first.to);
  return [
    ...oracle(before, method, options),
    ...within.map(() => null),
    ...oracleOverBreaks(after, others, method, { ...options, opening: first }),
  ];
}

function withLot(open: Open, lot: OracleLot): Open {
  return {
    cost: add(open.cost, times(lot.quantity, lot.price)),
    fee: add(open.fee, lot.fee),
    lots: [...open.lots, lot],
  };
}

function without(open: Open, taken: readonly OracleLot[]): Open {
  const rest = open.lots.map((lot) => {
    const parts = taken.filter(({ id }) => id === lot.id);
    return {
      ...lot,
      quantity: subtract(lot.quantity, sum(parts.map(({ quantity }) => quantity))),
      fee: subtract(lot.fee, sum(parts.map(({ fee }) => fee))),
    };
  });
  return {
    cost: subtract(open.cost, sum(taken.map((lot) => times(lot.quantity, lot.price)))),
    fee: subtract(open.fee, sum(taken.map(({ fee }) => fee))),
    lots: rest.filter(({ quantity }) => signOf(quantity) > 0),
  };
}

/**
 * The share of `total` that belongs to a part of a whole, with the one rounding that the accounts do. The last part
 * takes all that is left.
 */
function part(total: Rational, some: Rational, whole: Rational): Rational {
  if (signOf(some) === 0) {
    return ZERO;
  }
  return isEqual(some, whole) ? total : roundHalfEven(divide(times(total, some), whole), 18);
}

/** A share of the whole pool. Its price is the share's average opening price. */
function takeOfPool({ cost, fee }: Open, { closed, size }: Closing): OracleLot[] {
  if (signOf(closed) === 0) {
    return [];
  }
  const share = part(cost, closed, size);
  return [{ id: "", quantity: closed, price: divide(share, closed), fee: part(fee, closed, size) }];
}

function takeOfLots(open: readonly OracleLot[], { method, closed, side, named }: Closing): OracleLot[] {
  let lots = open;
  let left = closed;
  const taken: OracleLot[] = [];
  const take = (lot: OracleLot | undefined, quantity: Rational): void => {
    if (lot === undefined || compare(quantity, lot.quantity) > 0) {
      throw new RangeError("it takes more than is open");
    }
    const one = { ...lot, quantity, fee: part(lot.fee, quantity, lot.quantity) };
    taken.push(one);
    left = subtract(left, quantity);
    lots = without({ cost: ZERO, fee: ZERO, lots }, [one]).lots;
  };
  for (const { open: id, quantity } of method === "specific" ? named : []) {
    take(
      lots.find((lot) => lot.id === id),
      quantity,
    );
  }
  while (signOf(left) > 0) {
    const lot = nextLot(lots, method, side);
    take(lot, least(left, lot?.quantity ?? ZERO));
  }
  return taken;
}

/** `lots` are in order of opening. */
function nextLot(lots: readonly OracleLot[], method: Method, side: number): OracleLot | undefined {
  if (method === "lifo") {
    return lots.at(-1);
  }
  if (method !== "hifo") {
    return lots[0];
  }
  const prices = lots.map((lot) => lot.price);
  const wanted = prices.reduce((best, price) => (compare(price, best) === (side > 0 ? 1 : -1) ? price : best));
  return lots.find((lot) => isEqual(lot.price, wanted));
}

/**
 * Round trips from flat to flat: the numbers of the first and last fill, and a summary of the fills between. A flip
 * ends one round trip with its closing part and begins another with its opening part.
 */
export function oracleTrips(fills: readonly OracleFill[], rows: readonly OracleRow[]) {
  const ends = rows.flatMap((row, at) => {
    const isFlat = signOf(row.position) === 0;
    const isFlip = signOf(row.closed) > 0 && signOf(row.opened) > 0;
    return isFlat || isFlip ? [at] : [];
  });
  return ends.map((last, nth) => {
    const previous = ends[nth - 1];
    const beganByFlip = previous !== undefined && signOf(rows[previous]?.opened ?? ZERO) > 0;
    const first = previous === undefined ? 0 : previous + (beganByFlip ? 0 : 1);
    const inside = fills.slice(first, last + 1).map((fill, at) => ({ fill, row: rows[first + at] as OracleRow, at }));
    // Of a flip at the beginning, only the opening part belongs to the round trip; of a flip at the end, only
    // the closing part.
    const openings = inside.filter(({ row, at }) => signOf(row.opened) > 0 && !(first + at === last));
    const closings = inside.filter(({ row, at }) => signOf(row.closed) > 0 && !(beganByFlip && at === 0));
    const sizes = inside.slice(0, -1).map(({ row }) => magnitude(row.position));
    return {
      side: fills[first]?.sign === 1 ? ("long" as const) : ("short" as const),
      first,
      last,
      fills: inside.length,
      most: sizes.reduce((most, size) => (compare(size, most) > 0 ? size : most), ZERO),
      quantity: sum(openings.map(({ row }) => row.opened)),
      openValue: sum(openings.map(({ fill, row }) => times(row.opened, fill.price))),
      closeValue: sum(closings.map(({ fill, row }) => times(row.closed, fill.price))),
      fees: add(sum(openings.map(({ row }) => row.openFee)), sum(closings.map(({ row }) => row.closeFee))),
    };
  });
}
