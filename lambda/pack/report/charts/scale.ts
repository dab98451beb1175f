import {
  type Amount,
  divide,
  greatest,
  least,
  ONE,
  tenTo,
  wholeNumber,
  wholeQuotient,
  ZERO,
} from "../../../core/amount.ts";

/** The positions of values on an axis. Values are exact, positions are not. */
export interface Scale {
  /** Round values on the axis. */
  readonly ticks: readonly Amount[];
  /** In the drawing's units, to a tenth. */
  place(value: Amount): number;
}

/** An axis that includes zero and all values, from `start` (its low end) to `end` in the drawing. */
export function scaleOf(values: readonly Amount[], start: number, end: number, ticks = 5): Scale {
  const lowest = values.reduce(least, ZERO);
  const highest = values.reduce(greatest, ZERO);
  const width = highest.minus(lowest);
  const step = stepFor(width, ticks);
  const pad = divide(width, PAD, FINEST);
  const low = lowest.lt(ZERO) ? lowest.minus(pad) : ZERO;
  const high = highest.gt(ZERO) || lowest.isZero() ? highest.plus(pad).plus(SOME) : ZERO;
  const first = wholeQuotient(low, step);
  const count = width.isZero() ? 1 : Number(String(wholeQuotient(high, step).minus(first))) + 1;
  const partOf = (value: Amount) => wholeQuotient(value.minus(low).times(PARTS), high.minus(low));
  return {
    ticks: Array.from({ length: count }, (_, at) => first.plus(wholeNumber(at)).times(step)),
    place: (value) => tenth(start + (Number(String(partOf(value))) / Number(String(PARTS))) * (end - start)),
  };
}

/** An axis extends beyond its values by this fraction of them. */
const PAD = wholeNumber(24);
/** The most places of an amount. */
const FINEST = 36;
/** An axis has some width, even without values. */
const SOME = tenTo(-FINEST);

/** More than the points of a drawing. */
const PARTS = wholeNumber(1_000_000);

export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** 1, 2 or 5 times a power of ten. */
function stepFor(width: Amount, ticks: number): Amount {
  const raw = wholeQuotient(width.times(tenTo(FINEST)), wholeNumber(ticks)).plus(ONE);
  const power = tenTo(String(raw).length - 1);
  const step = [1, 2, 5].map((times) => power.times(wholeNumber(times))).find((one) => one.gte(raw));
  return (step ?? power.times(tenTo(1))).times(SOME);
}
