/**
 * Prices, quantities and money: exact decimals. An amount is a whole number of units of its last place. Numbers of
 * JavaScript do not get in, and there is no division but those below.
 */
export class Amount {
  readonly units: bigint;
  /** Digits after the point. The last ones may be zeros. */
  readonly places: number;

  constructor(units: bigint, places: number) {
    this.units = units;
    this.places = places;
  }

  plus(other: Amount): Amount {
    const places = Math.max(this.places, other.places);
    return new Amount(unitsAt(this, places) + unitsAt(other, places), places);
  }

  minus(other: Amount): Amount {
    const places = Math.max(this.places, other.places);
    return new Amount(unitsAt(this, places) - unitsAt(other, places), places);
  }

  times(other: Amount): Amount {
    return new Amount(this.units * other.units, this.places + other.places);
  }

  neg(): Amount {
    return new Amount(-this.units, this.places);
  }

  abs(): Amount {
    return this.units < 0n ? this.neg() : this;
  }

  /** Negative: this is smaller. Positive: the other is. */
  cmp(other: Amount): number {
    const places = Math.max(this.places, other.places);
    const [own, others] = [unitsAt(this, places), unitsAt(other, places)];
    return own < others ? -1 : Number(own > others);
  }

  eq(other: Amount): boolean {
    return this.cmp(other) === 0;
  }

  lt(other: Amount): boolean {
    return this.cmp(other) < 0;
  }

  gt(other: Amount): boolean {
    return this.cmp(other) > 0;
  }

  isZero(): boolean {
    return this.units === 0n;
  }

  /** A plain decimal: every digit, no trailing zeros, no exponent, no negative zero. */
  toString(): string {
    const text = written(this);
    let end = text.length;
    while (this.places > 0 && text[end - 1] === "0") {
      end -= 1;
    }
    return text.slice(0, text[end - 1] === "." ? end - 1 : end);
  }

  /** JavaScript would compare `a < b` as texts, and the compiler allows it. */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === "number") {
      throw new TypeError("an amount is no number: compare it with lt, gt or cmp");
    }
    return this.toString();
  }
}

const POWERS: bigint[] = [];

function powerOfTen(power: number): bigint {
  POWERS[power] ??= 10n ** BigInt(power);
  return POWERS[power];
}

/** In units of a place that it has or that is smaller. */
export function unitsAt({ units, places }: Amount, at: number): bigint {
  return at === places || units === 0n ? units : units * powerOfTen(at - places);
}

/** With all places. */
function written({ units, places }: Amount): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, "0");
  const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  return units < 0n ? `-${text}` : text;
}

/** Of a text that NUMBER or WRITTEN describes. */
function amountIn(text: string): Amount {
  const [digits = "", exponent = "0"] = text.toLowerCase().split("e");
  const point = digits.indexOf(".");
  const units = BigInt(digits.replace(".", ""));
  const places = (point === -1 ? 0 : digits.length - point - 1) - Number(exponent);
  return places < 0 ? new Amount(units * powerOfTen(-places), 0) : new Amount(units, places);
}

/** A whole number: a count, or a constant. Throws a RangeError for any other. */
export function wholeNumber(count: number): Amount {
  if (!Number.isSafeInteger(count)) {
    throw new RangeError(`not a whole number: ${count}`);
  }
  return new Amount(BigInt(count), 0);
}

/** 10 to the power, which may be negative. */
export function tenTo(power: number): Amount {
  return power < 0 ? new Amount(1n, -power) : new Amount(powerOfTen(power), 0);
}

export const ZERO = wholeNumber(0);
export const ONE = wholeNumber(1);

/** Digits before and after the point of a number from outside, as a DECIMAL(38,18) of Parquet has them. */
export const PLACES = 18;
const LIMIT = tenTo(20);
const NUMBER = /^-?(?:0|[1-9]\d{0,19})(?:\.\d{1,18})?(?:[eE][+-]?\d{1,2})?$/;
/** Products of two such numbers, and sums of many, as our own files write them. */
const WRITTEN = /^-?\d{1,60}(?:\.\d{1,36})?$/;

/** A number of the service or the user. Null: there is none, the text is none, or it has too many digits. */
export function parseAmount(text: string | null): Amount | null {
  if (text === null || !NUMBER.test(text)) {
    return null;
  }
  const amount = amountIn(text);
  return !/e/i.test(text) || fitsCell(amount) ? amount : null;
}

/** Whether a DECIMAL(38,18) holds it. */
export function fitsCell(amount: Amount): boolean {
  return rounded(amount, PLACES).eq(amount) && amount.abs().lt(LIMIT);
}

/** An amount that fillbook wrote. Null: another text. */
export function readAmount(text: string): Amount | null {
  return WRITTEN.test(text) ? amountIn(text) : null;
}

/** A number as it was sent, with every digit, and an exponent written out. Any other text stays as it is. */
export function plainText(text: string): string {
  const amount = /e/i.test(text) ? parseAmount(text) : null;
  return amount === null ? text : written(amount);
}

/** amount ÷ divisor as a whole number, rounded half even. The divisor is above zero. */
function nearest(amount: bigint, divisor: bigint): bigint {
  const quotient = amount / divisor;
  const rest = 2n * (amount - quotient * divisor);
  const side = rest < 0n ? -rest : rest;
  const isNext = side > divisor || (side === divisor && quotient % 2n !== 0n);
  return isNext ? quotient + (amount < 0n ? -1n : 1n) : quotient;
}

/** To so many places, half even. */
export function rounded(amount: Amount, places: number): Amount {
  return amount.places <= places ? amount : divide(amount, ONE, places);
}

/** To so many significant digits, half even. */
export function roundedTo({ units, places }: Amount, digits: number): Amount {
  const unit = powerOfTen(Math.max(String(units).replace("-", "").length - digits, 0));
  return new Amount(nearest(units, unit) * unit, places);
}

/** No quotient of a pack has nearly as many digits, so none is so close to a half that it is rounded to one. */
const MANY_PLACES = 1000;

/** amount ÷ divisor to so many significant digits, half even. */
export function divideTo(amount: Amount, divisor: Amount, digits: number): Amount {
  return roundedTo(divide(amount, divisor, MANY_PLACES), digits);
}

/** Rounded half even, with all its places: `-0.50`. */
export function fixed(amount: Amount, places: number): string {
  return written(new Amount(unitsAt(rounded(amount, places), places), places));
}

/** amount ÷ divisor, rounded half even, once. The divisor is above zero. */
export function divide(amount: Amount, divisor: Amount, places: number): Amount {
  const more = places + divisor.places - amount.places;
  const units = more > 0 ? amount.units * powerOfTen(more) : amount.units;
  return new Amount(nearest(units, more < 0 ? divisor.units * powerOfTen(-more) : divisor.units), places);
}

/**
 * `total × part ÷ whole`, at 18 places. The only division in the accounts. The rest of a total is found by
 * subtraction, so shares always add up to it.
 */
export function shareOf(total: Amount, part: Amount, all: Amount): Amount {
  return divide(total.times(part), all, PLACES);
}

export type Sign = 1 | -1;

/** Of zero: 1. */
export function signOf(amount: Amount): Sign {
  return amount.units < 0n ? -1 : 1;
}

export function withSign(sign: Sign, amount: Amount): Amount {
  return sign === 1 ? amount : amount.neg();
}

export function totalOf<T>(items: readonly T[], of: (item: T) => Amount): Amount {
  const [first = ZERO, ...more] = items.map(of);
  return more.reduce((total, amount) => total.plus(amount), first);
}

export function least(a: Amount, b: Amount): Amount {
  return a.lt(b) ? a : b;
}
