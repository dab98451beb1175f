/**
 * Exact decimals as integers scaled by 10^18: the value of a DECIMAL(38,18) cell. Text is checked by a strict grammar before it becomes
 * a number: no exponent, no leading zero, at most 20 digits before and 18 after the point. Its laws are tested against decimal.js.
 */
const GRAMMAR = /^-?(?:0|[1-9]\d{0,19})(?:\.\d{1,18})?$/;
/** Digits after the point of a DECIMAL(38,18). */
export const SCALE = 18;
const POWERS = Array.from({ length: SCALE + 1 }, (_, power) => 10n ** BigInt(power));
const ONE = 10n ** 18n;
const LIMIT = 10n ** 38n;

export interface Decimal {
  /** value × 10^18 */
  readonly units: bigint;
  /** digits after the point in the text it came from: 2 for "1.50" */
  readonly digits: number;
}

/** The exact value of a plain decimal, or null when the text is not one that fits DECIMAL(38,18). */
export function parseDecimal(text: string): Decimal | null {
  if (!GRAMMAR.test(text)) {
    return null;
  }
  const point = text.indexOf(".");
  const digits = point === -1 ? 0 : text.length - point - 1;
  const whole = point === -1 ? text : text.slice(0, point) + text.slice(point + 1);
  return { units: wholeNumber(whole) * (POWERS[SCALE - digits] ?? ONE), digits };
}

/** A double holds every whole number of this many characters exactly, and becomes a BigInt faster than text does. */
const EXACT_LENGTH = 15;

function wholeNumber(text: string): bigint {
  return BigInt(text.length <= EXACT_LENGTH ? Number(text) : text);
}

/** Plain text of a scaled integer with `digits` after the point, or as few as hold the value. Negative zero is zero. */
export function formatUnits(units: bigint, digits?: number): string {
  const sign = units < 0n ? "-" : "";
  const text = magnitude(units)
    .toString()
    .padStart(SCALE + 1, "0");
  const whole = text.slice(0, -SCALE);
  const fraction = digits === undefined ? text.slice(-SCALE).replace(/0+$/, "") : text.slice(-SCALE).slice(0, digits);
  return fraction === "" ? sign + whole : `${sign}${whole}.${fraction}`;
}

export interface Product {
  /** The exact product as plain text without trailing zeros, however many digits it needs. */
  readonly text: string;
  /** value × 10^18, or null when the product does not fit DECIMAL(38,18). */
  readonly units: bigint | null;
}

/** Exact product. */
export function multiply(a: Decimal, b: Decimal): Product {
  const wide = a.units * b.units; // scaled by 10^36
  const units = wide / ONE;
  const isExact = a.digits + b.digits <= SCALE || units * ONE === wide;
  return {
    units: isExact && fits(units) ? units : null,
    // Made when asked for: most readers want the number only.
    get text() {
      return formatWide(wide);
    },
  };
}

/** Plain text without trailing zeros of an integer scaled by 10^36. */
export function formatWide(wide: bigint): string {
  const sign = wide < 0n ? "-" : "";
  const text = magnitude(wide)
    .toString()
    .padStart(2 * SCALE + 1, "0");
  const whole = text.slice(0, -2 * SCALE);
  const fraction = text.slice(-2 * SCALE).replace(/0+$/, "");
  return fraction === "" ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** Without its sign. */
export function magnitude(units: bigint): bigint {
  return units < 0n ? -units : units;
}

/** Whether a scaled integer is a DECIMAL(38,18): hyparquet-writer does not check, and writes another amount instead. */
export function fits(units: bigint): boolean {
  return magnitude(units) < LIMIT;
}

/** Writes the 16 bytes of a DECIMAL(38,18) in Parquet: two's complement, big-endian. */
export function unitsToBytes(units: bigint, view: DataView, at: number): void {
  view.setBigInt64(at, units >> 64n);
  view.setBigInt64(at + 8, units); // takes the low 64 bits
}

/** The inverse. */
export function bytesToUnits(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const high = view.getBigInt64(0);
  const low = view.getBigUint64(8);
  return high === 0n ? low : (high << 64n) | low;
}
