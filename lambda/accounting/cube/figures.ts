import { type Amount, wholeNumber } from "../../core/amount.ts";
import { blankCloses, type Cell, type Money } from "./cell.ts";
import { type Border, type Carry, lacksOf, type Scope, type Why } from "./scopes.ts";

/** The value of a figure in a row. */
export interface Known {
  /** Null: it is not known. */
  readonly amount: Amount | null;
  /** Why it is not known, or what a known amount leaves out. Empty: it is all there is. */
  readonly lacks: readonly Why[];
}

/** What is shown of sums, everywhere under the same name, with the same sign and by the same rule. */
export interface Figure<Key extends string = string> {
  /** The name of its column in files. */
  readonly key: Key;
  /** For people. */
  readonly name: string;
  /** A sentence. Keys in it are other figures of the same row. */
  readonly meaning: string;
  readonly unit: "count" | "amount";
  readonly of: (scope: Scope, money: Money) => Known;
  /** True: it is also calculated by the method for comparison. */
  readonly isCompared?: true;
  /** True: it also exists in the reporting currency. */
  readonly isConverted?: true;
}

type Text = readonly [name: string, meaning: string];
type Both = Pick<Figure, "isCompared" | "isConverted">;

function amounts<Key extends string>(key: Key, [name, meaning]: Text, of: Figure["of"], also: Both = {}): Figure<Key> {
  return { key, name, meaning, unit: "amount", ...also, of };
}

/** A number of fills or rows, which is always known. */
function counter<Key extends string>(key: Key, [name, meaning]: Text, of: (cell: Cell) => number): Figure<Key> {
  return { key, name, meaning, unit: "count", of: ({ cell }) => known(wholeNumber(of(cell))) };
}

/** What closes gave. Not known if none is known and some are missing. */
function closed<Key extends string>(
  key: Key,
  [name, meaning]: Text,
  of: (money: Money) => Amount,
  also: Both = {},
): Figure<Key> {
  return { key, name, meaning, unit: "amount", ...also, of: ({ cell }, money) => ofCloses(cell, of(money)) };
}

/** What fills cost. Not known if none can be read. */
function charged<Key extends string>(key: Key, [name, meaning]: Text, of: (money: Money) => Amount): Figure<Key> {
  return { key, name, meaning, unit: "amount", isConverted: true, of: ({ cell }, money) => ofFills(cell, of(money)) };
}

/** What is carried across a border. Not known if it is not known of one market. */
function carried<Key extends string>(
  key: Key,
  [name, meaning]: Text,
  border: "start" | "end",
  of: (carry: Carry) => Amount,
): Figure<Key> {
  return { key, name, meaning, unit: "amount", of: (scope) => ofBorder(scope[border], of) };
}

const known = (amount: Amount): Known => ({ amount, lacks: [] });

function ofCloses(cell: Cell, amount: Amount): Known {
  const lacks = lacksOf(cell);
  return { amount: cell.closes > 0 || lacks.length === 0 ? amount : null, lacks };
}

function ofFills({ fills, untyped, breaks }: Cell, amount: Amount): Known {
  const lacks = lacksOf({ blanks: new Map(), untyped, breaks });
  return { amount: fills > 0 || untyped === 0 ? amount : null, lacks };
}

function ofBorder(border: Border, of: (carry: Carry) => Amount): Known {
  return "lacks" in border ? { amount: null, lacks: border.lacks } : known(of(border));
}

function ofFunding({ isFunded }: Scope, amount: Amount): Known {
  return isFunded ? known(amount) : { amount: null, lacks: ["not_given"] };
}

/** Not known if one of the two is not. */
function both(one: Known, other: Known, of: (one: Amount, other: Amount) => Amount): Known {
  const lacks = [...new Set([...one.lacks, ...other.lacks])];
  return { amount: one.amount === null || other.amount === null ? null : of(one.amount, other.amount), lacks };
}

const netOf = ({ gross, fees }: Money): Amount => gross.minus(fees);
const feesOf = ({ feesPaid, rebates }: Money): Amount => feesPaid.plus(rebates);
const EVERYWHERE: Both = { isCompared: true, isConverted: true };

export const FIGURES = [
  counter(
    "fills",
    ["Fills", "Number of fills, including those that cannot be read as a trade."],
    (cell) => cell.fills + cell.untyped,
  ),
  counter(
    "unreadable_fills",
    ["Unreadable fills", "Number of fills that cannot be read as a trade. No amount includes them."],
    (cell) => cell.untyped,
  ),
  amounts("volume", ["Volume", "Sum of price × quantity."], ({ cell }) => ofFills(cell, cell.volume)),
  counter(
    "closes",
    ["Closing fills", "Number of fills that closed a position or part of one, and whose PnL is known."],
    (cell) => cell.closes,
  ),
  counter(
    "closes_with_unknown_pnl",
    [
      "Closing fills without PnL",
      "Number of fills that closed, or may have closed, a position, and whose PnL could not be calculated. Totals exclude them.",
    ],
    blankCloses,
  ),
  closed(
    "gross_pnl",
    [
      "Gross realised PnL",
      "Realised PnL before fees and funding, for closing fills whose PnL is known. Empty if none is known.",
    ],
    ({ gross }) => gross,
    EVERYWHERE,
  ),
  closed(
    "fees_recognised",
    ["Fees on closed positions", "Fees on closed positions: closing fees plus the matching share of the opening fees."],
    ({ fees }) => fees,
    EVERYWHERE,
  ),
  closed(
    "realised_pnl_net_of_fees_excl_funding",
    [
      "Net realised PnL, excl. funding",
      "gross_pnl − fees_recognised: opening fees count when the position is closed. Excludes funding.",
    ],
    netOf,
    EVERYWHERE,
  ),
  closed("gains", ["Gains", "Sum of the rows of realised-pnl.csv whose net PnL is above zero."], ({ gains }) => gains, {
    isConverted: true,
  }),
  closed(
    "losses",
    [
      "Losses",
      "Sum of the rows of realised-pnl.csv whose net PnL is below zero, a negative amount. gains + losses = realised_pnl_net_of_fees_excl_funding.",
    ],
    ({ losses }) => losses,
    { isConverted: true },
  ),
  counter("gain_rows", ["Rows with a gain", "Number of rows that gains adds up."], (cell) => cell.gainRows),
  counter("loss_rows", ["Rows with a loss", "Number of rows that losses adds up."], (cell) => cell.lossRows),
  charged(
    "fees_paid",
    ["Fees paid", "Fees paid on all fills in the period: the sum of fees above zero."],
    ({ feesPaid }) => feesPaid,
  ),
  charged(
    "rebates",
    ["Rebates", "Rebates received on all fills in the period: the sum of fees below zero, a negative amount."],
    ({ rebates }) => rebates,
  ),
  charged("net_fees", ["Fees less rebates", "fees_paid + rebates."], feesOf),
  amounts(
    "realised_pnl_fees_expensed_excl_funding",
    [
      "Gross PnL less fees paid and rebates, excl. funding",
      "gross_pnl − fees_paid − rebates: fees count in the period in which they were charged. Excludes funding.",
    ],
    ({ cell }, money) =>
      both(ofCloses(cell, money.gross), ofFills(cell, feesOf(money)), (gross, fees) => gross.minus(fees)),
    { isConverted: true },
  ),
  carried(
    "deferred_fees_at_start",
    [
      "Fees carried, start",
      "Opening fees carried with the positions open at the start: charged earlier and not yet recognised.",
    ],
    "start",
    ({ deferredFee }) => deferredFee,
  ),
  carried(
    "deferred_fees_at_end",
    [
      "Fees carried, end",
      "Opening fees carried with the positions open at the end: deferred_fees_at_start + fees_paid + rebates − fees_recognised.",
    ],
    "end",
    ({ deferredFee }) => deferredFee,
  ),
  carried(
    "open_value_at_start",
    ["Open positions at cost, start", "Cost of the positions open at the start: long positive, short negative."],
    "start",
    ({ openValue }) => openValue,
  ),
  carried(
    "open_value_at_end",
    ["Open positions at cost, end", "Cost of the positions open at the end: long positive, short negative."],
    "end",
    ({ openValue }) => openValue,
  ),
  amounts(
    "funding",
    [
      "Funding received less paid",
      "Funding payments in the user's funding.csv: positive if received. Empty without the file.",
    ],
    (scope, { funding }) => ofFunding(scope, funding),
    { isConverted: true },
  ),
  amounts(
    "realised_pnl_net_incl_funding",
    [
      "Net realised PnL, incl. funding",
      "realised_pnl_net_of_fees_excl_funding + funding. Empty without the user's funding.csv.",
    ],
    (scope, money) =>
      both(ofCloses(scope.cell, netOf(money)), ofFunding(scope, money.funding), (net, funding) => net.plus(funding)),
    EVERYWHERE,
  ),
];

export type FigureKey = (typeof FIGURES)[number]["key"];

const BY_KEY: ReadonlyMap<string, Figure> = new Map(FIGURES.map((one) => [one.key, one]));

export function figureOf(key: FigureKey): Figure {
  const found = BY_KEY.get(key);
  if (found === undefined) {
    throw new RangeError(`no figure ${key}`);
  }
  return found;
}

/** By the chosen method, in the settlement currency. */
export function ownOf(key: FigureKey, scope: Scope): Known {
  return figureOf(key).of(scope, scope.cell);
}

/** By the method for comparison. */
export function comparedOf(key: FigureKey, scope: Scope): Known {
  const { comparedGross: gross, comparedFees: fees } = scope.cell;
  return figureOf(key).of(scope, { ...scope.cell, gross, fees });
}

/** In the reporting currency, each line at the rate of its own day. Null: nothing is converted. */
export function convertedOf(key: FigureKey, scope: Scope): Known | null {
  const { converted } = scope.cell;
  return converted && figureOf(key).of(scope, converted);
}

/** True: no fills are missing, all PnL is known, and so is what was carried. */
export function isComplete({ cell, start, end }: Scope): boolean {
  return lacksOf(cell).length === 0 && !("lacks" in start || "lacks" in end);
}
