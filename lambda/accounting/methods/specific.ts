import { type Amount, least, ZERO } from "../../core/amount.ts";
import { FillbookError } from "../../core/errors.ts";
import type { Opener } from "../booked.ts";
import { type CostBook, type Lot, type OpenLot, type Taken, takeOf, tooLarge } from "../cost-book.ts";
import type { Trade } from "../trade.ts";

/**
 * One line of the user's matches.csv: part of a close goes against the lot that this fill opened or, without
 * ids, that the user declared.
 */
export interface Designation {
  readonly openMatchId: string | null;
  readonly openOrderId: string | null;
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
  /** The open lots by the fill that opened them, the oldest first. */
  readonly #lots = new Map<string, Lot>();

  constructor(designations: Designations) {
    this.#designations = designations;
  }

  open(lot: OpenLot): void {
    this.#lots.set(keyOf(lot.opener), { ...lot });
  }

  /** Throws `usage` if the file names a lot that is not open, or more than is open or closed. */
  close(closing: Trade, quantity: Amount): Taken[] {
    const taken = this.#takeDesignated(closing, quantity);
    let left = taken.reduce((rest, one) => rest.minus(one.quantity), quantity);
    for (const lot of this.#lots.values()) {
      if (left.isZero()) {
        break;
      }
      const one = this.#take(lot, least(left, lot.quantity));
      taken.push(one);
      left = left.minus(one.quantity);
    }
    if (!left.isZero()) {
      throw tooLarge();
    }
    return taken;
  }

  #takeDesignated({ fill }: Trade, quantity: Amount): Taken[] {
    let left = quantity;
    const taken: Taken[] = [];
    for (const designation of this.#designations.get(keyOf(fill)) ?? []) {
      const { openMatchId: matchId, openOrderId: orderId } = designation;
      const lot = this.#lots.get(keyOf({ matchId, orderId }));
      if (designation.quantity.gt(left)) {
        throw overmatched(designation, `more than the ${left} left of the close`);
      }
      if (lot === undefined || designation.quantity.gt(lot.quantity)) {
        throw overmatched(designation, `more than the ${lot?.quantity ?? ZERO} left of the lot`);
      }
      taken.push(this.#take(lot, designation.quantity, { designated: true }));
      left = left.minus(designation.quantity);
    }
    return taken;
  }

  #take(lot: Lot, quantity: Amount, is: Parameters<typeof takeOf>[2] = {}): Taken {
    const taken = takeOf(lot, quantity, is);
    if (lot.quantity.isZero()) {
      this.#lots.delete(keyOf(lot.opener));
    }
    return taken;
  }

  lots(): OpenLot[] {
    return [...this.#lots.values()].map((lot) => ({ ...lot }));
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
