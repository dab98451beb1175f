import { byTxCreated, type Fill } from "../core/fill.ts";
import { overlaps } from "../core/ranges.ts";
import { DAY_MS, type TimeRange } from "../core/time.ts";
import { textOf } from "../formats/lines.ts";
import { fillsFrom, fillsOf, placeIn, rowAt } from "./data-file.ts";
import type { DataFile, Manifest } from "./manifest.ts";
import { fillsOfUnit, type Unit, unitsOf } from "./read.ts";

/** Data files whose texts are kept in memory: questions next to each other need the same ones. */
const MOST_LOADED = 2;
/** At most about so many fills are read a second time at once. */
const CHUNK_FILLS = 20_000;
/** A range reaches no farther for a fill at its end: the silence between would be asked each night, ms. */
const FARTHEST_MS = 28 * DAY_MS;

/** The fills of an archive, as a run reads them: the texts of a few data files, and of these what is asked for. */
export class HeldFills {
  readonly #read: (file: DataFile) => Promise<Buffer>;
  readonly #isShown: (fill: Fill) => boolean;
  readonly #texts = new Map<string, Buffer>();
  manifest: Manifest;

  /** `isShown`: false of a fill that the service no longer shows: no question begins or ends at it. */
  constructor(manifest: Manifest, read: (file: DataFile) => Promise<Buffer>, isShown: (fill: Fill) => boolean) {
    this.manifest = manifest;
    this.#read = read;
    this.#isShown = isShown;
  }

  /** All fills, sorted, a unit at a time. */
  async *all(): AsyncGenerator<readonly Fill[]> {
    for (const unit of this.#units) {
      yield fillsOf(await this.#textOf(unit));
    }
  }

  /** The fills of a range, both ends included, sorted by `tx_created`. */
  async within({ from, to }: TimeRange): Promise<readonly Fill[]> {
    const found: (readonly Fill[])[] = [];
    for (const unit of this.#units.filter((one) => one.from <= to && from < one.to)) {
      const text = await this.#textOf(unit);
      found.push(fillsOf(text.subarray(placeIn(text, from), placeIn(text, to + 1))));
    }
    return found.flat();
  }

  /** A range in pieces that memory holds, extended to the shown fills next to its ends, and cut at such. */
  async *chunksOf(range: TimeRange, most = CHUNK_FILLS): AsyncGenerator<TimeRange> {
    let from = reached(range.from, await this.near(range.from, -1));
    const to = reached(range.to, await this.near(range.to, 1));
    let count = 0;
    for (const unit of this.#units.filter((one) => overlaps(one, { from, to }))) {
      const parts = Math.ceil(unit.fills / most);
      for (let part = 0; part < parts; part += 1) {
        if (count + unit.fills / parts > most) {
          const text = await this.#textOf(unit);
          const { fill } = rowAt(text, Math.floor((text.length * part) / parts));
          const cut = (await this.near(fill.txCreated - 1, -1))?.txCreated ?? from;
          if (from < cut && cut < to) {
            yield { from, to: cut };
            from = cut;
          }
          count = 0;
        }
        count += unit.fills / parts;
      }
    }
    yield { from, to };
  }

  /** The nearest shown fill that is not before (`step` 1) or not after (-1) a time. */
  async near(time: number, step: 1 | -1): Promise<Fill | null> {
    const units = this.#units.filter(({ from, to }) => (step === 1 ? to > time : from <= time));
    for (const unit of step === 1 ? units : units.toReversed()) {
      const text = await this.#textOf(unit);
      const fill = fillsFrom(text, placeIn(text, step === 1 ? time : time + 1), step).find(this.#isShown);
      if (fill !== undefined) {
        return fill;
      }
    }
    return null;
  }

  /** The first and the last shown fill. Null: there is none. */
  async ends(): Promise<{ readonly first: Fill; readonly last: Fill } | null> {
    const first = await this.near(Number.NEGATIVE_INFINITY, 1);
    const last = await this.near(Number.POSITIVE_INFINITY, -1);
    return first === null || last === null ? null : { first, last };
  }

  /** The newest shown fill of each of the newest orders, newest first; at most `most`, all of one unit. */
  async newest(most: number): Promise<readonly Fill[]> {
    for (const unit of this.#units.toReversed()) {
      const fills = fillsOf(await this.#textOf(unit)).filter(this.#isShown);
      if (fills.length > 0) {
        const orders = new Map(fills.map((fill) => [fill.orderId, fill]));
        return [...orders.values()].sort(byTxCreated).slice(-most).toReversed();
      }
    }
    return [];
  }

  get #units(): readonly Unit[] {
    return unitsOf(this.manifest);
  }

  /** The rows of a unit: those of its only file, or of several as one. */
  async #textOf({ files }: Unit): Promise<Buffer> {
    const [only] = files;
    return only !== undefined && files.length === 1
      ? await this.textOf(only)
      : textOf((await fillsOfUnit({ files }, async (file) => fillsOf(await this.textOf(file)))).map(({ row }) => row));
  }

  async textOf(file: DataFile): Promise<Buffer> {
    const name = `${file.from} ${file.sha256}`;
    const held = this.#texts.get(name);
    this.#texts.delete(name);
    for (const oldest of [...this.#texts.keys()].slice(0, 1 - MOST_LOADED)) {
      this.#texts.delete(oldest);
    }
    const text = held ?? (await this.#read(file));
    this.#texts.set(name, text);
    return text;
  }
}

function reached(end: number, fill: Fill | null): number {
  return fill !== null && Math.abs(fill.txCreated - end) <= FARTHEST_MS ? fill.txCreated : end;
}
