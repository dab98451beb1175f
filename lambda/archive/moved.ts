import { type Fill, identityOf } from "../core/fill.ts";
import type { TimeRange } from "../core/time.ts";

/**
 * Finds fills that the archive holds twice, because the service has corrected their `txCreated` and the old
 * version lies in another data file. The version that the service shows (`after`) stays, the other (`before`) goes.
 */
export class MovedFills {
  readonly #vanished: Set<string>;
  /** The piece that is read a second time, and the fills in it that are held in several versions. */
  #piece: TimeRange = { from: 0, to: 0 };
  #twice: ReadonlyMap<string, readonly Fill[]> = new Map();
  /** Which version goes, of fills that may be held elsewhere, too. */
  readonly #sought = new Map<string, (version: Fill) => boolean>();

  constructor(vanished: readonly string[]) {
    this.#vanished = new Set(vanished);
  }

  /** Identities that the service no longer shows. */
  get vanished(): readonly string[] {
    return [...this.#vanished];
  }

  /** Whether fills have vanished, or were shown again, of which another version may be held. */
  get isOpen(): boolean {
    return this.#sought.size > 0;
  }

  isVanished(fill: Fill): boolean {
    return this.#vanished.has(identityOf(fill));
  }

  /** A piece, both ends included, is read a second time. `held`: its fills. */
  compareWith(piece: TimeRange, held: readonly Fill[]): void {
    this.#piece = piece;
    this.#twice = new Map([...Map.groupBy(held, identityOf)].filter(([, versions]) => versions.length > 1));
  }

  /** These have vanished from the piece. */
  vanish(identities: readonly string[]): void {
    const { from, to } = this.#piece;
    for (const identity of identities.filter((one) => !this.#vanished.has(one))) {
      this.#vanished.add(identity);
      this.#sought.set(identity, ({ txCreated }) => from <= txCreated && txCreated <= to);
    }
  }

  /** The service shows these fills. */
  shown(fills: readonly Fill[]) {
    if (this.#twice.size + this.#vanished.size === 0) {
      return [];
    }
    const isOther = (after: Fill) => (before: Fill) => before.txCreated !== after.txCreated;
    for (const fill of fills.filter((one) => this.#vanished.delete(identityOf(one)))) {
      this.#sought.set(identityOf(fill), isOther(fill));
    }
    return fills.flatMap((after) =>
      (this.#twice.get(identityOf(after)) ?? []).filter(isOther(after)).map((before) => ({ before, after })),
    );
  }

  /**
   * At the run's end: fills that have vanished from one time and are held at another one, too. `held`: all
   * fills of the archive.
   */
  async settle(held: () => AsyncIterable<readonly Fill[]>) {
    const versions: Fill[] = [];
    for await (const fills of held()) {
      for (const fill of fills.filter((one) => this.#sought.has(identityOf(one)))) {
        versions.push(fill);
      }
    }
    return [...Map.groupBy(versions, identityOf)].flatMap(([identity, all]) => {
      const goes = (version: Fill) => this.#sought.get(identity)?.(version) === true;
      const after = all.find((version) => !goes(version));
      const before = all.filter(goes);
      if (after === undefined || before.length === 0) {
        return [];
      }
      this.#vanished.delete(identity);
      return before.map((one) => ({ before: one, after }));
    });
  }
}
