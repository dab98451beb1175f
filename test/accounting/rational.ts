/** Exact reduced fractions. They are slow and obvious, and check what is calculated with decimals. */
export interface Rational {
  readonly n: bigint;
  /** above zero */
  readonly d: bigint;
}

export function rational(n: bigint, d = 1n): Rational {
  const sign = d < 0n ? -1n : 1n;
  const divisor = gcd(abs(n), abs(d));
  return { n: (sign * n) / divisor, d: (sign * d) / divisor };
}

export const ZERO = rational(0n);

/** `-12.5`, with any number of digits. */
export function read(text: string): Rational {
  const {
    sign = "",
    whole,
    fraction = "",
  } = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?$/.exec(text)?.groups ?? {};
  if (whole === undefined) {
    throw new TypeError(`not a decimal: ${text}`);
  }
  const value = rational(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
  return sign === "" ? value : negative(value);
}

export const add = (a: Rational, b: Rational): Rational => rational(a.n * b.d + b.n * a.d, a.d * b.d);
export const subtract = (a: Rational, b: Rational): Rational => add(a, negative(b));
export const times = (a: Rational, b: Rational): Rational => rational(a.n * b.n, a.d * b.d);
export const divide = (a: Rational, b: Rational): Rational => rational(a.n * b.d, a.d * b.n);
export const negative = ({ n, d }: Rational): Rational => ({ n: -n, d });
export const compare = (a: Rational, b: Rational): -1 | 0 | 1 => signOf(subtract(a, b));
export const isEqual = (a: Rational, b: Rational): boolean => compare(a, b) === 0;
export const magnitude = (a: Rational): Rational => (a.n < 0n ? negative(a) : a);
export const least = (a: Rational, b: Rational): Rational => (compare(a, b) < 0 ? a : b);
export const sum = (all: readonly Rational[]): Rational => all.reduce(add, ZERO);

/** Rounds to the nearest multiple of 10^-places, half to even. */
export function roundHalfEven(value: Rational, places: number): Rational {
  const scale = 10n ** BigInt(places);
  const scaled = times(value, rational(scale));
  // The candidates are the whole numbers on both sides. The nearer one counts; if both are equally near, the
  // even one.
  const below = floor(scaled);
  const above = below + 1n;
  const side = compare(subtract(scaled, rational(below)), subtract(rational(above), scaled));
  const isBelow = side < 0 || (side === 0 && below % 2n === 0n);
  return rational(isBelow ? below : above, scale);
}

/** The nearest decimal of so many significant digits, half to even, as plain text. */
export function significantText(value: Rational, digits: number): string {
  let exponent = 0; // of the first digit: 2 for 123, -2 for 0.0123
  while (compare(magnitude(value), power(exponent + 1)) >= 0) {
    exponent += 1;
  }
  while (compare(magnitude(value), power(exponent)) < 0) {
    exponent -= 1;
  }
  const unit = power(exponent - digits + 1);
  return decimalText(times(roundHalfEven(divide(value, unit), 0), unit));
}

function power(exponent: number): Rational {
  const size = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? rational(1n, size) : rational(size);
}

/** Every digit of a fraction that ends, as plain text. */
export function decimalText(value: Rational): string {
  let places = 0;
  while ((value.n * 10n ** BigInt(places)) % value.d !== 0n) {
    places += 1;
  }
  const units = (value.n * 10n ** BigInt(places)) / value.d;
  const text = String(units < 0n ? -units : units).padStart(places + 1, "0");
  const point = text.length - places;
  return (units < 0n ? "-" : "") + text.slice(0, point) + (places === 0 ? "" : `.${text.slice(point)}`);
}

export function signOf({ n }: Rational): -1 | 0 | 1 {
  if (n === 0n) {
    return 0;
  }
  return n < 0n ? -1 : 1;
}

function floor({ n, d }: Rational): bigint {
  const quotient = n / d;
  return n < 0n && quotient * d !== n ? quotient - 1n : quotient;
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}

function abs(a: bigint): bigint {
  return a < 0n ? -a : a;
}
