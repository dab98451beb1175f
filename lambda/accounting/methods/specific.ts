import { type Amount, type Sign, ZERO } from "../../core/amount.ts";
import { FillbookError } from "../../core/errors.ts";
import type { CostBook, Lot, Opener, OpenLot, Taken } from "../cost-book.ts";
import type { Trade } from "../trade.ts";
import { FifoBook } from "./fifo.ts";

/**
 * One line of the user's matches.csv: part of a close goes against the lot that this fill opened or, with
 * empty ids, that the user declared.
 */
export interface Designation {
  readonly openMatchId: string;
  readonly openOrderId: string;
  /** Above zero. */
  readonly quantity: Amount;
  /** The file and line, for messages: `matches.csv, line 3`. */
  readonly where: string;
}

/** By the closing fill's `matchId` and `orderId`, joined by a NUL. */
export type Designations = ReadonlyMap<string, readonly Designation[]>;

/** Specific identification: what the user's file names, and first in, first out for the rest. */
export class SpecificBook implements CostBook {
  readonly #designations: Designations;
  readonly #lots = new FifoBook();
  /** The open lots, by the fill that opened them. */
  readonly #byFill = new Map<string, Lot>();

  constructor(designations: Designations) {
    this.#designations = designations;
  }

  open(opener: Opener, sign: Sign, quantity: Amount, fee: Amount): void {
    this.#byFill.set(keyOf(opener), this.#lots.open(opener, sign, quantity, fee));
  }

  /** Throws `usage` if the file names a lot that is not open, or more than is open or closed. */
  close(closing: Trade, quantity: Amount): Taken[] {
    const designated = this.#takeDesignated(closing, quantity);
    const left = designated.reduce((rest, one) => rest.minus(one.quantity), quantity);
    const taken = left.isZero() ? designated : [...designated, ...this.#lots.close(closing, left)];
    this.#forgetEmptied(taken);
    return taken;
  }

  #takeDesignated({ fill }: Trade, quantity: Amount): Taken[] {
    let left = quantity;
    const taken: Taken[] = [];
    for (const designation of this.#designations.get(keyOf(fill)) ?? []) {
      const { openMatchId: matchId, openOrderId: orderId } = designation;
      const lot = this.#byFill.get(keyOf({ matchId, orderId }));
      if (designation.quantity.gt(left)) {
        throw overmatched(designation, `more than the ${left} left of the close`);
      }
      if (lot === undefined || designation.quantity.gt(lot.quantity)) {
        throw overmatched(designation, `more than the ${lot?.quantity ?? ZERO} left of the lot`);
      }
      taken.push(this.#lots.take(lot, designation.quantity, true));
      left = left.minus(designation.quantity);
    }
    return taken;
  }

  #forgetEmptied(taken: readonly Taken[]): void {
    for (const { opener } of taken) {
      const key = keyOf(opener);
      if (this.#byFill.get(key)?.quantity.isZero()) {
        this.#byFill.delete(key);
      }
    }
  }

  lots(): OpenLot[] {
    return this.#lots.lots();
  }
}

function keyOf({ matchId, orderId }: Pick<Opener, "matchId" | "orderId">): string {
  return `${matchId ?? ""}\u0000${orderId ?? ""}`;
}

function overmatched({ where, quantity }: Designation, than: string): FillbookError {
  return new FillbookError("usage", `${where}: it matches ${quantity}, ${than}`, {
    hint: "correct the line: its lot must be open at the time of the close and have the quantity that the line assigns",
  });
}
