import { convertedOf, type Known, ownOf } from "../../accounting/cube/figures.ts";
import { lacksOf, type Scope, scopesOf } from "../../accounting/cube/scopes.ts";
import { compareText } from "../../core/text.ts";
import { isGiven } from "../make/given.ts";
import type { Closing, PackContext } from "../make/maker.ts";
import { mainFigure } from "../tables/figure-column.ts";

/** A figure with which the report begins, as completeness.json and latest.json have it. */
export interface StatedNet {
  readonly currency: string;
  /** Net realised PnL, an exact decimal; null: not known. */
  readonly amount: string | null;
  readonly funding: "included" | "excluded";
  readonly partial: boolean;
}

/** Net realised PnL in the reporting currency, or else in each settlement currency, by the chosen method. */
export function statedNets(context: PackContext, { sums }: Pick<Closing, "sums">): readonly StatedNet[] {
  const main = mainFigure(context);
  const stated = (currency: string, { cell }: Scope, known: Known | null): StatedNet => ({
    currency,
    amount: known?.amount?.toString() ?? null,
    funding: isGiven(context, "funding") ? "included" : "excluded",
    partial: lacksOf(cell).length > 0,
  });
  if (sums.currency !== null) {
    const { currency } = sums;
    return scopesOf(sums, []).map((scope) => stated(currency, scope, convertedOf(main, scope)));
  }
  return scopesOf(sums, ["currency"])
    .filter(({ cell }) => cell.currency !== "")
    .sort((a, b) => b.cell.fills - a.cell.fills || compareText(a.cell.currency ?? "", b.cell.currency ?? ""))
    .map((scope) => stated(scope.cell.currency ?? "", scope, ownOf(main, scope)));
}
