import { type Amount, formatAmount } from "../../accounting/amount.ts";
import type { OpenLot } from "../../accounting/cost-book.ts";
import type { MarketStatement, Statement } from "../../accounting/statement.ts";
import { type Cell, type Sheet, SheetWriter } from "../../formats/xlsx/xlsx.ts";
import type { PackContext } from "../maker.ts";
import { AMOUNT_WIDTH, countCell, moneyCell } from "./cells.ts";
import { sumWhere } from "./formula.ts";
import { frameOf } from "./frame.ts";
import { signedValue } from "./open-positions.ts";
import { currenciesOf, noteOf, type Sums, sumsOf, total } from "./sums.ts";
import type { Table } from "./table.ts";
import { currencyName, methodNames } from "./words.ts";

const SHEET = "'Summary'";
/** Where the methods' names stand, by method: criteria of sums over open positions. */
const LETTERS = ["C", "D"] as const;
const HEAD_ROW = 2;
const METHODS = [0, 1] as const;
const GROSS = "Realised, gross";

interface Figure {
  readonly name: string;
  /** By method; null: not known. */
  readonly values: readonly [Amount | null, Amount | null];
  /** What makes the values, from other cells. `row` is the figure's own. */
  readonly formula?: (method: 0 | 1, row: number) => string | undefined;
  readonly note?: string;
  /** Stands in place of the note where the values are not known. */
  readonly unknown?: string;
  /** What others come to: it stands out. */
  readonly isResult?: true;
}

/** The figures of each currency that the total columns of these sheets make up. */
export interface Sources {
  readonly months: Table;
  readonly openPositions: Table;
}

export function summarySheet(context: PackContext, statement: Statement, sources: Sources): Sheet {
  const chosen = methodNames(context)[context.chosen];
  const { name, title, footer } = frameOf(context, "Summary", `The chosen method is: ${chosen}.`);
  const widths = [12, 50, AMOUNT_WIDTH, AMOUNT_WIDTH, 36, 36, 70];
  const sheet = new SheetWriter({ name, widths, headRows: HEAD_ROW, footer });
  const names = methodNames(context);
  sheet.add([{ text: title, style: "title" }]);
  sheet.add([
    { text: "Currency", style: "head" },
    { text: "Figure", style: "head" },
    ...names.map((text) => ({ text, style: "numberHead" }) as const),
    ...names.map((text) => ({ text: `Exact: ${text}`, style: "head" }) as const),
    { text: "Note", style: "head" },
  ]);
  for (const currency of currenciesOf(statement.cells, statement.markets)) {
    addCurrency(sheet, context, statement, { currency, sources });
    sheet.add([]);
  }
  addCounts(sheet, statement);
  return sheet.finish();
}

function addCurrency(
  sheet: SheetWriter,
  context: PackContext,
  statement: Statement,
  { currency, sources: { months, openPositions } }: { readonly currency: string; readonly sources: Sources },
): void {
  const cells = statement.cells.filter((cell) => currencyName(cell.currency) === currency);
  const markets = statement.markets.filter((market) => currencyName(market.currency) === currency);
  const sums = sumsOf(cells, context.funding !== null);
  const put = (figure: Figure): number => {
    sheet.add(figureCells(currency, figure, sheet.rows + 1));
    return sheet.rows;
  };
  const monthly = (id: string) => (_: 0 | 1, row: number) => sumIn(months, id, [["currency", `$A${row}`]]);
  const both = (value: Amount): [Amount, Amount] => [value, value];
  const byMethod = (of: (result: Sums["results"][number]) => Amount | null): [Amount | null, Amount | null] => [
    of(sums.results[0]),
    of(sums.results[1]),
  ];
  const open = (id: string) => (method: 0 | 1, row: number) =>
    sumIn(openPositions, id, [
      ["currency", `$A${row}`],
      ["method", `${LETTERS[method]}$${HEAD_ROW}`],
    ]);

  const expense = sums.feesPaid + sums.rebates;
  const gross = put({
    name: GROSS,
    values: byMethod((result) => result.gross),
    formula: (method, row) => monthly(`gross${method}`)(method, row),
    note: noteOf(sums, markets),
    unknown: noteOf(sums, markets),
  });
  const fees = put({
    name: "Fees recognised with it",
    values: byMethod((result) => result.fees),
    formula: (method, row) => monthly(`fees${method}`)(method, row),
    note: "The fees of what was closed: of the closes, and of what opened it",
  });
  const net = put({
    name: "Net of recognised fees, excluding funding",
    values: byMethod((result) => result.net),
    formula: (method) => `${LETTERS[method]}${gross}-${LETTERS[method]}${fees}`,
    isResult: true,
  });
  const paid = put({ name: "Fees paid", values: both(sums.feesPaid), formula: monthly("feesPaid") });
  const rebates = put({ name: "Rebates", values: both(sums.rebates), formula: monthly("rebates") });
  put({
    name: "Gross less fees paid and rebates, excluding funding",
    values: byMethod((result) => less(result.gross, expense)),
    formula: (method) => `${LETTERS[method]}${gross}-${LETTERS[method]}${paid}-${LETTERS[method]}${rebates}`,
    note: "The other convention: a fee counts when it is paid",
    isResult: true,
  });
  if (sums.funding !== null) {
    const { funding } = sums;
    const row = put({ name: "Funding", values: both(funding), formula: monthly("funding"), note: "From funding.csv" });
    put({
      name: "Net of recognised fees, with funding",
      values: byMethod((result) => less(result.net, -funding)),
      formula: (method) => `${LETTERS[method]}${net}+${LETTERS[method]}${row}`,
      isResult: true,
    });
  }
  addIdentities(put, { gross, fees, paid, rebates }, { sums, markets, open });
}

interface Rows {
  readonly gross: number;
  readonly fees: number;
  readonly paid: number;
  readonly rebates: number;
}

interface Parts {
  readonly sums: Sums;
  readonly markets: readonly MarketStatement[];
  readonly open: (id: string) => Figure["formula"];
}

/** What is carried over the period's two ends, and what must add up. */
function addIdentities(put: (figure: Figure) => number, rows: Rows, { sums, markets, open }: Parts): void {
  const carried = (end: "before" | "after", of: (lot: OpenLot) => Amount): [Amount, Amount] => [
    total(
      markets.flatMap((market) => market[end].lots[0]),
      of,
    ),
    total(
      markets.flatMap((market) => market[end].lots[1]),
      of,
    ),
  ];
  const feesBefore = carried("before", ({ fee }) => fee);
  const feesAfter = carried("after", ({ fee }) => fee);
  const valueBefore = carried("before", signedValue);
  const valueAfter = carried("after", signedValue);
  const expense = sums.feesPaid + sums.rebates;
  const at = (row: number, method: 0 | 1): string => `${LETTERS[method]}${row}`;

  const feesStart = put({ name: "Opening fees carried at the start", values: feesBefore });
  const feesEnd = put({ name: "Opening fees carried at the end", values: feesAfter, ...optional(open("deferred")) });
  const lost = METHODS.map((method) =>
    less(feesBefore[method] + expense - feesAfter[method], sums.results[method].fees ?? 0n),
  );
  put({
    name: "Check: carried at the start + paid + rebates − recognised − carried at the end",
    values: [lost[0] ?? null, lost[1] ?? null],
    formula: (method) =>
      `ROUND(${at(feesStart, method)}+${at(rows.paid, method)}+${at(rows.rebates, method)}-${at(rows.fees, method)}-${at(feesEnd, method)},8)`,
    note: lost.every((amount) => amount === 0n)
      ? "0: no fee is lost, and none counted twice"
      : "The fees of fills whose PnL is not known",
  });
  const valueStart = put({
    name: "Open value at the start",
    values: valueBefore,
    note: "What open positions were opened for: of long ones above zero, of short ones below",
  });
  const valueEnd = put({
    name: "Open value at the end",
    values: valueAfter,
    ...optional(open("openValue")),
    note: "The basis of what is unrealised: market value less this",
  });
  const flows = METHODS.map((method) => less(sums.results[method].gross, valueAfter[method] - valueBefore[method]));
  put({
    name: "Gross + open value at the start − open value at the end",
    values: [flows[0] ?? null, flows[1] ?? null],
    formula: (method) => `${at(rows.gross, method)}+${at(valueStart, method)}-${at(valueEnd, method)}`,
    note:
      flows[0] === flows[1]
        ? "Equal under both methods: they differ in when a result is realised, not in what it comes to"
        : "Differs: what was open in a market was lost sight of",
  });
}

function optional(formula: Figure["formula"]): Pick<Figure, "formula"> {
  return formula === undefined ? {} : { formula };
}

function less(amount: Amount | null, other: Amount): Amount | null {
  return amount === null ? null : amount - other;
}

function sumIn(
  { columns, texts }: Table,
  id: string,
  criteria: readonly (readonly [id: string, cell: string])[],
): string | undefined {
  const column = columns.get(id);
  const where = criteria.flatMap(([by, cell]) => {
    const place = columns.get(by);
    return place === undefined ? [] : [{ column: place, cell }];
  });
  return column === undefined ? undefined : sumWhere(SHEET, column, where, texts);
}

function figureCells(currency: string, figure: Figure, row: number): Cell[] {
  const { name, values, formula, isResult: isTotal = false } = figure;
  const note = values[0] === null ? (figure.unknown ?? `Not known: see ${GROSS}`) : (figure.note ?? "");
  return [
    { text: currency, style: isTotal ? "textTotal" : "text" },
    { text: name, style: isTotal ? "textTotal" : "wrapped" },
    ...METHODS.map((method) => {
      const value = values[method];
      return value === null ? null : moneyCell(value, { isTotal, formula: formula?.(method, row) });
    }),
    ...values.map((value): Cell => (value === null ? null : { text: formatAmount(value), style: "text" })),
    note === "" ? null : { text: note, style: "wrapped" },
  ];
}

/** Of no currency, and of no method. */
function addCounts(sheet: SheetWriter, { trips, ties }: Statement): void {
  const counts = [
    ["Trades closed, from flat to flat", trips.count],
    ["of them with a gain, before fees", trips.won],
    ["of them with a loss, before fees", trips.lost],
    ["Fills that share their time with another of their market", ties],
  ] as const;
  for (const [name, count] of counts) {
    sheet.add([null, { text: name, style: "wrapped" }, countCell(count)]);
  }
}
