import { add, type KnownSum, less } from "../../../accounting/aggregate.ts";
import { type Amount, formatAmount } from "../../../accounting/amount.ts";
import type { MarketStatement } from "../../../accounting/statement.ts";
import type { Cell } from "../../../formats/xlsx/xlsx.ts";
import { addCarries, type Carry, carryOf } from "../csv/borders.ts";
import { moneyCell } from "./cells.ts";
import { sumWhere } from "./formula.ts";
import { codesOf, noteOf } from "./sums.ts";
import type { Table } from "./table.ts";

const SHEET = "'Summary'";
/** The methods' columns; in the head they have their names, which are criteria of sums over open positions. */
const LETTERS = ["C", "D"] as const;
export const HEAD_ROW = 2;
const METHODS = [0, 1] as const;

type ByMethod = readonly [Amount | null, Amount | null];

/** A row of Summary. */
interface Figure {
  readonly name: string;
  /** Null: not known. */
  readonly values: ByMethod;
  /** By method: what the values come from; undefined: no other cell. */
  readonly formulas: readonly [string | undefined, string | undefined];
  readonly note: string;
  /** It stands out. */
  readonly isResult: boolean;
}

/** The tables that Summary adds up. */
export interface Sources {
  readonly months: Table;
  readonly openPositions: Table;
}

/** The rows of one currency. */
export interface Block {
  readonly currency: string;
  readonly sums: KnownSum;
  readonly markets: readonly MarketStatement[];
  readonly sources: Sources;
  /** of the sheet */
  readonly firstRow: number;
}

/** The rows of a block by what they show, in their order. Those with funding are there when the user gave a file. */
const NAMES = {
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

type Name = keyof typeof NAMES;
const RESULTS: readonly Name[] = ["net", "expensed", "netWithFunding"];

export function figuresOf(block: Block): Figure[] {
  const hasFunding = block.sums.funding !== null;
  const names = (Object.keys(NAMES) as Name[]).filter((name) => hasFunding || !/funding/i.test(name));
  const rows = new Map(names.map((name, at) => [name, block.firstRow + at]));
  const values = valuesOf(block);
  return names.map((name): Figure => {
    const own = values[name];
    const formula = (method: 0 | 1) => formulaOf(name, block, { method, rows });
    return {
      name: NAMES[name],
      values: own,
      formulas: [formula(0), formula(1)],
      note: own[0] === null ? unknownNote(name, block) : noteFor(name, block, own),
      isResult: RESULTS.includes(name),
    };
  });
}

function valuesOf({ sums, markets }: Block): Readonly<Record<Name, ByMethod>> {
  const { feesPaid, rebates, funding, results } = sums;
  const by = (of: (method: 0 | 1) => Amount | null): ByMethod => [of(0), of(1)];
  const carried = (end: "before" | "after", of: (carry: Carry) => Amount): ByMethod =>
    by((method) => {
      const carry = addCarries(markets.map((market) => carryOf(market[end], method)));
      return carry === null ? null : of(carry);
    });
  const expense = add(feesPaid, rebates);
  const gross = by((method) => results[method].gross);
  const fees = by((method) => results[method].fees);
  const net = by((method) => results[method].net);
  const feesBefore = carried("before", ({ deferredFee }) => deferredFee);
  const feesAfter = carried("after", ({ deferredFee }) => deferredFee);
  const valueBefore = carried("before", ({ openValue }) => openValue);
  const valueAfter = carried("after", ({ openValue }) => openValue);
  return {
    gross,
    fees,
    net,
    feesPaid: [feesPaid, feesPaid],
    rebates: [rebates, rebates],
    expensed: by((method) => less(gross[method], expense)),
    funding: [funding, funding],
    netWithFunding: by((method) => add(net[method], funding)),
    feesBefore,
    feesAfter,
    feeCheck: by((method) => less(less(add(feesBefore[method], expense), fees[method]), feesAfter[method])),
    valueBefore,
    valueAfter,
    flow: by((method) => less(add(gross[method], valueBefore[method]), valueAfter[method])),
  };
}

interface Place {
  readonly method: 0 | 1;
  readonly rows: ReadonlyMap<Name, number>;
}

/** What a value is made of: columns of other sheets, or rows above it. */
function formulaOf(name: Name, { sources: { months, openPositions } }: Block, place: Place): string | undefined {
  const { method, rows } = place;
  const at = (other: Name): string => `${LETTERS[method]}${rows.get(other)}`;
  const currency = ["currency", `$A${rows.get(name)}`] as const;
  const open = (column: string) =>
    sumIn(openPositions, column, [currency, ["method", `${LETTERS[method]}$${HEAD_ROW}`]]);
  switch (name) {
    case "gross":
    case "fees":
      return sumIn(months, `${name}${method}`, [currency]);
    case "feesPaid":
    case "rebates":
    case "funding":
      return sumIn(months, name, [currency]);
    case "net":
      return `${at("gross")}-${at("fees")}`;
    case "expensed":
      return `${at("gross")}-${at("feesPaid")}-${at("rebates")}`;
    case "netWithFunding":
      return `${at("net")}+${at("funding")}`;
    case "feesAfter":
      return open("deferred");
    case "valueAfter":
      return open("openValue");
    case "feeCheck":
      return `ROUND(${at("feesBefore")}+${at("feesPaid")}+${at("rebates")}-${at("fees")}-${at("feesAfter")},8)`;
    case "flow":
      return `${at("gross")}+${at("valueBefore")}-${at("valueAfter")}`;
    default:
      return;
  }
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

const NOTES: Readonly<Partial<Record<Name, string>>> = {
  fees: "The fees of what was closed: of the closes, and of what opened it",
  expensed: "The other convention: a fee counts when it is paid",
  funding: "From funding.csv",
  valueBefore: "What open positions were opened for: of long ones above zero, of short ones below",
  valueAfter: "The basis of what is unrealised: market value less this",
};

function noteFor(name: Name, { sums, markets }: Block, values: ByMethod): string {
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

export function figureCells(currency: string, { name, values, formulas, note, isResult }: Figure): Cell[] {
  return [
    { text: currency, style: isResult ? "textTotal" : "text" },
    { text: name, style: isResult ? "textTotal" : "wrapped" },
    ...METHODS.map((method) => {
      const value = values[method];
      return value === null ? null : moneyCell(value, { isTotal: isResult, formula: formulas[method] });
    }),
    ...values.map((value): Cell => (value === null ? null : { text: formatAmount(value), style: "text" })),
    note === "" ? null : { text: note, style: "wrapped" },
  ];
}
