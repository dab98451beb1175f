/**
 * Exact decimals as integers scaled by 10^18: the value of a DECIMAL(38,18) cell. A strict grammar checks the
 * text first: no exponent, no leading zero, at most 20 digits before and 18 after the point. Tests compare
 * its arithmetic with decimal.js.
 */
/** Digits after the point of a DECIMAL(38,18). */
export const SCALE = 18;
const WHOLE_DIGITS = 20;
const LONGEST = 1 + WHOLE_DIGITS + 1 + SCALE; // with a sign and a point
const POWERS = Array.from({ length: SCALE + 1 }, (_, power) => 10n ** BigInt(power));
const ONE = 10n ** 18n;
const LIMIT = 10n ** 38n;

export interface Decimal {
  /** value × 10^18 */
  readonly units: bigint;
  /** Digits after the point in the original text: 2 for "1.50". */
  readonly digits: number;
  /** value × 10^digits, if a double holds every number of that many digits; else null */
  readonly coefficient: number | null;
}

const MINUS = 45;
const POINT = 46;
const ZERO = 48;

/**
 * A double holds every whole number of this many digits exactly. It becomes a BigInt faster than text does.
 */
const EXACT_DIGITS = 15;

/** The exact value of a plain decimal. Null if the text is not a decimal that fits DECIMAL(38,18). */
export function parseDecimal(text: string): Decimal | null {
  const { length } = text;
  if (length > LONGEST) {
    return null;
  }
  const isNegative = text.charCodeAt(0) === MINUS;
  const from = isNegative ? 1 : 0;
  let point = length;
  let value = 0;
  for (let at = from; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= ZERO + 9) {
      value = value * 10 + (code - ZERO);
    } else if (code === POINT && point === length) {
      point = at;
    } else {
      return null;
    }
  }
  const whole = point - from;
  const digits = Math.max(0, length - point - 1);
  if (!isGrammatical(whole, length - point - 1, text.charCodeAt(from))) {
    return null;
  }
  if (whole + digits <= EXACT_DIGITS) {
    return shortDecimal(isNegative ? -value : value, digits);
  }
  const scale = POWERS[SCALE - digits] ?? ONE;
  return { units: BigInt(text.slice(0, point) + text.slice(point + 1)) * scale, digits, coefficient: null };
}

function shortDecimal(coefficient: number, digits: number): Decimal {
  return { units: BigInt(coefficient) * (POWERS[SCALE - digits] ?? ONE), digits, coefficient };
}

/**
 * Checks the number of digits before the point (`whole`) and after it (`digits`; -1: no point). `first`: the
 * code of the first digit.
 */
function isGrammatical(whole: number, digits: number, first: number | undefined): boolean {
  const hasLeadingZero = whole > 1 && first === ZERO;
  return whole > 0 && whole <= WHOLE_DIGITS && !hasLeadingZero && digits !== 0 && digits <= SCALE;
}

/**
 * Plain text of a scaled integer with `digits` after the point, or as few as hold the value. Negative zero
 * becomes zero.
 */
export function formatUnits(units: bigint, digits?: number): string {
  return formatScaled(units, SCALE, digits);
}

/** An exact product. */
export class Product {
  /** value × 10^18. Null if the product does not fit DECIMAL(38,18). */
  readonly units: bigint | null;
  /** value × 10^36. Null if `units` holds the whole value. */
  readonly #wide: bigint | null;

  constructor(units: bigint | null, wide: bigint | null) {
    this.units = units;
    this.#wide = wide;
  }

  /**
   * Plain text without trailing zeros, with as many digits as it needs. Made on demand: most readers want
   * only the number.
   */
  get text(): string {
    return this.#wide === null ? formatUnits(this.units ?? 0n) : formatWide(this.#wide);
  }
}

export function multiply(a: Decimal, b: Decimal): Product {
  const digits = a.digits + b.digits;
  const coefficient = (a.coefficient ?? Number.NaN) * (b.coefficient ?? Number.NaN);
  // The usual case needs neither a wide product nor a division.
  if (digits <= SCALE && Number.isSafeInteger(coefficient)) {
    return new Product(shortDecimal(coefficient, digits).units, null);
  }
  const wide = a.units * b.units;
  const units = wide / ONE;
  return new Product(units * ONE === wide && fits(units) ? units : null, wide);
}

/** Plain text of an integer scaled by 10^36, without trailing zeros. */
export function formatWide(wide: bigint): string {
  return formatScaled(wide, 2 * SCALE);
}

function formatScaled(units: bigint, scale: number, digits?: number): string {
  let text = units.toString();
  if (text.length <= scale + 1) {
    text =
      (units < 0n ? "-" : "") +
      magnitude(units)
        .toString()
        .padStart(scale + 1, "0");
  }
  const point = text.length - scale;
  let end = point + (digits ?? scale);
  if (digits === undefined) {
    while (end > point && text.charCodeAt(end - 1) === ZERO) {
      end -= 1;
    }
  }
  return end === point ? text.slice(0, point) : `${text.slice(0, point)}.${text.slice(point, end)}`;
}

/** The absolute value. */
export function magnitude(units: bigint): bigint {
  return units < 0n ? -units : units;
}

/**
 * Whether a scaled integer fits DECIMAL(38,18). A larger one, written in 16 bytes, could read as another
 * amount.
 */
export function fits(units: bigint): boolean {
  return magnitude(units) < LIMIT;
}
