import { type Cell, totalCell } from "../../../accounting/cube/cell.ts";
import { type Scope, scopeOf } from "../../../accounting/cube/scopes.ts";
import { compareText } from "../../../core/text.ts";
import { type TimeColumn, type TimeColumns, timeColumns } from "../charts/months.ts";
import { firstOf } from "../limits.ts";
import type { CurrencyView, View } from "../view.ts";

/** A longer period shows only months with activity. */
const ALL_MONTHS = 36;
const MOST_MONTHS = 120;
/** The files have all markets. */
export const MOST_MARKETS = 10;

/** The part of a list that is shown, and the sum and number of the others. */
export interface Shown {
  readonly shown: readonly Scope[];
  readonly left: number;
  readonly rest: Scope;
}

/** The months of a currency, in order; those without activity have empty sums. */
function monthsOf({ closing }: View, { months, scope }: CurrencyView): readonly Scope[] {
  const names = closing.sums.months.map(({ name }) => name);
  const known = new Map(months.map((month) => [month.cell.month, month]));
  const all = names.map((month) => known.get(month) ?? scopeOf({ ...totalCell([]), month }, scope.isFunded));
  return all.length <= ALL_MONTHS ? all : all.filter(({ cell }) => known.has(cell.month));
}

/** The columns of a chart over all months, and the sum of each. */
export function columnSums(
  view: View,
  currency: CurrencyView,
): { readonly unit: TimeColumns["unit"]; readonly columns: readonly (TimeColumn & { readonly cell: Cell })[] } {
  const months = monthsOf(view, currency);
  const byName = new Map(months.map(({ cell }) => [cell.month ?? "", cell]));
  const { unit, columns } = timeColumns([...byName.keys()]);
  const sumOf = (column: TimeColumn) => totalCell(column.months.flatMap((name) => byName.get(name) ?? []));
  return { unit, columns: columns.map((column) => ({ ...column, cell: sumOf(column) })) };
}

export function monthSums(view: View, currency: CurrencyView): Shown {
  return shownOf(monthsOf(view, currency), MOST_MONTHS, currency);
}

/** The markets with the most fills, by name. */
export function marketSums(currency: CurrencyView): Shown {
  const nameOf = ({ cell }: Scope) => `${cell.market} ${cell.account}`;
  const byFills = currency.markets.toSorted((a, b) => b.cell.fills - a.cell.fills || compareText(nameOf(a), nameOf(b)));
  const { shown, ...others } = shownOf(byFills, MOST_MARKETS, currency);
  return { ...others, shown: shown.toSorted((a, b) => compareText(nameOf(a), nameOf(b))) };
}

function shownOf(scopes: readonly Scope[], most: number, { scope }: CurrencyView): Shown {
  const rest = totalCell(scopes.slice(most).map(({ cell }) => cell));
  return { ...firstOf(scopes, most), rest: scopeOf(rest, scope.isFunded) };
}
