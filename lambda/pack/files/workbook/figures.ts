import { add, type KnownSum, less } from "../../../accounting/aggregate.ts";
import type { Amount } from "../../../accounting/amount.ts";
import { METHOD_ROLES, type MethodRole } from "../../../accounting/method.ts";
import type { MarketStatement } from "../../../accounting/statement.ts";
import { addCarries, carryOf } from "../csv/borders.ts";
import { codesOf, noteOf } from "./activity.ts";
import { sumWhere } from "./formula.ts";
import type { SheetTable } from "./table.ts";

const SHEET = "'Summary'";
/** The columns of the two methods: the chosen one first. */
const LETTERS = ["C", "D"] as const;
export const HEAD_ROW = 2;

/** A row of the sheet Summary. */
export interface Figure {
  readonly label: string;
  /** By the chosen method, then by the other one. Null: not known. */
  readonly values: readonly (Amount | null)[];
  /** In the same order: the cells that give the value. Undefined: no other cell does. */
  readonly formulas: readonly (string | undefined)[];
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
  flow: "Gross PnL + open positions, start − open positions, end",
} as const;

type Name = keyof typeof LABELS;
type Values = Readonly<Record<Name, Amount | null>>;

export function figuresOf(block: Block): Figure[] {
  const hasFunding = block.sums.funding !== null;
  const names = (Object.keys(LABELS) as Name[]).filter((name) => hasFunding || !/funding/i.test(name));
  const rows = new Map(names.map((name, at) => [name, block.firstRow + at]));
  const byMethod = METHOD_ROLES.map((role, at) => ({
    values: valuesOf(block, role),
    formulas: formulasOf(block.sources, rows, role, LETTERS[at] ?? LETTERS[0]),
  }));
  return names.map((name) => {
    const values = byMethod.map((one) => one.values[name]);
    return {
      label: LABELS[name],
      values,
      formulas: byMethod.map((one) => one.formulas[name]),
      note: values.includes(null) ? unknownNote(name, block) : knownNote(name, block, values),
      isResult: ["net", "expensed", "netWithFunding"].includes(name),
    };
  });
}

function valuesOf({ sums, markets }: Block, role: MethodRole): Values {
  const { feesPaid, rebates, funding, results } = sums;
  const { gross, fees, net } = results[role];
  const before = addCarries(markets.map((market) => carryOf(market.before, role)));
  const after = addCarries(markets.map((market) => carryOf(market.after, role)));
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
    flow: less(add(gross, valueBefore), valueAfter),
  };
}

/** The sources of values: columns of other sheets, or rows above. */
function formulasOf(
  { months, openPositions }: Sources,
  rows: ReadonlyMap<Name, number>,
  role: MethodRole,
  letter: string,
): Readonly<Partial<Record<Name, string | undefined>>> {
  const at = (name: Name) => `${letter}${rows.get(name)}`;
  const ofMonths = (name: Name, column: string = name) => sumOfCurrency(months, column, `$A${rows.get(name)}`);
  const ofPositions = (name: Name, column: string) => sumOfCurrency(openPositions, column, `$A${rows.get(name)}`);
  return {
    gross: ofMonths("gross", `gross-${role}`),
    fees: ofMonths("fees", `fees-${role}`),
    net: `${at("gross")}-${at("fees")}`,
    feesPaid: ofMonths("feesPaid"),
    rebates: ofMonths("rebates"),
    expensed: `${at("gross")}-${at("feesPaid")}-${at("rebates")}`,
    funding: ofMonths("funding"),
    netWithFunding: `${at("net")}+${at("funding")}`,
    feesAfter: ofPositions("feesAfter", `deferred-${role}`),
    feeCheck: `ROUND(${at("feesBefore")}+${at("feesPaid")}+${at("rebates")}-${at("fees")}-${at("feesAfter")},8)`,
    valueAfter: ofPositions("valueAfter", `openValue-${role}`),
    flow: `${at("gross")}+${at("valueBefore")}-${at("valueAfter")}`,
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

function knownNote(name: Name, { sums, markets }: Block, values: Figure["values"]): string {
  switch (name) {
    case "gross":
      return noteOf(sums, markets);
    case "feeCheck":
      return values.every((value) => value === 0n)
        ? "Zero: no fee is missing and none is counted twice"
        : "Fees of fills whose PnL is not known";
    case "flow":
      return values[0] === values[1]
        ? "Equal under both methods: a method changes when PnL is realised, not how much"
        : "Differs, because the position of a market was not known for some time";
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
    case "flow":
      return "Not known, because an amount above is not known";
    default:
      return `Not known. ${noteOf(sums, markets)}`;
  }
}
