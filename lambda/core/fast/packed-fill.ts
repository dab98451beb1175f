import type { FillFields, PlainFill } from "../plain-fill.ts";

/**
 * The texts and times of a fill, by their positions in its content (`contentOf`). The content ends with null
 * for `extra`.
 */
export const PLACE = {
  matchId: 0,
  orderId: 1,
  txCreated: 2,
  filledAt: 3,
  market: 4,
  side: 5,
  liquidity: 6,
  tradeType: 7,
  fillType: 8,
  triggerType: 9,
  transactionHash: 10,
  quantity: 11,
  price: 12,
  fee: 13,
  triggerPrice: 14,
} as const;

export type PackedField = keyof typeof PLACE;

/** In the order of their positions. */
export const PACKED_FIELDS = Object.keys(PLACE) as readonly PackedField[];

const FIELDS = PACKED_FIELDS.length;
/** Positions of one fill: its fields and `extra`. */
const PLACES = FIELDS + 1;
const FIRST_BYTES = 100_000;
const FIRST_ROWS = 256;
const TAIL = Buffer.from("null]");
const NULL = Buffer.from("null");
const [OPEN, COMMA] = [0x5b, 0x2c];

/**
 * The fills of a page as the bytes of their contents, one after another, with the start of each field. A fill
 * lives from its page to its data file. Packed, it takes a third of the memory of an object with fifteen
 * strings, collections need not copy it, and the bytes to hash and write are ready.
 */
interface PackedPage {
  readonly bytes: Buffer;
  /** For each fill: where its fields and `extra` begin. */
  readonly places: Uint32Array;
  readonly txCreated: Float64Array;
  /** NaN stands for null. */
  readonly filledAt: Float64Array;
  /** Null: no fill has any. */
  readonly extras: readonly FillFields["extra"][] | null;
}

/**
 * Where the values of a fill begin and end, by PACKED_FIELDS, each as JSON writes it. An empty span stands
 * for null.
 */
export interface FieldSpans {
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** Packs the fills of one page after another. */
export class FillPacker {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  #places = new Uint32Array(PLACES * FIRST_ROWS);
  #txCreated = new Float64Array(FIRST_ROWS);
  #filledAt = new Float64Array(FIRST_ROWS);
  #length = 0;
  #rows = 0;

  /** Begins a page whose fills take fewer than `bytes` bytes together. */
  begin(bytes: number): void {
    if (bytes > this.#bytes.length) {
      this.#bytes = Buffer.allocUnsafeSlow(2 * bytes);
    }
    this.#length = 0;
    this.#rows = 0;
  }

  /** Adds a fill from `source`: texts of printable ASCII without escapes, and its times (NaN: none). */
  add(source: Uint8Array, { from, to }: FieldSpans, txCreated: number, filledAt: number): void {
    if (this.#rows === this.#txCreated.length) {
      this.#grow();
    }
    const bytes = this.#bytes;
    const places = this.#places;
    const first = PLACES * this.#rows;
    let end = this.#length;
    bytes[end] = OPEN;
    end += 1;
    for (let field = 0; field < FIELDS; field += 1) {
      places[first + field] = end;
      const last = to[field] as number;
      let at = from[field] as number;
      if (at === last) {
        end += NULL.copy(bytes, end);
      }
      for (; at < last; at += 1) {
        bytes[end] = source[at] as number;
        end += 1;
      }
      bytes[end] = COMMA;
      end += 1;
    }
    places[first + FIELDS] = end;
    this.#length = end + TAIL.copy(bytes, end);
    this.#txCreated[this.#rows] = txCreated;
    this.#filledAt[this.#rows] = filledAt;
    this.#rows += 1;
  }

  /** The fills that were added, in their own memory. `extras`: one for each fill, if any fill has some. */
  end(extras: PackedPage["extras"] = null): PackedFill[] {
    const rows = this.#rows;
    const page = {
      bytes: Buffer.from(this.#bytes.subarray(0, this.#length)),
      places: this.#places.slice(0, PLACES * rows),
      txCreated: this.#txCreated.slice(0, rows),
      filledAt: this.#filledAt.slice(0, rows),
      extras,
    };
    const fills: PackedFill[] = [];
    for (let row = 0; row < rows; row += 1) {
      fills.push(new PackedFill(page, row));
    }
    return fills;
  }

  #grow(): void {
    const grown = <T extends Uint32Array | Float64Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.#places = grown(this.#places, new Uint32Array(2 * this.#places.length));
    this.#txCreated = grown(this.#txCreated, new Float64Array(2 * this.#txCreated.length));
    this.#filledAt = grown(this.#filledAt, new Float64Array(2 * this.#filledAt.length));
  }
}

/**
 * A fill that has every text, all in printable ASCII without escapes. Its properties are made when they are
 * read; see `plain`.
 */
export class PackedFill implements FillFields {
  readonly #page: PackedPage;
  readonly #row: number;

  constructor(page: PackedPage, row: number) {
    this.#page = page;
    this.#row = row;
  }

  get txCreated(): number {
    return this.#page.txCreated[this.#row] as number;
  }

  get filledAt(): number | null {
    const time = this.#page.filledAt[this.#row] as number;
    return Number.isNaN(time) ? null : time;
  }

  get matchId(): string {
    return this.text(PLACE.matchId);
  }

  get orderId(): string {
    return this.text(PLACE.orderId);
  }

  /** See `identityOf`. */
  get identity(): string {
    return this.bytes.toString("latin1", this.start(PLACE.matchId), this.end(PLACE.orderId));
  }

  get market(): string {
    return this.text(PLACE.market);
  }

  get side(): string {
    return this.text(PLACE.side);
  }

  get liquidity(): string {
    return this.text(PLACE.liquidity);
  }

  get tradeType(): string {
    return this.text(PLACE.tradeType);
  }

  get fillType(): string {
    return this.text(PLACE.fillType);
  }

  get triggerType(): string {
    return this.text(PLACE.triggerType);
  }

  get transactionHash(): string {
    return this.text(PLACE.transactionHash);
  }

  get quantity(): string {
    return this.text(PLACE.quantity);
  }

  get price(): string {
    return this.text(PLACE.price);
  }

  get fee(): string {
    return this.text(PLACE.fee);
  }

  get triggerPrice(): string {
    return this.text(PLACE.triggerPrice);
  }

  get extra(): FillFields["extra"] {
    return this.#page.extras?.[this.#row] ?? null;
  }

  /** See `contentOf`. Without `extra`. */
  get contentBytes(): Buffer {
    return this.bytes.subarray(this.#place(0) - 1, this.#place(FIELDS) + TAIL.length);
  }

  /** The bytes that hold its texts, each from `start` up to `end`. */
  get bytes(): Buffer {
    return this.#page.bytes;
  }

  /** The position of a text, after its quote. */
  start(field: number): number {
    return this.#place(field) + 1;
  }

  end(field: number): number {
    return this.#place(field + 1) - 2;
  }

  #place(field: number): number {
    return this.#page.places[PLACES * this.#row + field] as number;
  }

  /** The text of a field. */
  text(field: number): string {
    return this.bytes.toString("latin1", this.start(field), this.end(field));
  }

  /** A copy as a plain object with all properties. */
  get plain(): PlainFill {
    const fields = Object.fromEntries(PACKED_FIELDS.map((field) => [field, this[field]]));
    return { ...fields, extra: this.extra } as PlainFill;
  }
}
