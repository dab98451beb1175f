import { add, type KnownSum, less, netOf } from "../../../accounting/aggregate.ts";
import type { Result } from "../../../accounting/booked.ts";
import type { MarketStatement } from "../../../accounting/statement.ts";
import type { Amount } from "../../../core/amount.ts";
import { addCarries, carryOf } from "../csv/borders.ts";
import { codesOf, noteOf } from "./activity.ts";
import { sumWhere } from "./formula.ts";
import type { SheetTable } from "./table.ts";

const SHEET = "'Summary'";
/** The column of the chosen method. */
const LETTER = "C";
export const HEAD_ROW = 2;

/** A row of the sheet Summary. */
export interface Figure {
  readonly label: string;
  /** Null: not known. */
  readonly value: Amount | null;
  /** The cells that give the value. Undefined: no other cell does. */
  readonly formula: string | undefined;
  /** Under the method for comparison. Null: not known, or it is shown for results only. */
  readonly compared: Amount | null;
  readonly note: string;
  /** True: the row is highlighted. */
  readonly isResult: boolean;
}

/** The tables that Summary adds up. */
export interface Sources {
  readonly months: SheetTable;
  readonly openPositions: SheetTable;
}

/** The rows of one currency. */
export interface Block {
  readonly sums: KnownSum;
  /** Under the method for comparison. */
  readonly compared: Result;
  readonly markets: readonly MarketStatement[];
  readonly sources: Sources;
  /** of the sheet */
  readonly firstRow: number;
}

/** The rows of a block in their order. Rows with funding are there if the user gave a file. */
const LABELS = {
  gross: "Gross PnL",
  fees: "Fees on closed positions",
  net: "Net PnL, excluding funding",
  feesPaid: "Fees paid",
  rebates: "Rebates",
  expensed: "Gross PnL less fees paid and rebates, excluding funding",
  funding: "Funding",
  netWithFunding: "Net PnL, including funding",
  feesBefore: "Fees carried, start",
  feesAfter: "Fees carried, end",
  feeCheck: "Check: fees carried, start + fees paid + rebates − fees on closed positions − fees carried, end",
  valueBefore: "Open positions at cost, start",
  valueAfter: "Open positions at cost, end",
} as const;

type Name = keyof typeof LABELS;
type Values = Readonly<Record<Name, Amount | null>>;

export function figuresOf(block: Block): Figure[] {
  const hasFunding = block.sums.funding !== null;
  const names = (Object.keys(LABELS) as Name[]).filter((name) => hasFunding || !/funding/i.test(name));
  const rows = new Map(names.map((name, at) => [name, block.firstRow + at]));
  const values = valuesOf(block);
  const formulas = formulasOf(block.sources, rows);
  const compared = comparedOf(block);
  return names.map((name) => ({
    label: LABELS[name],
    value: values[name],
    formula: formulas[name],
    compared: compared[name] ?? null,
    note: values[name] === null ? unknownNote(name, block) : knownNote(name, block, values[name]),
    isResult: ["net", "expensed", "netWithFunding"].includes(name),
  }));
}

function comparedOf({ sums, compared }: Block): Partial<Values> {
  const net = netOf(compared);
  return sums.net === null ? {} : { ...compared, net, funding: sums.funding, netWithFunding: add(net, sums.funding) };
}

function valuesOf({ sums, markets }: Block): Values {
  const { feesPaid, rebates, funding, gross, fees, net } = sums;
  const before = addCarries(markets.map((market) => carryOf(market.before)));
  const after = addCarries(markets.map((market) => carryOf(market.after)));
  const [feesBefore, feesAfter] = [before?.deferredFee ?? null, after?.deferredFee ?? null];
  const [valueBefore, valueAfter] = [before?.openValue ?? null, after?.openValue ?? null];
  const expense = add(feesPaid, rebates);
  return {
    gross,
    fees,
    net,
    feesPaid,
    rebates,
    expensed: less(gross, expense),
    funding,
    netWithFunding: add(net, funding),
    feesBefore,
    feesAfter,
    feeCheck: less(less(add(feesBefore, expense), fees), feesAfter),
    valueBefore,
    valueAfter,
  };
}

/** The sources of values: columns of other sheets, or rows above. */
function formulasOf(
  { months, openPositions }: Sources,
  rows: ReadonlyMap<Name, number>,
): Readonly<Partial<Record<Name, string | undefined>>> {
  const at = (name: Name) => `${LETTER}${rows.get(name)}`;
  const ofMonths = (name: Name) => sumOfCurrency(months, name, `$A${rows.get(name)}`);
  const ofPositions = (name: Name, column: string) => sumOfCurrency(openPositions, column, `$A${rows.get(name)}`);
  return {
    gross: ofMonths("gross"),
    fees: ofMonths("fees"),
    net: `${at("gross")}-${at("fees")}`,
    feesPaid: ofMonths("feesPaid"),
    rebates: ofMonths("rebates"),
    expensed: `${at("gross")}-${at("feesPaid")}-${at("rebates")}`,
    funding: ofMonths("funding"),
    netWithFunding: `${at("net")}+${at("funding")}`,
    feesAfter: ofPositions("feesAfter", "deferred"),
    feeCheck: `ROUND(${at("feesBefore")}+${at("feesPaid")}+${at("rebates")}-${at("fees")}-${at("feesAfter")},8)`,
    valueAfter: ofPositions("valueAfter", "openValue"),
  };
}

/** `cell`: the cell of Summary that has the currency. */
export function sumOfCurrency(table: SheetTable, id: string, cell: string): string | undefined {
  const [column, currency] = [table.columns.get(id), table.columns.get("currency")];
  return column === undefined || currency === undefined
    ? undefined
    : sumWhere(SHEET, column, [{ column: currency, cell }], table.texts);
}

const NOTES: Readonly<Partial<Record<Name, string>>> = {
  fees: "Closing fees plus the matching share of the opening fees",
  expensed: "The alternative: fees count in the period in which they were charged",
  funding: "From funding.csv",
  valueBefore: "Long positions are positive, short positions negative",
  valueAfter: "Unrealised PnL is the market value less this cost",
};

function knownNote(name: Name, { sums, markets }: Block, value: Amount): string {
  switch (name) {
    case "gross":
      return noteOf(sums, markets);
    case "feeCheck":
      return value.isZero()
        ? "Zero: no fee is missing and none is counted twice"
        : "Fees of fills whose PnL is not known";
    default:
      return NOTES[name] ?? "";
  }
}

/** Why there is no value. An empty cell never stands alone. */
function unknownNote(name: Name, { sums, markets }: Block): string {
  switch (name) {
    case "feesBefore":
    case "valueBefore":
      return `Not known: ${codesOf(markets.map(({ before }) => before))}`;
    case "feesAfter":
    case "valueAfter":
      return `Not known: ${codesOf(markets.map(({ after }) => after))}`;
    case "feeCheck":
      return "Not known, because an amount above is not known";
    default:
      return `Not known. ${noteOf(sums, markets)}`;
  }
}
