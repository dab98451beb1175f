import { closeSync, fstatSync, openSync, readSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { FillbookError } from "../../../lambda/core/errors.ts";
import { decodePage } from "../../../lambda/service/decode.ts";
import type { PageRequest, ServiceReader } from "../../../lambda/service/service.ts";
import { createEmulator } from "../../emulator/core.ts";
import { makeHistory } from "../../emulator/history.ts";
import type { Meter } from "./meter.ts";

/**
 * The emulator's rows as JSON text on disk, newest first, so that a measured process neither creates nor
 * holds them. The file `items` has the rows, each followed by a comma. The file `index` has two doubles per
 * row: `txCreated`, and the offset of the row in `items`.
 */
export const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) } as const;

const PAGE_ROWS = 100;
const DOUBLE_BYTES = 8;
const ENTRY_BYTES = 2 * DOUBLE_BYTES;
const BATCH_ROWS = 10_000;
/** More than the longest row of the emulator. */
const ROW_BYTES = 1024;

/**
 * Rows are created oldest first, so the file is written from its end. Its unused beginning is a hole, which
 * takes no disk space.
 */
export function writeAccount(dir: string, fills: number): void {
  const emulator = createEmulator({ history: makeHistory({ seed: 1, fills, ...YEAR }) });
  const end = fills * ROW_BYTES;
  const items = openSync(join(dir, "items"), "w");
  const times = new Float64Array(fills);
  const starts = new Float64Array(fills + 1).fill(end);
  let place = fills;
  for (const batch of batchesOf(emulator.truthItems(), BATCH_ROWS)) {
    const texts = batch.map((item) => `${JSON.stringify(item)},`);
    for (const [at, { txCreated }] of batch.entries()) {
      place -= 1;
      times[place] = txCreated;
      starts[place] = (starts[place + 1] ?? end) - (texts[at]?.length ?? 0); // the emulator's rows are ASCII
    }
    writeSync(items, texts.reverse().join(""), starts[place] ?? 0);
  }
  closeSync(items);
  if (place !== 0) {
    throw new Error(`the emulator has ${fills - place} rows instead of ${fills}`);
  }
  const index = Buffer.alloc((fills + 1) * ENTRY_BYTES);
  for (const [row, start] of starts.entries()) {
    index.writeDoubleLE(times[row] ?? 0, row * ENTRY_BYTES);
    index.writeDoubleLE(start, row * ENTRY_BYTES + DOUBLE_BYTES);
  }
  writeFileSync(join(dir, "index"), index);
}

function* batchesOf<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
}

/**
 * The service as its document describes it: newest rows first, both dates inclusive. A cursor is the place of
 * the next row.
 */
export class AccountFile {
  readonly rows: number;
  readonly #items: number;
  readonly #index: number;
  readonly #entry = Buffer.alloc(ENTRY_BYTES);
  #page = Buffer.alloc(0);

  constructor(dir: string) {
    this.#items = openSync(join(dir, "items"), "r");
    this.#index = openSync(join(dir, "index"), "r");
    this.rows = fstatSync(this.#index).size / ENTRY_BYTES - 1;
  }

  body({ startDate, endDate, start }: PageRequest): string {
    const first = start === undefined ? this.#placeBefore(endDate ?? Number.POSITIVE_INFINITY) : Number(start);
    const end = startDate === undefined ? this.rows : this.#placeBefore(startDate - 1);
    const next = Math.max(first, Math.min(first + PAGE_ROWS, end));
    const last = next < end ? `,"last":"${next}"` : "";
    return `{"completedOrders":[${this.#texts(first, next)}]${last}}`;
  }

  /** The place of the newest row whose `txCreated` is at most `time`. */
  #placeBefore(time: number): number {
    let low = 0;
    let high = this.rows;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#read(middle, 0) > time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  #texts(first: number, end: number): string {
    if (first >= end) {
      return "";
    }
    const from = this.#read(first, DOUBLE_BYTES);
    const bytes = this.#read(end, DOUBLE_BYTES) - from - 1; // without the final comma
    if (this.#page.length < bytes) {
      this.#page = Buffer.alloc(2 * bytes);
    }
    readSync(this.#items, this.#page, 0, bytes, from);
    return this.#page.toString("latin1", 0, bytes);
  }

  #read(place: number, offset: number): number {
    readSync(this.#index, this.#entry, 0, ENTRY_BYTES, place * ENTRY_BYTES);
    return this.#entry.readDoubleLE(offset);
  }
}

/** The bodies of all pages, in the service's order. The cost of reading them is not measured. */
export function* pageBodies(account: AccountFile, meter: Meter): Generator<string> {
  for (let place = 0; place < account.rows; place += PAGE_ROWS) {
    yield meter.aside(() => account.body({ start: String(place) }));
  }
}

/** A reader over the file. It does what the client does apart from the network. */
export function accountReader(account: AccountFile, meter: Meter): ServiceReader {
  const counts = { requests: 0, refused: 0 };
  const unused = () => Promise.reject(new FillbookError("fault", "the walk does not request this"));
  return {
    counts,
    hasRoom: () => true,
    begin: () => undefined,
    learned: () => ({ ratePerSecond: null, pausedUntil: null, notedAt: 0 }),
    // biome-ignore lint/suspicious/useAwait: the port is asynchronous
    async completedOrders(request) {
      counts.requests += 1;
      const body = meter.aside(() => account.body(request));
      return { kind: "page", body, ...decodePage(body) };
    },
    openOrder: unused,
    markets: unused,
    productSpecifications: unused,
    marketData: unused,
  };
}
