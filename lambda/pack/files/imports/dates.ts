import type { Booked } from "../../../accounting/booked.ts";
import { memoizeLast } from "../../build/memoize-last.ts";
import { byOrder, type Cash, type Movement } from "./cash.ts";

/** The movements of one date, in a tool's unit of time, in the order of their rows. */
export interface Dated {
  readonly movements: readonly Movement[];
  /** True: no two amounts are equal, so no two rows are. */
  readonly areDistinct: boolean;
}

/**
 * Groups movements by dates of `unitMs`, once for all tools with that unit. Each of them takes a batch before
 * the next one comes. Only the newest date is held back.
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

  /** The rest, after all fills. */
  rest(): readonly Dated[] {
    return this.#datesOf(this.#cash.rest()).map(datedOf);
  }

  /** Times come in order, so a date's movements come together. */
  #datesOf(movements: readonly Movement[]): (readonly Movement[])[] {
    const dates: (readonly Movement[])[] = [];
    let open: Movement[] = [];
    let date = Number.NaN;
    for (const movement of this.#held.length === 0 ? movements : [...this.#held, ...movements]) {
      const own = Math.floor(movement.time / this.#unitMs);
      if (own !== date) {
        open = [];
        dates.push(open);
        date = own;
      }
      open.push(movement);
    }
    return dates;
  }
}

function datedOf(movements: readonly Movement[]): Dated {
  return {
    movements: isSorted(movements) ? movements : movements.toSorted(byOrder),
    areDistinct: areDistinct(movements),
  };
}

function isSorted(movements: readonly Movement[]): boolean {
  for (let at = 1; at < movements.length; at += 1) {
    if (byOrder(movements[at - 1] as Movement, movements[at] as Movement) > 0) {
      return false;
    }
  }
  return true;
}

/** Nearly every date has one fill with a result and a fee. */
function areDistinct(movements: readonly Movement[]): boolean {
  const [first, second] = movements;
  return movements.length < 3
    ? first?.digits !== second?.digits
    : new Set(movements.map(({ digits }) => digits)).size === movements.length;
}
