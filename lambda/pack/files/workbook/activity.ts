import { type KnownSum, knownSumOf } from "../../../accounting/aggregate.ts";
import { type ConvertedSums, sumConverted } from "../../../accounting/rates/converted.ts";
import type { Carried, MarketMonth, MarketStatement } from "../../../accounting/statement.ts";
import { counted } from "../../../core/text.ts";
import type { Closing, PackContext } from "../../build/maker.ts";
import type { Value } from "./cells.ts";
import { convertedHead, currencyName, marketName, methodNames, ORIGINS } from "./labels.ts";
import {
  amountColumn,
  currencyColumn,
  type SheetColumn,
  type SheetTable,
  summedColumn,
  tableOf,
  textColumn,
} from "./table.ts";

/** A row of figures in one currency. */
interface ActivityRow {
  readonly currency: string;
  readonly sums: KnownSum;
  /** Null: nothing is converted. */
  readonly converted: ConvertedSums | null;
  readonly note: string;
}

/** The columns that Months, Markets and Market months share: activity, and PnL by the chosen method. */
function activityColumns(context: PackContext, reportCurrency: string | null): SheetColumn<ActivityRow>[] {
  const { primary } = methodNames(context);
  const amount = (id: string, head: string, value: (sums: KnownSum) => Value) => ({
    id,
    ...summedColumn<ActivityRow>(head, ({ sums }) => value(sums)),
  });
  const counter = (head: string, value: (sums: KnownSum) => Value) => ({
    ...summedColumn<ActivityRow>(head, ({ sums }) => value(sums)),
    width: 11,
  });
  const convertedNet = ({ sums, converted }: ActivityRow) => (sums.net === null ? null : (converted?.net ?? null));
  return [
    counter("Fills", ({ fills }) => fills),
    counter("Unreadable fills", ({ untyped }) => untyped),
    amount("volume", "Volume", ({ volume }) => volume),
    amount("feesPaid", "Fees paid", ({ feesPaid }) => feesPaid),
    amount("rebates", "Rebates", ({ rebates }) => rebates),
    amount("gross", `Gross PnL: ${primary}`, ({ gross }) => gross),
    amount("fees", `Fees on closed positions: ${primary}`, ({ fees }) => fees),
    amount("net", `Net PnL excl. funding: ${primary}`, ({ net }) => net),
    ...(reportCurrency === null
      ? []
      : [summedColumn(convertedHead(`Net PnL excl. funding: ${primary}`, reportCurrency), convertedNet)]),
    ...(context.funding === null ? [] : [amount("funding", "Funding", ({ funding }) => funding)]),
    counter("Closing fills", ({ closes }) => closes),
    counter("Closing fills without PnL", ({ blankCloses }) => blankCloses),
    { head: "Note", width: 60, kind: "note", value: ({ note }) => note },
  ];
}

type Material = Pick<Closing, "statement" | "converted">;

interface MonthRow extends ActivityRow {
  readonly month: string;
}

/** Every month of the period, for each currency in it. */
export function monthsTable(context: PackContext, { statement, converted }: Material): SheetTable {
  const { months, marketMonths, markets } = statement;
  const currencies = currenciesOf(marketMonths, []);
  const byMonth = Map.groupBy(marketMonths, (one) => one.month);
  const convertedIn = Map.groupBy(converted?.marketMonths ?? [], (one) => one.month);
  const rows = months.flatMap(({ name: month }) =>
    currencies.map((currency): MonthRow => {
      const own = inCurrency(byMonth.get(month) ?? [], currency);
      const sums = knownSumOf(own, context.funding !== null);
      const blank = new Set(own.filter(({ blankCloses }) => blankCloses > 0).map(({ market }) => market));
      const blankMarkets = markets.filter(({ market }) => blank.has(market));
      const inReport = converted && sumConverted(inCurrency(convertedIn.get(month) ?? [], currency));
      return { month, currency, sums, converted: inReport, note: noteOf(sums, blankMarkets) };
    }),
  );
  const plan = {
    name: "Months",
    about: `Calendar months in ${context.period.zone}.`,
    columns: [
      textColumn<MonthRow>("Month", 10, ({ month }) => month),
      currencyColumn<MonthRow>(({ currency }) => currency),
      ...activityColumns(context, converted?.currency ?? null),
    ],
    groupedBy: ["currency"],
    nothing: "There was no activity in the period.",
    file: "summary-months.csv",
  };
  return tableOf(context, plan, rows);
}

interface MarketRow extends ActivityRow {
  readonly statement: MarketStatement;
  /** True: the currency is the market's settlement currency. Others come with funding. */
  readonly isOwn: boolean;
}

/** Every market of the statement, with one more row for each other currency of its funding. */
export function marketsTable(
  context: PackContext,
  { statement: { marketMonths, markets }, converted }: Material,
): SheetTable {
  const byMarket = Map.groupBy(marketMonths, ({ market }) => market);
  const convertedOf = Map.groupBy(converted?.marketMonths ?? [], ({ market }) => market);
  const rows = markets.flatMap((statement) => {
    const own = byMarket.get(statement.market) ?? [];
    return currenciesOf(own, [statement]).map((currency): MarketRow => {
      const sums = knownSumOf(inCurrency(own, currency), context.funding !== null);
      const isOwn = currency === currencyName(statement.currency);
      const note = sentences([noteOf(sums, [statement]), ...(isOwn ? positionNotes(statement) : [])]);
      const inReport = converted && sumConverted(inCurrency(convertedOf.get(statement.market) ?? [], currency));
      return { currency, statement, isOwn, sums, converted: inReport, note };
    });
  });
  const position = (head: string, of: (statement: MarketStatement) => Carried) =>
    amountColumn<MarketRow>(head, ({ statement, isOwn }) => {
      const held = of(statement).position;
      return held === null || !isOwn ? null : { quantity: held };
    });
  const plan = {
    name: "Markets",
    about: "A short position is negative.",
    columns: [
      textColumn<MarketRow>("Market", 16, ({ statement }) => marketName(statement.market)),
      currencyColumn<MarketRow>(({ currency }) => currency),
      textColumn<MarketRow>("Opening position", 16, ({ statement }) => ORIGINS[statement.origin]),
      textColumn<MarketRow>("Contract type", 16, ({ statement }) => contractTypeOf(statement)),
      position("Position at the start", ({ before }) => before),
      position("Position at the end", ({ after }) => after),
      ...activityColumns(context, converted?.currency ?? null),
    ],
    groupedBy: ["currency"],
    nothing: "No market has fills in the period, or a position at its start or end.",
    file: "summary-markets.csv",
  };
  return tableOf(context, plan, rows);
}

interface MarketMonthRow extends ActivityRow {
  readonly month: string;
  readonly market: string;
}

/** Each market in each month in which it had fills or funding. */
export function marketMonthsTable(
  context: PackContext,
  { statement: { marketMonths, markets }, converted }: Material,
): SheetTable {
  const keyOf = ({ month, market, currency }: Pick<MarketMonth, "month" | "market" | "currency">) =>
    JSON.stringify([month, market, currency]);
  const convertedOf = new Map((converted?.marketMonths ?? []).map((one) => [keyOf(one), one]));
  const statements = new Map(markets.map((one) => [one.market, one]));
  const rows = marketMonths.map((one): MarketMonthRow => {
    const sums = knownSumOf([one], context.funding !== null);
    const own = convertedOf.get(keyOf(one));
    const statement = statements.get(one.market);
    return {
      month: one.month,
      market: marketName(one.market),
      currency: currencyName(one.currency),
      sums,
      converted: converted && sumConverted(own === undefined ? [] : [own]),
      note: noteOf(sums, statement === undefined ? [] : [statement]),
    };
  });
  const plan = {
    name: "Market months",
    about: `Markets by calendar month in ${context.period.zone}.`,
    columns: [
      textColumn<MarketMonthRow>("Month", 10, ({ month }) => month),
      textColumn<MarketMonthRow>("Market", 16, ({ market }) => market),
      currencyColumn<MarketMonthRow>(({ currency }) => currency),
      ...activityColumns(context, converted?.currency ?? null),
    ],
    groupedBy: ["currency"],
    nothing: "There was no activity in the period.",
    file: "summary-market-months.csv",
  };
  return tableOf(context, plan, rows);
}

/** True: the market is booked as linear although no specification says that it is. */
export function isTakenAsLinear({ contractType, before, after }: MarketStatement): boolean {
  return contractType === null && [before, after].every(({ blank }) => blank !== "unsupported_contract_type");
}

function contractTypeOf(statement: MarketStatement): string {
  return statement.contractType ?? (isTakenAsLinear(statement) ? "assumed linear" : "not stated");
}

function positionNotes({ before, after }: MarketStatement): string[] {
  const noteAt = (when: string, { position, blank }: Carried) =>
    position === null && blank !== null ? `Position at the ${when} not known: ${blank}` : "";
  return [noteAt("start", before), noteAt("end", after)];
}

/** Why figures are missing or partial. `markets`: those of the sums. Empty if the figures are complete. */
export function noteOf({ blankCloses, untyped, breaks }: KnownSum, markets: readonly MarketStatement[]): string {
  const why = codesOf(markets.flatMap(({ before, after }) => [before, after]));
  return sentences([
    breaks > 0 ? "break_declared: fills are missing, see Exceptions" : "",
    blankCloses > 0
      ? `Partial total: excludes ${counted(blankCloses, "closing fill")} whose PnL is not known: ${why === "" ? "the position was not known then" : why}`
      : "",
    untyped > 0 ? `Excludes ${counted(untyped, "fill")} that cannot be read as a trade: see Exceptions` : "",
  ]);
}

function sentences(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(". ");
}

/** Why PnL is blank, by the codes that the cover explains. */
export function codesOf(carried: readonly Carried[]): string {
  const codes = carried.flatMap(({ blank }) => (blank === null ? [] : [blank]));
  return [...new Set(codes)].sort().join(", ");
}

/** In the order in which they are shown. */
export function currenciesOf(marketMonths: readonly MarketMonth[], markets: readonly MarketStatement[]): string[] {
  return [...new Set([...marketMonths, ...markets].map(({ currency }) => currencyName(currency)))].sort();
}

/** The market months or markets of a settlement currency, by its displayed name. */
export function inCurrency<T extends Pick<MarketMonth, "currency">>(items: readonly T[], name: string): T[] {
  return items.filter(({ currency }) => currencyName(currency) === name);
}
