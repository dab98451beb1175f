import { isWhole, knownSumOf, netOf, type Sum, sumOf } from "../../accounting/aggregate.ts";
import type { MarketMonth, Statement } from "../../accounting/statement.ts";
import { type Amount, totalOf, ZERO } from "../../core/amount.ts";
import { compareText } from "../../core/text.ts";
import type { Closing, PackContext } from "../build/maker.ts";

/** A figure with which the report begins, as completeness.json and latest.json have it. */
export interface StatedNet {
  readonly currency: string;
  /** Net realised PnL, an exact decimal; null: not known. */
  readonly amount: string | null;
  readonly funding: "included" | "excluded";
  readonly partial: boolean;
}

/** The sum of each settlement currency, in the report's order: by fills, the most first. */
export function currencySums({
  marketMonths,
  markets,
}: Pick<Statement, "marketMonths" | "markets">): readonly { readonly name: string; readonly sum: Sum }[] {
  const monthsOf = Map.groupBy(marketMonths, ({ currency }) => currency);
  const names = new Set([...monthsOf.keys(), ...markets.map(({ currency }) => currency)]);
  return [...names]
    .filter((name) => name !== "")
    .map((name) => ({ name, sum: sumOf(monthsOf.get(name) ?? []) }))
    .sort((a, b) => b.sum.fills - a.sum.fills || compareText(a.name, b.name));
}

/** Net realised PnL in the reporting currency, or else in each settlement currency, by the chosen method. */
export function statedNets(
  { funding }: Pick<PackContext, "funding">,
  { statement, converted }: Pick<Closing, "statement" | "converted">,
): readonly StatedNet[] {
  const { marketMonths } = statement;
  const hasFunding = funding !== null;
  const stated = (currency: string, own: readonly MarketMonth[], amount: Amount): StatedNet => ({
    currency,
    amount: knownSumOf(own, hasFunding).net === null ? null : String(amount),
    funding: hasFunding ? "included" : "excluded",
    partial: !isWhole(sumOf(own)),
  });
  if (converted !== null) {
    const total = totalOf(converted.months, ({ net, funding: paid }) => net.plus(hasFunding ? (paid ?? ZERO) : ZERO));
    return [stated(converted.currency, marketMonths, total)];
  }
  return currencySums(statement).map(({ name, sum }) => {
    const own = marketMonths.filter(({ currency }) => currency === name);
    return stated(name, own, netOf(sum).plus(sum.funding ?? ZERO));
  });
}
