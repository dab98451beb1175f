import type { Booked } from "../../../accounting/booked.ts";
import { memoizeLast } from "../../build/memoize-last.ts";
import { byOrder, type Cash, type Movement } from "./cash.ts";

/** The movements of one date, as a tool keeps times, in the order of their rows. */
export interface Dated {
  readonly movements: readonly Movement[];
  /** No two amounts are equal, so that no two rows are. */
  readonly areDistinct: boolean;
}

/**
 * Gathers movements by dates of so many ms, once for all tools that keep times alike: each of them takes a batch before the next one comes. Those of the
 * newest date only are held back.
 */
export class Dates {
  /** The dates that ended with a batch. */
  readonly endedWith: (batch: readonly Booked[]) => readonly Dated[];
  readonly #cash: Cash;
  readonly #unitMs: number;
  #held: readonly Movement[] = [];

  constructor(cash: Cash, unitMs: number) {
    this.#cash = cash;
    this.#unitMs = unitMs;
    this.endedWith = memoizeLast((batch) => {
      const dates = this.#datesOf(cash.of(batch));
      this.#held = dates.pop() ?? [];
      return dates.map(datedOf);
    });
  }

  /** What is left when all fills have gone by. */
  rest(): readonly Dated[] {
    return this.#datesOf(this.#cash.rest()).map(datedOf);
  }

  #datesOf(movements: readonly Movement[]): (readonly Movement[])[] {
    const all = [...this.#held, ...movements];
    return [...Map.groupBy(all, ({ time }) => Math.floor(time / this.#unitMs)).values()];
  }
}

function datedOf(movements: readonly Movement[]): Dated {
  return {
    movements: isSorted(movements) ? movements : movements.toSorted(byOrder),
    areDistinct: areDistinct(movements),
  };
}

function isSorted(movements: readonly Movement[]): boolean {
  return movements.every((movement, at) => {
    const before = movements[at - 1];
    return before === undefined || byOrder(before, movement) <= 0;
  });
}

/** Nearly all dates have one fill, with a result and a fee. */
function areDistinct(movements: readonly Movement[]): boolean {
  const [first, second] = movements;
  return movements.length < 3
    ? first?.digits !== second?.digits
    : new Set(movements.map(({ digits }) => digits)).size === movements.length;
}
