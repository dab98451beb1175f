/** The positions of values on an axis. Values are exact, positions are not. */
export interface Scale {
  /** Round values on the axis. */
  readonly ticks: readonly bigint[];
  /** In the drawing's units, to a tenth. */
  place(value: bigint): number;
}

/** An axis that includes zero and all values, from `start` (its low end) to `end` in the drawing. */
export function scaleOf(values: readonly bigint[], start: number, end: number, ticks = 5): Scale {
  const least = values.reduce((a, b) => (b < a ? b : a), 0n);
  const most = values.reduce((a, b) => (b > a ? b : a), 0n);
  const step = stepFor(most - least, ticks);
  const pad = (most - least) / PAD;
  const low = least < 0n ? least - pad : 0n;
  const high = most > 0n || least === 0n ? most + pad + 1n : 0n;
  const first = low / step;
  const count = least === most ? 1 : Number(high / step - first) + 1;
  return {
    ticks: Array.from({ length: count }, (_, at) => (first + BigInt(at)) * step),
    place: (value) => tenth(start + (Number(((value - low) * PARTS) / (high - low)) / Number(PARTS)) * (end - start)),
  };
}

/** An axis extends beyond its values by this fraction of them. */
const PAD = 24n;

/** More than the points of a drawing. */
const PARTS = 1_000_000n;

export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** 1, 2 or 5 times a power of ten. */
function stepFor(width: bigint, ticks: number): bigint {
  const raw = width / BigInt(ticks) + 1n;
  const power = 10n ** BigInt(raw.toString().length - 1);
  return [power, 2n * power, 5n * power].find((step) => step >= raw) ?? 10n * power;
}
