import { FillPacker, PACKED_FIELDS, PLACE } from "../../core/fast/packed-fill.ts";
import { FIELD_NAMES } from "../../core/fill.ts";
import type { FillFields } from "../../core/plain-fill.ts";
import { isTime, MAX_CURSOR_LENGTH, MAX_ID_LENGTH } from "../row.ts";
import type { DecodedPage } from "../service.ts";

/**
 * Reads the usual page from its bytes: every row has exactly the interface's fields, every text is printable
 * ASCII without escapes, and there is no white space. It takes three quarters of the time of JSON.parse, and
 * makes no strings for what is only copied. `PageDecoder` reads everything else, so this code need not know
 * all of JSON.
 */

const FIELDS = PACKED_FIELDS.length;
const { txCreated: TX_CREATED, filledAt: FILLED_AT } = PLACE;
const ALL = 2 ** FIELDS - 1;
const ALL_BUT_FILLED_AT = ALL - 2 ** FILLED_AT; // the older shape
const [QUOTE, COMMA, ZERO, NINE, CLOSE_LIST, OPEN, CLOSE] = [0x22, 0x2c, 0x30, 0x39, 0x5d, 0x7b, 0x7d];
const encoder = new TextEncoder();
const HEAD = encoder.encode('{"completedOrders":[');
const LAST = encoder.encode(',"last":');
const KEYS = PACKED_FIELDS.map((name) => encoder.encode(`"${FIELD_NAMES[name]}":`));
const QUOTES = 2;
const BYTES_A_UNIT = 3; // most of UTF-8 for a code unit of UTF-16

/** 1 for a byte that stands for itself in a text: printable, neither quote nor backslash. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, code) =>
  Number(code >= 0x20 && code <= 0x7e && code !== QUOTE && code !== 0x5c),
);

/** Reads one page after another, in memory that it keeps. */
export class PageScanner {
  /** Where the values of the last row begin and end, by PACKED_FIELDS. */
  readonly #from = new Int32Array(FIELDS);
  readonly #to = new Int32Array(FIELDS);
  readonly #values = { from: this.#from, to: this.#to };
  /** The field at each position of the row before. Rows mostly have the same order of fields. */
  readonly #order = new Int32Array(FIELDS);
  readonly #packer = new FillPacker();
  #memory = Buffer.alloc(0);

  /** Null: not a usual page, or not a page. `extras`: one for each fill, if any fill has some. */
  scan(body: string, extras: readonly FillFields["extra"][] | null = null): DecodedPage | null {
    const source = this.#load(body);
    if (source === null) {
      return null;
    }
    this.#packer.begin(source.length);
    let at = literalEnd(HEAD, source, 0);
    if (at !== -1 && source[at] === CLOSE_LIST) {
      return this.#pageEnd(source, at + 1, extras);
    }
    while (at !== -1) {
      at = this.#rowEnd(source, at);
      if (at === -1 || !this.#pack(source)) {
        break;
      }
      if (source[at] === CLOSE_LIST) {
        return this.#pageEnd(source, at + 1, extras);
      }
      at = source[at] === COMMA ? at + 1 : -1;
    }
    return null;
  }

  /** The body's bytes, followed by a zero that ends every read. Null: the body is not ASCII. */
  #load(body: string): Buffer | null {
    const room = BYTES_A_UNIT * body.length + 1;
    if (this.#memory.length < room) {
      this.#memory = Buffer.allocUnsafeSlow(room);
    }
    const length = this.#memory.write(body);
    this.#memory[length] = 0;
    return length === body.length ? this.#memory.subarray(0, length + 1) : null;
  }

  #pageEnd(source: Buffer, at: number, extras: readonly FillFields["extra"][] | null): DecodedPage | null {
    const isLast = source[at] === CLOSE;
    const start = isLast ? at : literalEnd(LAST, source, at);
    const end = isLast || start === -1 ? start : textEnd(source, start);
    const isWhole = end !== -1 && source[end] === CLOSE && end + 2 === source.length;
    if (!isWhole || end - start - QUOTES > MAX_CURSOR_LENGTH) {
      return null;
    }
    const rows = this.#packer.end(extras).map((fill) => ({ fill }));
    return isLast ? { rows } : { rows, last: source.toString("latin1", start + 1, end - 1) };
  }

  /** Packs the last row. False if it cannot be filed as it is. */
  #pack(source: Uint8Array): boolean {
    const txCreated = this.#timeAt(source, TX_CREATED);
    const filledAt = this.#to[FILLED_AT] === 0 ? Number.NaN : this.#timeAt(source, FILLED_AT);
    const isTimed = isTime(txCreated) && (Number.isNaN(filledAt) || isTime(filledAt));
    if (!(isTimed && this.#isId(PLACE.matchId) && this.#isId(PLACE.orderId))) {
      return false;
    }
    this.#packer.add(source, this.#values, txCreated, filledAt); // its content is shorter than the row that it comes from
    return true;
  }

  #isId(place: number): boolean {
    const length = (this.#to[place] as number) - (this.#from[place] as number) - QUOTES;
    return length > 0 && length <= MAX_ID_LENGTH;
  }

  #timeAt(source: Uint8Array, place: number): number {
    const end = this.#to[place] as number;
    let time = 0;
    for (let at = this.#from[place] as number; at < end; at += 1) {
      time = 10 * time + (source[at] as number) - ZERO;
    }
    return time;
  }

  /** The end of the row that begins at `start`. -1: not a usual row. */
  #rowEnd(source: Uint8Array, start: number): number {
    if (source[start] !== OPEN) {
      return -1;
    }
    let at = start;
    let found = 0;
    this.#from[FILLED_AT] = 0;
    this.#to[FILLED_AT] = 0;
    for (let place = 0; place < FIELDS; place += 1) {
      const field = this.#fieldAt(source, at + 1, place);
      if (field === -1 || (found & (1 << field)) !== 0) {
        return -1;
      }
      found |= 1 << field;
      const begin = at + 1 + (KEYS[field] as Uint8Array).length;
      const isNumber = field === TX_CREATED || field === FILLED_AT;
      const end = isNumber ? numberEnd(source, begin) : textEnd(source, begin);
      this.#from[field] = begin;
      this.#to[field] = end;
      if (source[end] === CLOSE && (found === ALL || found === ALL_BUT_FILLED_AT)) {
        return end + 1;
      }
      if (end === -1 || source[end] !== COMMA) {
        return -1;
      }
      at = end;
    }
    return -1;
  }

  /** The field whose name stands at `at`, the `place`-th of its row. -1: none. */
  #fieldAt(source: Uint8Array, at: number, place: number): number {
    const usual = this.#order[place] as number;
    return literalEnd(KEYS[usual] as Uint8Array, source, at) === -1 ? this.#findField(source, at, place) : usual;
  }

  #findField(source: Uint8Array, at: number, place: number): number {
    const field = KEYS.findIndex((key) => literalEnd(key, source, at) !== -1);
    if (field !== -1) {
      this.#order[place] = field;
    }
    return field;
  }
}

function literalEnd(literal: Uint8Array, source: Uint8Array, at: number): number {
  for (let place = 0; place < literal.length; place += 1) {
    if (source[at + place] !== literal[place]) {
      return -1;
    }
  }
  return at + literal.length;
}

function textEnd(source: Uint8Array, at: number): number {
  if (source[at] !== QUOTE) {
    return -1;
  }
  let end = at + 1;
  while (IS_PLAIN[source[end] as number] === 1) {
    end += 1;
  }
  return source[end] === QUOTE ? end + 1 : -1;
}

/** The end of a whole number without a sign. */
function numberEnd(source: Uint8Array, at: number): number {
  let end = at;
  while ((source[end] as number) >= ZERO && (source[end] as number) <= NINE) {
    end += 1;
  }
  return end > at && source[at] !== ZERO ? end : -1;
}
