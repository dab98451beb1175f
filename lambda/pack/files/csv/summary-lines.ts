import type { ConvertedMarketMonth } from "../../../accounting/rates/converted.ts";
import type { MarketMonth, MarketStatement, Statement } from "../../../accounting/statement.ts";
import type { Closing } from "../../build/maker.ts";
import { addCarries, bordersOf, type Carry } from "./borders.ts";

/** What a row of a summary file adds up. */
export interface SummaryLine {
  /** Null: the whole period. */
  readonly month: string | null;
  /** Null: the whole currency. */
  readonly market: string | null;
  readonly currency: string;
  readonly marketMonths: readonly MarketMonth[];
  /** The converted amounts. Empty if nothing is converted. */
  readonly converted: readonly ConvertedMarketMonth[];
  /** What is carried across its beginning and its end. Null: not known. */
  readonly carried: Carried;
}

/** The lines of each summary file. Months without fills and payments are left out. */
export interface SummaryLines {
  /** By currency. */
  readonly totals: readonly SummaryLine[];
  /** By currency, then month. */
  readonly months: readonly SummaryLine[];
  /** By market, then currency. */
  readonly markets: readonly SummaryLine[];
  /** By market, then month, then currency. */
  readonly marketMonths: readonly SummaryLine[];
}

type Carried = readonly [start: Carry | null, end: Carry | null];
type Borders = readonly (Carry | null)[];
type Names = Pick<SummaryLine, "month" | "market" | "currency">;

export function summaryLines({ statement, converted }: Pick<Closing, "statement" | "converted">): SummaryLines {
  const { marketMonths, markets, months } = statement;
  const borders = bordersByMarket(statement);
  const order = new Map(months.map(({ name }, at) => [name, at]));
  const marketsIn = Map.groupBy(markets, ({ currency }) => currency);
  const monthsIn = Map.groupBy(marketMonths, ({ currency }) => currency);
  const monthsOf = Map.groupBy(marketMonths, ({ market }) => market);
  const currencies = [...new Set([...marketsIn.keys(), ...monthsIn.keys()])].sort();
  const convertedOf = convertedBy(converted?.marketMonths ?? []);
  const line = (names: Names, own: readonly MarketMonth[], carriers: readonly MarketStatement[]): SummaryLine => {
    const at = names.month === null ? null : (order.get(names.month) ?? 0);
    const range = at === null ? ([0, months.length] as const) : ([at, at + 1] as const);
    const settled = carriers.filter(({ currency }) => currency === names.currency);
    const carriedAt = (border: number) =>
      addCarries(settled.map(({ market }) => borders.get(market)?.[border] ?? null));
    const carried: Carried = [carriedAt(range[0]), carriedAt(range[1])];
    return { ...names, marketMonths: own, converted: convertedOf(names), carried };
  };
  return {
    totals: currencies.map((currency) =>
      line({ month: null, market: null, currency }, monthsIn.get(currency) ?? [], marketsIn.get(currency) ?? []),
    ),
    months: currencies.flatMap((currency) =>
      [...Map.groupBy(monthsIn.get(currency) ?? [], ({ month }) => month)].map(([month, own]) =>
        line({ month, market: null, currency }, own, marketsIn.get(currency) ?? []),
      ),
    ),
    markets: markets.flatMap((one) =>
      byCurrency(one, monthsOf.get(one.market) ?? []).map(([currency, own]) =>
        line({ month: null, market: one.market, currency }, own, [one]),
      ),
    ),
    marketMonths: markets.flatMap((one) =>
      (monthsOf.get(one.market) ?? []).map((own) =>
        line({ month: own.month, market: one.market, currency: own.currency }, [own], [one]),
      ),
    ),
  };
}

/** Finds the converted amounts by the names of a line. */
function convertedBy(marketMonths: readonly ConvertedMarketMonth[]): (names: Names) => readonly ConvertedMarketMonth[] {
  const keyOf = ({ month, market, currency }: Names) => JSON.stringify([month, market, currency]);
  const scopes = marketMonths.flatMap((own) => {
    const { month, market, currency } = own;
    return [
      { month: null, market: null, currency },
      { month, market: null, currency },
      { month: null, market, currency },
      { month, market, currency },
    ].map((names) => ({ key: keyOf(names), own }));
  });
  const groups = Map.groupBy(scopes, ({ key }) => key);
  return (names) => (groups.get(keyOf(names)) ?? []).map(({ own }) => own);
}

/** A funding payment may be in another currency than the market's. */
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
      return [one.market, bordersOf(one, settled, months)];
    }),
  );
}
