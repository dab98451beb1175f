import type { KnownSum } from "../../../accounting/aggregate.ts";
import type { Cell, MarketStatement } from "../../../accounting/statement.ts";
import { counted } from "../../../core/text.ts";
import { currencyName } from "./labels.ts";

/** Why figures are missing, or not whole: of the markets that the sums are of. Empty when they are whole. */
export function noteOf({ blankCloses, untyped, breaks }: KnownSum, markets: readonly MarketStatement[]): string {
  const why = codesOf(markets.flatMap(({ before, after }) => [before, after]));
  return [
    breaks > 0 ? "break_declared: fills are missing, see Exceptions" : "",
    blankCloses > 0
      ? `${counted(blankCloses, "close")} of unknown PnL, in no result: ${why === "" ? "the position was not known then" : why}`
      : "",
    untyped > 0 ? `${counted(untyped, "fill")} that cannot be typed, in no amount: see Exceptions` : "",
  ]
    .filter((text) => text !== "")
    .join(". ");
}

/** Why PnL is blank, by the codes that the cover explains. */
export function codesOf(carried: readonly MarketStatement["before"][]): string {
  const codes = carried.flatMap(({ blank }) => (blank === null ? [] : [blank]));
  return [...new Set(codes)].sort().join(", ");
}

/** In the order in which they are shown. */
export function currenciesOf(cells: readonly Cell[], markets: readonly MarketStatement[]): string[] {
  return [...new Set([...cells, ...markets].map(({ currency }) => currencyName(currency)))].sort();
}
