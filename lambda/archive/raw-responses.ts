import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { PageRequest } from "../service/service.ts";

/**
 * A page exactly as the service sent it. An object of raw responses has one JSON line per page and is
 * compressed with zstd (DuckDB and `zstd -d` can read it). No receipt time is stored, so the same answers
 * give the same bytes.
 */
export interface RawResponse {
  readonly request: PageRequest;
  /** JSON; the page was parsed before it got here. */
  readonly body: string;
}

/**
 * Measured on pages of fills: level 1 takes half the time of level 3 and gives fewer bytes. A level below 1
 * saves a third of the time and gives two thirds more bytes.
 */
const LEVEL = 1;
/**
 * Pages of fills shrink by more than this factor, so a buffer of this share holds the result in one piece.
 * That takes a tenth less time than Node's default pieces.
 */
const USUAL_RATIO = 4;
const FEWEST_AT_ONCE = 16_384;
/**
 * Marks the end of the request in a line. It cannot occur inside the request: strings there have a backslash
 * before each quote, and the request has no such key.
 */
const BODY = ',"body":';

const FIRST_BYTES = 2_000_000;
const MOST_FREE = 16;
const BYTES_A_UNIT = 3; // most of UTF-8 for a code unit of UTF-16

const NOTHING = Buffer.alloc(0);

/** Buffers of finished chains, for the next chain. */
export class PageMemory {
  readonly #free: Buffer[] = [];

  take(): Buffer {
    return this.#free.pop() ?? NOTHING;
  }

  giveBack(memory: Buffer): void {
    if (memory !== NOTHING && this.#free.length < MOST_FREE && memory.length <= FIRST_BYTES) {
      this.#free.push(memory);
    }
  }
}

/**
 * Pages that are not stored yet, as bytes in reused memory. As text, the garbage collector would copy each
 * page several times.
 */
export class WaitingPages {
  #lines: Buffer = NOTHING;
  #length = 0;
  #count = 0;
  readonly #memory: PageMemory;

  constructor(memory: PageMemory) {
    this.#memory = memory;
  }

  get count(): number {
    return this.#count;
  }

  add({ request, body }: RawResponse): void {
    const pieces = [`{"request":${JSON.stringify(request)}${BODY}`, bodyOf(body), "}\n"];
    const units = pieces.reduce((sum, { length }) => sum + length, 0);
    this.#makeRoom(BYTES_A_UNIT * units);
    for (const piece of pieces) {
      this.#length += this.#lines.write(piece, this.#length);
    }
    this.#count += 1;
  }

  #makeRoom(bytes: number): void {
    if (this.#lines === NOTHING) {
      this.#lines = this.#memory.take();
    }
    const needed = this.#length + bytes;
    if (needed > this.#lines.length) {
      const larger = Buffer.allocUnsafe(Math.max(FIRST_BYTES, 2 * needed));
      larger.set(this.#lines.subarray(0, this.#length));
      this.#lines = larger;
    }
  }

  /** All pages, in order, compressed. */
  encode(): Uint8Array {
    const lines = this.#lines.subarray(0, this.#length);
    const chunkSize = Math.max(FEWEST_AT_ONCE, Math.ceil(lines.length / USUAL_RATIO));
    return zstdCompressSync(lines, { chunkSize, params: { [constants.ZSTD_c_compressionLevel]: LEVEL } });
  }

  clear(): void {
    this.#memory.giveBack(this.#lines);
    this.#lines = NOTHING;
    this.#length = 0;
    this.#count = 0;
  }
}

/** Throws if the bytes are not what `WaitingPages` made. */
export function decodePages(bytes: Uint8Array): RawResponse[] {
  const text = zstdDecompressSync(bytes).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map(pageOf);
}

/**
 * Writes the body as a JSON object in the line if it can be read back to the letter. Otherwise, and in older
 * archives, the body is a JSON string.
 */
function bodyOf(body: string): string {
  return isObjectOnALine(body) ? body : JSON.stringify(body);
}

function pageOf(line: string): RawResponse {
  const end = line.indexOf(BODY);
  const start = end + BODY.length;
  if (end === -1 || line[start] !== "{") {
    return JSON.parse(line);
  }
  return { request: JSON.parse(`${line.slice(0, end)}}`).request, body: line.slice(start, -1) };
}

/**
 * A body with `\u` is excluded: the escape may be half of a surrogate pair, which strict JSON readers refuse.
 */
function isObjectOnALine(body: string): boolean {
  const isObject = body.startsWith("{") && body.endsWith("}");
  return isObject && body.isWellFormed() && !(body.includes("\n") || body.includes("\r") || body.includes("\\u"));
}
