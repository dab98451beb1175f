import { isUnitedStates } from "../core/tax-years.ts";
import type { CostBook } from "./cost-book.ts";
import { AverageBook } from "./methods/average.ts";
import { LotBook, leastGainFirst, newestFirst } from "./methods/lots.ts";
import { type Designations, SpecificBook } from "./methods/specific.ts";

/**
 * How the cost of a close is calculated. To add a method, write its book in methods/, and add its name and
 * its entry here.
 */
export const METHODS = ["average", "fifo", "lifo", "hifo", "specific"] as const;
export type Method = (typeof METHODS)[number];

/** If nobody chose one. In the United States property is matched first in, first out: 26 CFR 1.1012-1 (c) and (j). */
export function defaultMethod(period: string): Method {
  return isUnitedStates(period) ? "fifo" : "average";
}

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

const BOOKS: Readonly<Record<Method, (designations: Designations) => CostBook>> = {
  average: () => new AverageBook(),
  fifo: () => new LotBook(null),
  lifo: () => new LotBook(newestFirst),
  hifo: () => new LotBook(leastGainFirst),
  specific: (designations) => new SpecificBook(designations),
};

export function createBook(method: Method, designations: Designations): CostBook {
  return BOOKS[method](designations);
}

/** The methods of a pack: the chosen one, and the one whose totals are shown beside it. */
export interface Methods {
  readonly primary: Method;
  readonly reference: Method;
}

/**
 * The two methods of a pack: the chosen one, and average cost for comparison. Average cost is compared with
 * first in, first out.
 */
export function methodsOf(chosen: Method): Methods {
  return { primary: chosen, reference: chosen === "average" ? "fifo" : "average" };
}
