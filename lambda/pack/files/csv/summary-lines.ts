import type { Cell, MarketStatement, Statement } from "../../../accounting/statement.ts";
import { addCarries, bordersOf, type Carry } from "./borders.ts";

/** What a row of summary.csv adds up. */
export interface SummaryLine {
  readonly scope: "total" | "month" | "market" | "month_market";
  readonly month: string | null;
  readonly market: string | null;
  readonly currency: string;
  readonly cells: readonly Cell[];
  /** By method: what is carried over its beginning and its end; null: not known. */
  readonly carried: readonly [Carried, Carried];
}

type Carried = readonly [start: Carry | null, end: Carry | null];
type Borders = readonly [readonly (Carry | null)[], readonly (Carry | null)[]];

/** By scope, then currency or market, then month. Months without fills and payments are left out. */
export function summaryLines(statement: Statement): SummaryLine[] {
  const { cells, markets, months } = statement;
  const borders = bordersByMarket(statement);
  const order = new Map(months.map(({ name }, at) => [name, at]));
  const marketsIn = Map.groupBy(markets, ({ currency }) => currency);
  const cellsIn = Map.groupBy(cells, ({ currency }) => currency);
  const cellsOf = Map.groupBy(cells, ({ market }) => market);
  const currencies = [...new Set([...marketsIn.keys(), ...cellsIn.keys()])].sort();
  const line = (
    scope: SummaryLine["scope"],
    names: Pick<SummaryLine, "month" | "market" | "currency" | "cells">,
    carriers: readonly MarketStatement[],
  ): SummaryLine => {
    const at = names.month === null ? null : (order.get(names.month) ?? 0);
    const range = at === null ? ([0, months.length] as const) : ([at, at + 1] as const);
    const own = carriers.filter(({ currency }) => currency === names.currency);
    const carried = (method: 0 | 1): Carried => [
      addCarries(own.map(({ market }) => borders.get(market)?.[method][range[0]] ?? null)),
      addCarries(own.map(({ market }) => borders.get(market)?.[method][range[1]] ?? null)),
    ];
    return { scope, ...names, carried: [carried(0), carried(1)] };
  };
  return [
    ...currencies.map((currency) =>
      line(
        "total",
        { month: null, market: null, currency, cells: cellsIn.get(currency) ?? [] },
        marketsIn.get(currency) ?? [],
      ),
    ),
    ...currencies.flatMap((currency) =>
      [...Map.groupBy(cellsIn.get(currency) ?? [], ({ month }) => month)].map(([month, own]) =>
        line("month", { month, market: null, currency, cells: own }, marketsIn.get(currency) ?? []),
      ),
    ),
    ...markets.flatMap((one) =>
      byCurrency(one, cellsOf.get(one.market) ?? []).map(([currency, own]) =>
        line("market", { month: null, market: one.market, currency, cells: own }, [one]),
      ),
    ),
    ...markets.flatMap((one) =>
      (cellsOf.get(one.market) ?? []).map((cell) =>
        line("month_market", { month: cell.month, market: one.market, currency: cell.currency, cells: [cell] }, [one]),
      ),
    ),
  ];
}

/** A payment of funding may be in another currency than the market's. */
function byCurrency({ currency }: MarketStatement, cells: readonly Cell[]): [string, readonly Cell[]][] {
  const own = Map.groupBy(cells, (cell) => cell.currency);
  return [...new Set([currency, ...own.keys()])].sort().map((name) => [name, own.get(name) ?? []]);
}

function bordersByMarket({ markets, cells, months }: Statement): ReadonlyMap<string, Borders> {
  const own = Map.groupBy(cells, ({ market }) => market);
  return new Map(
    markets.map((one) => {
      const settled = (own.get(one.market) ?? []).filter(({ currency }) => currency === one.currency);
      return [one.market, [bordersOf(one, settled, months, 0), bordersOf(one, settled, months, 1)]];
    }),
  );
}
