import { add, type KnownSum, less } from "../../../accounting/aggregate.ts";
import type { Amount } from "../../../accounting/amount.ts";
import type { MethodRole } from "../../../accounting/method.ts";
import type { MarketStatement } from "../../../accounting/statement.ts";
import { addCarries, carryOf } from "../csv/borders.ts";
import { codesOf, noteOf } from "./activity.ts";
import { sumWhere } from "./formula.ts";
import type { SheetTable } from "./table.ts";

const SHEET = "'Summary'";
/** The methods' columns; in the head they have their names, which are criteria of sums over open positions. */
const LETTERS = ["C", "D"] as const;
export const HEAD_ROW = 2;

/** A row of Summary. */
export interface Figure {
  readonly label: string;
  /** In the order of the columns; null: not known. */
  readonly values: readonly (Amount | null)[];
  /** Of each value: what it come from; undefined: no other cell. */
  readonly formulas: readonly (string | undefined)[];
  readonly note: string;
  /** It stands out. */
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

/** The rows of a block by what they show, in their order. Those with funding are there when the user gave a file. */
const LABELS = {
  gross: "Realised, gross",
  fees: "Fees recognised with it",
  net: "Net of recognised fees, excluding funding",
  feesPaid: "Fees paid",
  rebates: "Rebates",
  expensed: "Gross less fees paid and rebates, excluding funding",
  funding: "Funding",
  netWithFunding: "Net of recognised fees, with funding",
  feesBefore: "Opening fees carried at the start",
  feesAfter: "Opening fees carried at the end",
  feeCheck: "Check: carried at the start + paid + rebates − recognised − carried at the end",
  valueBefore: "Open value at the start",
  valueAfter: "Open value at the end",
  flow: "Gross + open value at the start − open value at the end",
} as const;

type Name = keyof typeof LABELS;
type Values = Readonly<Record<Name, Amount | null>>;

export function figuresOf(block: Block, order: readonly [MethodRole, MethodRole]): Figure[] {
  const hasFunding = block.sums.funding !== null;
  const names = (Object.keys(LABELS) as Name[]).filter((name) => hasFunding || !/funding/i.test(name));
  const rows = new Map(names.map((name, at) => [name, block.firstRow + at]));
  const byMethod = order.map((role, at) => ({
    values: valuesOf(block, role),
    formulas: formulasOf(block.sources, rows, { role, letter: LETTERS[at] ?? "" }),
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

/** What values are made of: columns of other sheets, or rows above. */
function formulasOf(
  { months, openPositions }: Sources,
  rows: ReadonlyMap<Name, number>,
  { role, letter }: { readonly role: MethodRole; readonly letter: string },
): Readonly<Partial<Record<Name, string | undefined>>> {
  const at = (name: Name) => `${letter}${rows.get(name)}`;
  const ofMonths = (name: Name, column: string = name) => sumIn(months, column, { currency: `$A${rows.get(name)}` });
  const ofPositions = (name: Name, column: string) =>
    sumIn(openPositions, column, { currency: `$A${rows.get(name)}`, method: `${letter}$${HEAD_ROW}` });
  return {
    gross: ofMonths("gross", `gross-${role}`),
    fees: ofMonths("fees", `fees-${role}`),
    net: `${at("gross")}-${at("fees")}`,
    feesPaid: ofMonths("feesPaid"),
    rebates: ofMonths("rebates"),
    expensed: `${at("gross")}-${at("feesPaid")}-${at("rebates")}`,
    funding: ofMonths("funding"),
    netWithFunding: `${at("net")}+${at("funding")}`,
    feesAfter: ofPositions("feesAfter", "deferred"),
    feeCheck: `ROUND(${at("feesBefore")}+${at("feesPaid")}+${at("rebates")}-${at("fees")}-${at("feesAfter")},8)`,
    valueAfter: ofPositions("valueAfter", "openValue"),
    flow: `${at("gross")}+${at("valueBefore")}-${at("valueAfter")}`,
  };
}

/** `criteria`: a cell of Summary for each column whose text must be the cell's. */
function sumIn(table: SheetTable, id: string, criteria: Readonly<Record<string, string>>): string | undefined {
  const column = table.columns.get(id);
  const where = Object.entries(criteria).flatMap(([by, cell]) => {
    const place = table.columns.get(by);
    return place === undefined ? [] : [{ column: place, cell }];
  });
  return column === undefined ? undefined : sumWhere(SHEET, column, where, table.texts);
}

const NOTES: Readonly<Partial<Record<Name, string>>> = {
  fees: "The fees of what was closed: of the closes, and of what opened it",
  expensed: "The other convention: a fee counts when it is paid",
  funding: "From funding.csv",
  valueBefore: "What open positions were opened for: of long ones above zero, of short ones below",
  valueAfter: "The basis of what is unrealised: market value less this",
};

function knownNote(name: Name, { sums, markets }: Block, values: Figure["values"]): string {
  switch (name) {
    case "gross":
      return noteOf(sums, markets);
    case "feeCheck":
      return values.every((value) => value === 0n)
        ? "0: no fee is lost, and none counted twice"
        : "The fees of fills whose PnL is not known";
    case "flow":
      return values[0] === values[1]
        ? "Equal under both methods: they differ in when a result is realised, not in what it comes to"
        : "Differs: what was open in a market was lost sight of";
    default:
      return NOTES[name] ?? "";
  }
}

/** Why there is no value: an empty cell never stands alone. */
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
      return "Not known, as something above is not";
    default:
      return `Not known. ${noteOf(sums, markets)}`;
  }
}
