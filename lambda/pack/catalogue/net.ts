import { convertedOf, ownOf } from "../../accounting/cube/figures.ts";
import { type Scope, type Sums, scopesOf } from "../../accounting/cube/scopes.ts";
import { compareText } from "../../core/text.ts";
import { isGiven } from "../make/given.ts";
import type { Closing, PackContext } from "../make/maker.ts";
import { mainFigure } from "../tables/figure-column.ts";

/** A figure with which the report begins, as completeness.json has it. */
export interface StatedNet {
  readonly currency: string;
  /** Net realised PnL, an exact decimal; null: not known. */
  readonly amount: string | null;
  readonly funding: "included" | "excluded";
  readonly partial: boolean;
}

/** The sums of each settlement currency; the one with the most fills comes first. */
export function settledScopes(sums: Sums): Scope[] {
  return scopesOf(sums, ["currency"])
    .filter(({ cell }) => cell.currency !== "")
    .sort((a, b) => b.cell.fills - a.cell.fills || compareText(a.cell.currency ?? "", b.cell.currency ?? ""));
}

/** Whether the reporting currency is another than that of all figures. */
export function isConverted(sums: Sums): boolean {
  return sums.currency !== null && settledScopes(sums).some(({ cell }) => cell.currency !== sums.currency);
}

/** Net realised PnL in the reporting currency, or else in each settlement currency, by the chosen method. */
export function statedNets(context: PackContext, { sums }: Pick<Closing, "sums">): readonly StatedNet[] {
  const { currency } = sums;
  const main = mainFigure(context);
  const [scopes, of] = currency === null ? [settledScopes(sums), ownOf] : [scopesOf(sums, []), convertedOf];
  return scopes.map((scope) => {
    const { amount = null, lacks = [] } = of(main, scope) ?? {};
    return {
      currency: currency ?? scope.cell.currency ?? "",
      amount: amount?.toString() ?? null,
      funding: isGiven(context, "funding") ? "included" : "excluded",
      partial: lacks.length > 0,
    };
  });
}
