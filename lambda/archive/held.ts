import { byTxCreated, type Fill } from "../core/fill.ts";
import { overlaps } from "../core/ranges.ts";
import { DAY_MS, type TimeRange } from "../core/time.ts";
import { fillsIn, fillsOf } from "./data-file.ts";
import type { DataFile, Manifest } from "./manifest.ts";
import { textOf } from "./objects.ts";
import { fillsOfUnit, type Unit, unitsOf } from "./read.ts";

/** Data files whose texts are kept in memory: questions next to each other need the same ones. */
const MOST_LOADED = 2;
/** At most so many fills are read a second time at once, or one unit. */
const CHUNK_FILLS = 50_000;
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

  /** All fills, sorted, a unit at a time. */
  async *all(): AsyncGenerator<readonly Fill[]> {
    for (const unit of this.#units) {
      yield await this.#fillsOf(unit);
    }
  }

  /** The fills of a range, both ends included, sorted by `tx_created`. */
  async within({ from, to }: TimeRange): Promise<readonly Fill[]> {
    const found: (readonly Fill[])[] = [];
    for (const unit of this.#units.filter((one) => one.from <= to && from < one.to)) {
      const step = unit.to <= to ? -1 : 1;
      const { fills } = await this.#search(unit, step, ({ txCreated }) =>
        step === 1 ? txCreated <= to : from <= txCreated,
      );
      found.push(fills.filter(({ txCreated }) => from <= txCreated && txCreated <= to));
    }
    return found.flat();
  }

  /** A range in pieces that memory holds, extended to the shown fills next to its ends, and cut at such. */
  async *chunksOf(range: TimeRange, most = CHUNK_FILLS): AsyncGenerator<TimeRange> {
    let from = reached(range.from, await this.near(range.from, -1));
    const to = reached(range.to, await this.near(range.to, 1));
    let count = 0;
    let before: Unit | null = null;
    for (const unit of this.#units.filter((one) => overlaps(one, { from, to }))) {
      if (before !== null && count + unit.fills > most) {
        const cut = (await this.#search(before, -1, (fill) => !this.#isShown(fill))).next?.txCreated ?? from;
        if (from < cut && cut < to) {
          yield { from, to: cut };
          from = cut;
        }
        count = 0;
      }
      count += unit.fills;
      before = unit;
    }
    yield { from, to };
  }

  /** The nearest shown fill that is not before (`step` 1) or not after (-1) a time. */
  async near(time: number, step: 1 | -1): Promise<Fill | null> {
    const isElsewhere = (fill: Fill) =>
      (step === 1 ? fill.txCreated < time : fill.txCreated > time) || !this.#isShown(fill);
    const units = this.#units.filter(({ from, to }) => (step === 1 ? to > time : from <= time));
    for (const unit of step === 1 ? units : units.toReversed()) {
      const { next } = await this.#search(unit, step, isElsewhere);
      if (next !== null) {
        return next;
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
      const fills = (await this.#fillsOf(unit)).filter(this.#isShown);
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

  #fillsOf(unit: Unit): Promise<readonly Fill[]> {
    return fillsOfUnit(unit, async (file) => fillsOf(await this.textOf(file)));
  }

  /** Of a unit, from its beginning or from its end (`step` -1): fills until one is not asked for (`next`), sorted. */
  async #search(unit: Unit, step: 1 | -1, isAsked: (fill: Fill) => boolean) {
    const [only] = unit.files;
    const isOne = only !== undefined && unit.files.length === 1;
    const text = isOne ? await this.textOf(only) : textOf((await this.#fillsOf(unit)).map(({ row }) => row));
    return fillsIn(text, step, isAsked);
  }
}

function reached(end: number, fill: Fill | null): number {
  return fill !== null && Math.abs(fill.txCreated - end) <= FARTHEST_MS ? fill.txCreated : end;
}
