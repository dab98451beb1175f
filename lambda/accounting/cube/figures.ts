import { type Amount, totalOf, wholeNumber } from "../../core/amount.ts";
import type { UnknownReason } from "../booked.ts";
import type { Carry } from "../carried.ts";
import { openIn, unrealisedIn } from "../holdings.ts";
import { blankCloses, type Cell, type Money } from "./cell.ts";
import { type Known, lacksOf, type Scope, type Why } from "./scopes.ts";

const SIGNS = {
  gain: " Above zero: gained or received. Below zero: lost or paid.",
  cost: " Above zero: paid. Below zero: received, as a rebate.",
  position: " Long positions count above zero, short ones below.",
  none: "",
} as const;

/** What is shown of sums, everywhere under the same name, with the same sign and by the same rule. */
export interface Figure<Key extends string = string> {
  /** The name of its column in files. */
  readonly key: Key;
  /** For people. */
  readonly name: string;
  /** Its formula, and what its sign says: sentences. Keys in it are other figures of the same row. */
  readonly meaning: string;
  readonly unit: "count" | "amount";
  readonly sign: keyof typeof SIGNS;
  readonly of: (scope: Scope, money: Money) => Known;
  /** True: it is also calculated by the method for comparison. */
  readonly isCompared?: true;
  /** Its key in the reporting currency: the same of amounts converted one by one. Absent: it is not converted. */
  readonly converted?: string;
  /** True: it is a state at a border of the period or a month. Rows do not add up. */
  readonly isCarried?: true;
}

type Of = Figure["of"];
type Also = Pick<Partial<Figure>, "unit" | "isCompared" | "converted" | "isCarried">;

/** Makes figures whose sign says the same. */
function signed(sign: Figure["sign"]) {
  return <Key extends string>(key: Key, name: string, meaning: string, of: Of, also: Also = {}): Figure<Key> => ({
    ...{ key, name, meaning: meaning + SIGNS[sign], unit: "amount", sign },
    ...also,
    of,
  });
}

const [gain, cost, position, unsigned] = [signed("gain"), signed("cost"), signed("position"), signed("none")];

/** A number of fills or rows, which is always known. */
function counter<Key extends string>(key: Key, name: string, meaning: string, of: (cell: Cell) => number): Figure<Key> {
  return unsigned(key, name, meaning, ({ cell }) => known(wholeNumber(of(cell))), { unit: "count" });
}

const known = (amount: Amount): Known => ({ amount, lacks: [] });

/** What closes gave. Not known if none is known and some are missing. */
function ofCloses(of: (money: Money) => Amount): Of {
  return ({ cell }, money) => {
    const lacks = lacksOf(cell);
    return { amount: cell.closes > 0 || lacks.length === 0 ? of(money) : null, lacks };
  };
}

/** What fills cost. Not known if none can be read, or if all are of contracts that are not linear. */
function ofFills(of: (money: Money, cell: Cell) => Amount): Of {
  return ({ cell }, money) => {
    const { fills, untyped, apart, breaks } = cell;
    const blanks = new Map<UnknownReason, number>(apart === 0 ? [] : [["unsupported_contract_type", apart]]);
    const lacks = lacksOf({ blanks, untyped, breaks });
    return { amount: fills > apart || untyped + apart === 0 ? of(money, cell) : null, lacks };
  };
}

/** What is carried across the start and the end. Not known if it is not known of one market. */
function ofBorders<Key extends string>(
  make: typeof cost,
  [key, name]: readonly [Key, string],
  meaning: string,
  of: (carry: Carry) => Amount,
) {
  return (["start", "end"] as const).map((border) =>
    make(
      `${key}_at_${border}` as const,
      `${name}, ${border}`,
      meaning.replace("BORDER", border),
      ({ [border]: carried }) => ("lacks" in carried ? { amount: null, lacks: carried.lacks } : known(of(carried))),
      { isCarried: true },
    ),
  );
}

/** Not known of positions without a cost or a price. */
const ofMarks: Of = ({ holdings }) => {
  const all = openIn(holdings).map(unrealisedIn);
  const priced = all.filter((amount) => amount !== null);
  const lacks: Why[] = priced.length < all.length ? ["not_given"] : [];
  return { amount: priced.length === 0 && lacks.length > 0 ? null : totalOf(priced, (one) => one), lacks };
};

const ofFunding: Of = ({ funded }, { funding }) => ({
  amount: funded === "none" ? null : funding,
  lacks: funded === "all" ? [] : ["not_given"],
});

/** Not known if one of the two is not. */
function ofBoth(one: Of, other: Of, of: (one: Amount, other: Amount) => Amount): Of {
  return (...row) => {
    const [left, right] = [one(...row), other(...row)];
    const lacks = [...new Set([...left.lacks, ...right.lacks])];
    return { amount: left.amount === null || right.amount === null ? null : of(left.amount, right.amount), lacks };
  };
}

const ofNet = ofCloses(({ gross, fees }) => gross.minus(fees));
const ofFees = ofFills(({ feesPaid, rebates }) => feesPaid.plus(rebates));

/** In the order in which files have them. */
export const FIGURES = [
  counter(
    "fills",
    "Fills",
    "Number of fills, including declared trades and those that cannot be read as a trade.",
    ({ fills, untyped }) => fills + untyped,
  ),
  counter(
    "declared_trades",
    "Declared trades",
    "Number of trades that the user declared in adjustments.csv, a part of fills.",
    ({ declared }) => declared,
  ),
  counter(
    "unreadable_fills",
    "Unreadable fills",
    "Number of fills that cannot be read as a trade. No amount includes them.",
    ({ untyped }) => untyped,
  ),
  unsigned(
    "volume",
    "Volume",
    "Sum of price × quantity of all fills.",
    ofFills((_, { volume }) => volume),
  ),
  counter(
    "closes",
    "Closing fills",
    "Number of fills that closed a position or part of one, and whose PnL is known.",
    ({ closes }) => closes,
  ),
  counter(
    "closes_with_unknown_pnl",
    "Closing fills without PnL",
    "Number of fills that closed, or may have closed, a position, and whose PnL could not be calculated. Totals exclude them.",
    blankCloses,
  ),
  gain(
    "gross_pnl",
    "Gross realised PnL",
    "Sum of gross_pnl in realised-pnl.csv, before fees and funding. Empty if the PnL of no close is known.",
    ofCloses(({ gross }) => gross),
    { isCompared: true, converted: "gross_pnl_converted" },
  ),
  cost(
    "fees_recognised",
    "Fees on closed positions",
    "Sum of open_fee + close_fee in realised-pnl.csv: closing fees plus the matching share of the opening fees.",
    ofCloses(({ fees }) => fees),
    { isCompared: true, converted: "fees_recognised_converted" },
  ),
  gain(
    "realised_pnl_net_of_fees_excl_funding",
    "Net realised PnL, excl. funding",
    "gross_pnl − fees_recognised: opening fees count when the position is closed. Excludes funding.",
    ofNet,
    { isCompared: true, converted: "net_converted" },
  ),
  gain(
    "gains",
    "Gains, after fees",
    "Sum of the net PnL in realised-pnl.csv of the rows where it is above zero.",
    ofCloses(({ gains }) => gains),
    { converted: "gains_converted" },
  ),
  gain(
    "losses",
    "Losses, after fees",
    "Sum of the net PnL in realised-pnl.csv of the rows where it is below zero. gains + losses = realised_pnl_net_of_fees_excl_funding.",
    ofCloses(({ losses }) => losses),
    { converted: "losses_converted" },
  ),
  unsigned(
    "gain_rows",
    "Rows with a gain",
    "Number of rows that gains adds up.",
    (_, { gainRows }) => known(gainRows),
    { unit: "count", converted: "gain_rows_converted" },
  ),
  unsigned(
    "loss_rows",
    "Rows with a loss",
    "Number of rows that losses adds up.",
    (_, { lossRows }) => known(lossRows),
    { unit: "count", converted: "loss_rows_converted" },
  ),
  cost(
    "fees_paid",
    "Fees paid",
    "Sum of the fees above zero of all fills.",
    ofFills(({ feesPaid }) => feesPaid),
    { converted: "fees_paid_converted" },
  ),
  cost(
    "rebates",
    "Rebates",
    "Sum of the fees below zero of all fills.",
    ofFills(({ rebates }) => rebates),
    { converted: "rebates_converted" },
  ),
  cost("net_fees", "Fees less rebates", "fees_paid + rebates.", ofFees, { converted: "net_fees_converted" }),
  gain(
    "realised_pnl_fees_expensed_excl_funding",
    "Gross PnL less fees paid and rebates, excl. funding",
    "gross_pnl − fees_paid − rebates: fees count in the period in which they were charged. Excludes funding.",
    ofBoth(
      ofCloses(({ gross }) => gross),
      ofFees,
      (gross, fees) => gross.minus(fees),
    ),
  ),
  ...ofBorders(
    cost,
    ["deferred_fees", "Fees carried"],
    "Sum of the opening fees of the lots at the BORDER: deferred_fees_at_start + fees_paid + rebates − fees_recognised = deferred_fees_at_end.",
    ({ deferredFee }) => deferredFee,
  ),
  ...ofBorders(
    position,
    ["open_value", "Open positions at cost"],
    "Sum of the cost (quantity × opening price) of the lots at the BORDER.",
    ({ openValue }) => openValue,
  ),
  gain(
    "unrealised_pnl_at_end",
    "Unrealised PnL, end",
    "Sum of unrealised_pnl in open-positions.csv, at the prices of marks.csv. Empty without prices of open positions.",
    ofMarks,
    { isCarried: true },
  ),
  gain(
    "funding",
    "Funding received less paid",
    "Sum of the payments in the user's funding.csv. Empty without the file.",
    ofFunding,
    { converted: "funding_converted" },
  ),
  gain(
    "realised_pnl_net_incl_funding",
    "Net realised PnL, incl. funding",
    "realised_pnl_net_of_fees_excl_funding + funding. Empty without the user's funding.csv, and where no PnL is known; totals include the funding of such rows, too.",
    ofBoth(ofNet, ofFunding, (net, funding) => net.plus(funding)),
    { isCompared: true, converted: "net_incl_funding_converted" },
  ),
];

export type FigureKey = (typeof FIGURES)[number]["key"];

const BY_KEY: ReadonlyMap<string, Figure> = new Map(FIGURES.map((one) => [one.key, one]));

export function figureOf<Key extends string>(key: Key): Key extends FigureKey ? Figure : Figure | undefined {
  return BY_KEY.get(key) as Figure;
}

/** Everywhere the words beside a total to which more belongs that is not known. */
export const PARTIAL_TOTAL = "partial total";

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
