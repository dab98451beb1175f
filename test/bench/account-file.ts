import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { FillbookError } from "../../lambda/errors.ts";
import { decodePage } from "../../lambda/service/decode.ts";
import type { PageRequest, ServiceReader } from "../../lambda/service/service.ts";
import { createEmulator } from "../emulator/core.ts";
import { makeHistory } from "../emulator/history.ts";

/**
 * The emulator's rows as JSON text on disk, newest first, so that a measured process neither makes nor holds them: `items` is the rows with a
 * comma after each, `index` a pair of doubles a row: `txCreated` and where the row begins.
 */
export const YEAR = { from: Date.UTC(2025, 0, 1), to: Date.UTC(2026, 0, 1) } as const;

const PAGE_ROWS = 100;
const DOUBLE_BYTES = 8;
const ENTRY_BYTES = 2 * DOUBLE_BYTES;
const BATCH_ROWS = 10_000;

export interface Stopwatch {
  /** CPU spent on pages, not on what is measured. µs */
  cpuMicros: number;
}

export function writeAccount(dir: string, fills: number): void {
  const emulator = createEmulator({ history: makeHistory({ seed: 1, fills, ...YEAR }) });
  const texts = Array.from(emulator.truthItems(), (item) => JSON.stringify(item)).reverse();
  const items = openSync(join(dir, "items"), "w");
  const index = Buffer.alloc((texts.length + 1) * ENTRY_BYTES);
  let at = 0;
  for (let first = 0; first < texts.length; first += BATCH_ROWS) {
    const batch = texts.slice(first, first + BATCH_ROWS);
    for (const [place, text] of batch.entries()) {
      const entry = (first + place) * ENTRY_BYTES;
      index.writeDoubleLE(JSON.parse(text).txCreated, entry);
      index.writeDoubleLE(at, entry + DOUBLE_BYTES);
      at += text.length + 1; // the emulator's rows are ASCII
    }
    writeSync(items, batch.map((text) => `${text},`).join(""));
  }
  index.writeDoubleLE(at, texts.length * ENTRY_BYTES + DOUBLE_BYTES);
  closeSync(items);
  const file = openSync(join(dir, "index"), "w");
  writeSync(file, index);
  closeSync(file);
}

/** The service as its document describes it, newest rows first, both dates inclusive; a cursor is the next row's place. */
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

  /** Place of the first row that is not younger than `time`. */
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
    const bytes = this.#read(end, DOUBLE_BYTES) - from - 1; // without the last comma
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

/** A reader over the file: what the client would do beside the network. `pages` gets the CPU that making the bodies took. */
export function accountReader(account: AccountFile, pages: Stopwatch): ServiceReader {
  const counts = { requests: 0, refused: 0 };
  const unused = () => Promise.reject(new FillbookError("fault", "not asked by the walk"));
  return {
    counts,
    hasRoom: () => true,
    begin: () => undefined,
    learned: () => ({ ratePerSecond: null, pausedUntil: null, notedAt: 0 }),
    decode: (body) => decodePage(body).rows,
    // biome-ignore lint/suspicious/useAwait: the port is asynchronous
    async completedOrders(request) {
      counts.requests += 1;
      const before = process.cpuUsage();
      const body = account.body(request);
      const { user, system } = process.cpuUsage(before);
      pages.cpuMicros += user + system;
      return { kind: "page", body, ...decodePage(body) };
    },
    openOrder: unused,
    markets: unused,
    productSpecifications: unused,
    marketData: unused,
  };
}
