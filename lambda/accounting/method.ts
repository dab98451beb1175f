import type { CostBook, OpenLot } from "./cost-book.ts";
import { AverageBook } from "./methods/average.ts";
import { FifoBook } from "./methods/fifo.ts";
import { LotBook, leastGainLast, newestLast } from "./methods/lots.ts";
import { type Designations, SpecificBook } from "./methods/specific.ts";

/**
 * How the cost of a close is calculated. To add a method, write its book in methods/, and add its name and
 * its entry here.
 */
export const METHODS = ["average", "fifo", "lifo", "hifo", "specific"] as const;
export type Method = (typeof METHODS)[number];

/** The accountant's name for it. */
export const METHOD_NAMES: Readonly<Record<Method, string>> = {
  average: "Average cost",
  fifo: "FIFO",
  lifo: "LIFO",
  hifo: "HIFO",
  specific: "Specific identification",
};

/** A sentence that explains the method to the reader of its figures. */
export const METHOD_STATEMENTS: Readonly<Record<Method, string>> = {
  average:
    "Average cost: the open position of a market is one pool at weighted average cost; closing part of it does not change the average of the rest.",
  fifo: "FIFO (first in, first out): a close is matched with the oldest open lot.",
  lifo: "LIFO (last in, first out): a close is matched with the newest open lot.",
  hifo: "HIFO (least gain first): a close is matched with the lot that was opened at the highest price for a long position, or at the lowest price for a short position. Of equal lots, the oldest comes first.",
  specific:
    "Specific identification: a close is matched with the lots that the user's matches.csv assigns to it. The rest is matched first in, first out.",
};

/** A book of the method with the lots `open`, which a book of the same method gave. */
export function createBook(method: Method, designations: Designations, open: readonly OpenLot[] = []): CostBook {
  switch (method) {
    case "average":
      return new AverageBook(open);
    case "fifo":
      return new FifoBook(open);
    case "lifo":
      return new LotBook(newestLast, open);
    case "hifo":
      return new LotBook(leastGainLast, open);
    case "specific":
      return new SpecificBook(designations, open);
  }
}

/** A value for each of a pack's two methods: the chosen one, and the one for comparison. */
export interface ByMethod<T> {
  readonly primary: T;
  readonly reference: T;
}

/** The chosen one first. */
export const METHOD_ROLES = ["primary", "reference"] as const;
export type MethodRole = (typeof METHOD_ROLES)[number];

/**
 * The two methods of a pack: the chosen one, and average cost for comparison. Average cost is compared with
 * first in, first out.
 */
export function methodsOf(chosen: Method): ByMethod<Method> {
  return { primary: chosen, reference: chosen === "average" ? "fifo" : "average" };
}

/** Which of the two is average cost. */
export function averageRole({ primary }: ByMethod<Method>): MethodRole {
  return primary === "average" ? "primary" : "reference";
}

export function byMethod<T>(of: (role: MethodRole) => T): ByMethod<T> {
  return { primary: of("primary"), reference: of("reference") };
}
