import type { CurrencyFigures } from "../../../lambda/web/data/key-figures.ts";
import type { NetFigure } from "../../../lambda/web/packs.ts";

/** What completeness.json states of these totals of summary.csv. */
export function netsOf(totals: readonly CurrencyFigures[]): readonly NetFigure[] {
  return totals.map(({ currency, net, funding, unknownCloses }) => ({
    currency,
    net,
    isFundingIncluded: funding !== null,
    isPartial: unknownCloses !== "0",
  }));
}
