import { type ByMethod, byMethod, type MethodRole } from "../../../accounting/method.ts";
import type { MarketMonth, MarketStatement, Statement } from "../../../accounting/statement.ts";
import { addCarries, bordersOf, type Carry } from "./borders.ts";

/** What a row of summary.csv adds up. */
export interface SummaryLine {
  readonly scope: "total" | "month" | "market" | "month_market";
  readonly month: string | null;
  readonly market: string | null;
  readonly currency: string;
  readonly marketMonths: readonly MarketMonth[];
  /** What is carried over its beginning and its end; null: not known. */
  readonly carried: ByMethod<Carried>;
}

type Carried = readonly [start: Carry | null, end: Carry | null];
type Borders = ByMethod<readonly (Carry | null)[]>;

/** By scope, then currency or market, then month. Months without fills and payments are left out. */
export function summaryLines(statement: Statement): SummaryLine[] {
  const { marketMonths, markets, months } = statement;
  const borders = bordersByMarket(statement);
  const order = new Map(months.map(({ name }, at) => [name, at]));
  const marketsIn = Map.groupBy(markets, ({ currency }) => currency);
  const monthsIn = Map.groupBy(marketMonths, ({ currency }) => currency);
  const monthsOf = Map.groupBy(marketMonths, ({ market }) => market);
  const currencies = [...new Set([...marketsIn.keys(), ...monthsIn.keys()])].sort();
  const line = (
    scope: SummaryLine["scope"],
    names: Pick<SummaryLine, "month" | "market" | "currency" | "marketMonths">,
    carriers: readonly MarketStatement[],
  ): SummaryLine => {
    const at = names.month === null ? null : (order.get(names.month) ?? 0);
    const range = at === null ? ([0, months.length] as const) : ([at, at + 1] as const);
    const own = carriers.filter(({ currency }) => currency === names.currency);
    const carried = (role: MethodRole): Carried => [
      addCarries(own.map(({ market }) => borders.get(market)?.[role][range[0]] ?? null)),
      addCarries(own.map(({ market }) => borders.get(market)?.[role][range[1]] ?? null)),
    ];
    return { scope, ...names, carried: byMethod(carried) };
  };
  return [
    ...currencies.map((currency) =>
      line(
        "total",
        { month: null, market: null, currency, marketMonths: monthsIn.get(currency) ?? [] },
        marketsIn.get(currency) ?? [],
      ),
    ),
    ...currencies.flatMap((currency) =>
      [...Map.groupBy(monthsIn.get(currency) ?? [], ({ month }) => month)].map(([month, own]) =>
        line("month", { month, market: null, currency, marketMonths: own }, marketsIn.get(currency) ?? []),
      ),
    ),
    ...markets.flatMap((one) =>
      byCurrency(one, monthsOf.get(one.market) ?? []).map(([currency, own]) =>
        line("market", { month: null, market: one.market, currency, marketMonths: own }, [one]),
      ),
    ),
    ...markets.flatMap((one) =>
      (monthsOf.get(one.market) ?? []).map((marketMonth) =>
        line(
          "month_market",
          { month: marketMonth.month, market: one.market, currency: marketMonth.currency, marketMonths: [marketMonth] },
          [one],
        ),
      ),
    ),
  ];
}

/** A payment of funding may be in another currency than the market's. */
function byCurrency(
  { currency }: MarketStatement,
  marketMonths: readonly MarketMonth[],
): [string, readonly MarketMonth[]][] {
  const own = Map.groupBy(marketMonths, (one) => one.currency);
  return [...new Set([currency, ...own.keys()])].sort().map((name) => [name, own.get(name) ?? []]);
}

function bordersByMarket({ markets, marketMonths, months }: Statement): ReadonlyMap<string, Borders> {
  const own = Map.groupBy(marketMonths, ({ market }) => market);
  return new Map(
    markets.map((one) => {
      const settled = (own.get(one.market) ?? []).filter(({ currency }) => currency === one.currency);
      return [one.market, byMethod((role) => bordersOf(one, settled, months, role))];
    }),
  );
}
