import { type Decimal, parseDecimal, ShortDecimal } from "../../core/decimal.ts";
import { type PackedField, type PackedFill, PLACE } from "../../core/fast/packed-fill.ts";
import { isIdByte, isMarketByte, LIQUIDITIES, LONGEST_ID, LONGEST_MARKET, SIDES } from "../exceptions.ts";

const HYPHEN = 0x2d;
const SIDE_BYTES = SIDES.map((text) => Buffer.from(text));
const LIQUIDITY_BYTES = LIQUIDITIES.map((text) => Buffer.from(text));

/** A number of a packed fill. */
export class PackedNumber {
  readonly #short = new ShortDecimal();
  readonly #place: number;
  /** Null if the number is a short decimal. */
  #long: Decimal | null = null;
  #isNegativeZero = false;

  constructor(field: PackedField) {
    this.#place = PLACE[field];
  }

  /** False if `parseDecimal` would give null. */
  read(fill: PackedFill): boolean {
    this.#long = null;
    this.#isNegativeZero = false;
    if (this.#short.read(fill.bytes, fill.start(this.#place), fill.end(this.#place))) {
      return true;
    }
    const text = fill.text(this.#place);
    this.#long = parseDecimal(text);
    this.#isNegativeZero = this.#long?.units === 0n && text.startsWith("-");
    return this.#long !== null;
  }

  get digits(): number {
    return this.#long === null ? this.#short.digits : this.#long.digits;
  }

  get isNegativeZero(): boolean {
    return this.#isNegativeZero;
  }

  get isPositive(): boolean {
    return this.#long === null ? this.#short.coefficient > 0 : this.#long.units > 0n;
  }

  /** value × 10^digits. NaN if the number is not a short decimal. */
  get coefficient(): number {
    return this.#long === null ? this.#short.coefficient : Number.NaN;
  }

  get decimal(): Decimal {
    return this.#long ?? this.#short.decimal;
  }
}

/**
 * A packed fill with its numbers read. It equals a FillRow, mostly without strings and BigInts. One object
 * reads one fill after another.
 */
export class PackedRow {
  readonly quantity = new PackedNumber("quantity");
  readonly price = new PackedNumber("price");
  readonly fee = new PackedNumber("fee");
  readonly triggerPrice = new PackedNumber("triggerPrice");
  #fill: PackedFill | null = null;

  get fill(): PackedFill {
    return this.#fill as PackedFill;
  }

  /** False if one of its numbers does not fit its cell. Then read it as a FillRow. */
  read(fill: PackedFill): boolean {
    this.#fill = fill;
    return this.quantity.read(fill) && this.price.read(fill) && this.fee.read(fill) && this.triggerPrice.read(fill);
  }

  /** Where the quote currency begins in `bytes`; it ends with the market. Null: there is none. */
  get quoteStart(): number | null {
    const { bytes } = this.fill;
    const [start, end] = [this.fill.start(PLACE.market), this.fill.end(PLACE.market)];
    let at = end - 1;
    while (at > start && bytes[at] !== HYPHEN) {
      at -= 1;
    }
    return at > start && at + 1 < end ? at + 1 : null;
  }

  /** See `exceptionsOfRow`. False when in doubt. */
  get isSound(): boolean {
    const { fill } = this;
    return (
      this.quantity.isPositive &&
      this.price.isPositive &&
      isOneOf(SIDE_BYTES, fill, PLACE.side) &&
      isOneOf(LIQUIDITY_BYTES, fill, PLACE.liquidity) &&
      isMadeOf(isMarketByte, LONGEST_MARKET, fill, PLACE.market) &&
      this.quoteStart !== null &&
      isMadeOf(isIdByte, LONGEST_ID, fill, PLACE.orderId) &&
      isMadeOf(isIdByte, LONGEST_ID, fill, PLACE.matchId)
    );
  }
}

function isOneOf(texts: readonly Uint8Array[], fill: PackedFill, place: number): boolean {
  const { bytes } = fill;
  const start = fill.start(place);
  const size = fill.end(place) - start;
  for (const text of texts) {
    let same = 0;
    while (same < size && text[same] === bytes[start + same]) {
      same += 1;
    }
    if (same === size && size === text.length) {
      return true;
    }
  }
  return false;
}

function isMadeOf(isOfIt: Uint8Array, longest: number, fill: PackedFill, place: number): boolean {
  const { bytes } = fill;
  const end = fill.end(place);
  const start = fill.start(place);
  for (let at = start; at < end; at += 1) {
    if (isOfIt[bytes[at] as number] !== 1) {
      return false;
    }
  }
  return end > start && end - start <= longest;
}
