import { comparedOf, convertedOf, type FigureKey, figureOf, type Known, ownOf } from "../../accounting/cube/figures.ts";
import type { Scope } from "../../accounting/cube/scopes.ts";
import { isGiven } from "../make/given.ts";
import type { PackContext } from "../make/maker.ts";

/** A figure for people, with what it lacks. */
export interface Headline {
  readonly key: FigureKey;
  /** `Net realised PnL, excl. funding` */
  readonly label: string;
  readonly own: Known;
  /** By the method for comparison. */
  readonly compared: Known | null;
}

const RESULTS: readonly FigureKey[] = [
  "realised_pnl_net_incl_funding",
  "realised_pnl_net_of_fees_excl_funding",
  "gross_pnl",
  "fees_recognised",
  "funding",
];

/** The figure with which every view begins. */
export function mainFigure(context: PackContext): FigureKey {
  return isGiven(context, "funding") ? "realised_pnl_net_incl_funding" : "realised_pnl_net_of_fees_excl_funding";
}

/** The results of a row in its settlement currency: the main figure first. */
export function resultsOf(context: PackContext, scope: Scope): Headline[] {
  return shownIn(context).map((key) => ({
    key,
    label: figureOf(key).name,
    own: ownOf(key, scope),
    compared: key === "funding" ? ownOf(key, scope) : comparedOf(key, scope),
  }));
}

/** The same in the reporting currency, by the chosen method only. */
export function convertedResultsOf(context: PackContext, scope: Scope): Headline[] {
  return shownIn(context).flatMap((key) => {
    const own = convertedOf(key, scope);
    return own === null ? [] : [{ key, label: figureOf(key).name, own, compared: null }];
  });
}

function shownIn(context: PackContext): FigureKey[] {
  return RESULTS.filter((key) => isGiven(context, "funding") || !/funding$/.test(key) || key.includes("excl_"));
}
