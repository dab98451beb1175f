import { byTxCreated, type Fill, identityOf } from "../core/fill.ts";
import type { TimeRange } from "../core/time.ts";

/** The fills that are known of a range of time, in order of `txCreated`. */
export class Ledger {
  readonly #byId = new Map<string, Fill>();
  readonly #vanished: Set<string>;
  #sorted: Fill[] | null = null;

  /** `vanished`: identities that the service no longer shows. They prove nothing. */
  constructor(fills: Iterable<Fill>, vanished: Iterable<string>) {
    this.#vanished = new Set(vanished);
    for (const fill of fills) {
      this.#byId.set(identityOf(fill), fill);
    }
  }

  get(identity: string): Fill | undefined {
    return this.#byId.get(identity);
  }

  add(fill: Fill): void {
    this.#byId.set(identityOf(fill), fill);
    this.#sorted = null;
  }

  /** The place of the first fill at `time` or later. */
  placeOf(time: number): number {
    const all = this.#all();
    let low = 0;
    let high = all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((all[middle] as Fill).txCreated < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The time of the fill at a place, ms UTC; null: there is none. */
  timeAt(place: number): number | null {
    return this.#all()[place]?.txCreated ?? null;
  }

  /** Whether a fill is known at exactly this time. */
  has(time: number): boolean {
    return this.timeAt(this.placeOf(time)) === time;
  }

  /** The fills of [from, to], both ends included, that the service must show. */
  within({ from, to }: TimeRange): readonly Fill[] {
    return this.#all().slice(this.placeOf(from), this.placeOf(to + 1));
  }

  #all(): readonly Fill[] {
    this.#sorted ??= [...this.#byId]
      .filter(([identity]) => !this.#vanished.has(identity))
      .map(([, fill]) => fill)
      .sort(byTxCreated);
    return this.#sorted;
  }

  isVanished(identity: string): boolean {
    return this.#vanished.has(identity);
  }

  /** These fills have vanished, too. */
  forget(identities: readonly string[]): void {
    for (const identity of identities) {
      this.#vanished.add(identity);
    }
    this.#sorted = null;
  }
}
