import { blankCloses, type Cell, totalCell } from "../../accounting/cube/cell.ts";
import type { DayNet } from "../../accounting/cube/cube.ts";
import { lacksOf, type Scope, scopesOf } from "../../accounting/cube/scopes.ts";
import { compareText } from "../../core/text.ts";
import type { Closing, PackContext } from "../make/maker.ts";
import type { FillSums } from "../tables/fill-sums.ts";
import { firstOf } from "./limits.ts";
import type { ShownFills } from "./shown-trades.ts";

/** The page shows this many settlement currencies: those with the most fills. */
const MOST_CURRENCIES = 8;

/** Everything that is settled in one currency. */
export interface CurrencyView {
  readonly name: string;
  /** Its number on the page, for ids. */
  readonly number: number;
  readonly scope: Scope;
  /** By account and month. */
  readonly months: readonly Scope[];
  /** By account and market. */
  readonly markets: readonly Scope[];
  readonly accounts: readonly Scope[];
  readonly cells: readonly Cell[];
  readonly days: readonly DayNet[];
}

/** Markets with a fill in the period or a position at one of its ends, by how much of their PnL is known. */
export interface Standing {
  readonly markets: number;
  /** Markets with no known PnL, and markets with partly known PnL. */
  readonly missing: number;
  readonly partial: number;
  /** Fills with unknown PnL, including those without a market. */
  readonly unknownFills: number;
}

/** Everything that the page is made from. */
export interface View {
  readonly context: PackContext;
  readonly closing: Closing;
  readonly kept: ShownFills;
  readonly fills: FillSums;
  readonly currencies: readonly CurrencyView[];
  readonly currenciesLeft: number;
  /** Fills that cannot be read as a trade. */
  readonly untyped: number;
  readonly standing: Standing;
}

export function viewOf(context: PackContext, closing: Closing, kept: ShownFills, fills: FillSums): View {
  const { sums } = closing;
  const scopes = scopesOf(sums, ["currency"])
    .filter(({ cell }) => cell.currency !== "")
    .sort((a, b) => b.cell.fills - a.cell.fills || compareText(nameIn(a), nameIn(b)));
  const { shown, left } = firstOf(scopes, MOST_CURRENCIES);
  const [months, markets, accounts] = [
    Map.groupBy(scopesOf(sums, ["month", "currency"]), nameIn),
    Map.groupBy(scopesOf(sums, ["account", "market", "currency"]), nameIn),
    Map.groupBy(scopesOf(sums, ["account", "currency"]), nameIn),
  ];
  const cells = Map.groupBy(sums.cells, ({ currency }) => currency ?? "");
  const days = Map.groupBy(sums.nets, ({ currency }) => currency);
  return {
    context,
    closing,
    kept,
    fills,
    currencies: shown.map((scope, at) => {
      const name = nameIn(scope);
      return {
        ...{ name, number: at + 1, scope },
        months: months.get(name) ?? [],
        markets: markets.get(name) ?? [],
        accounts: accounts.get(name) ?? [],
        cells: cells.get(name) ?? [],
        days: days.get(name) ?? [],
      };
    }),
    currenciesLeft: left,
    untyped: totalCell(sums.cells).untyped,
    standing: standingOf(closing),
  };
}

function nameIn({ cell }: Scope): string {
  return cell.currency ?? "";
}

function standingOf({ sums }: Closing): Standing {
  const named = scopesOf(sums, ["market"]).filter(({ cell }) => cell.market !== "");
  const unknown = named.filter(({ cell }) => lacksOf(cell).length > 0);
  const missing = unknown.filter(({ cell }) => cell.closes === 0).length;
  return {
    markets: named.length,
    missing,
    partial: unknown.length - missing,
    unknownFills: unknownIn(totalCell(sums.cells)),
  };
}

/** Fills whose PnL is not known. */
export function unknownIn(cell: Cell): number {
  return blankCloses(cell) + cell.untyped;
}
