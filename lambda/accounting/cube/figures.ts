import { type Amount, wholeNumber } from "../../core/amount.ts";
import type { Carry } from "../carried.ts";
import { blankCloses, type Cell, type Money } from "./cell.ts";
import { lacksOf, type Scope, type Why } from "./scopes.ts";

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
  /** In the reporting currency: its key and meaning. Absent: it is not converted. */
  readonly converted?: readonly [key: string, meaning: string];
  /** The figures of the same row that it adds up, negative ones with a minus. Absent: cells give it. */
  readonly parts?: readonly string[];
  /** True: it is a state at a border of the period or a month. Rows do not add up. */
  readonly isCarried?: true;
}

type Of = Figure["of"];
type Also = Pick<Figure, "isCompared" | "converted" | "parts" | "isCarried">;

function figure<Key extends string>(key: Key, name: string, meaning: string, of: Of, also: Also = {}): Figure<Key> {
  return { key, name, meaning, unit: "amount", ...also, of };
}

/** A number of fills or rows, which is always known. */
function counter<Key extends string>(key: Key, name: string, meaning: string, of: (cell: Cell) => number): Figure<Key> {
  return { key, name, meaning, unit: "count", of: ({ cell }) => known(wholeNumber(of(cell))) };
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
    const { fills, untyped, breaks } = cell;
    // Each fill of such a contract may have closed something, so it is counted here.
    const blanks = new Map([...cell.blanks].filter(([reason]) => reason === "unsupported_contract_type"));
    const apart = blankCloses({ blanks });
    const lacks = lacksOf({ blanks, untyped, breaks });
    return { amount: fills > apart || untyped + apart === 0 ? of(money, cell) : null, lacks };
  };
}

/** What is carried across a border. Not known if it is not known of one market. */
function ofCarry(border: "start" | "end", of: (carry: Carry) => Amount): Of {
  return (scope) => {
    const carried = scope[border];
    return "lacks" in carried ? { amount: null, lacks: carried.lacks } : known(of(carried));
  };
}

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
    "Number of fills, including those that cannot be read as a trade.",
    ({ fills, untyped }) => fills + untyped,
  ),
  counter(
    "unreadable_fills",
    "Unreadable fills",
    "Number of fills that cannot be read as a trade. No amount includes them.",
    ({ untyped }) => untyped,
  ),
  figure(
    "volume",
    "Volume",
    "Sum of price × quantity.",
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
    (cell) => blankCloses(cell) + cell.unreadCloses,
  ),
  figure(
    "gross_pnl",
    "Gross realised PnL",
    "Realised PnL before fees and funding, for closing fills whose PnL is known. Empty if none is known.",
    ofCloses(({ gross }) => gross),
    {
      isCompared: true,
      converted: [
        "gross_pnl_converted",
        "gross_pnl, each close converted at the rate of its day, as in realised-pnl.csv.",
      ],
    },
  ),
  figure(
    "fees_recognised",
    "Fees on closed positions",
    "Fees on closed positions: closing fees plus the matching share of the opening fees.",
    ofCloses(({ fees }) => fees),
    {
      isCompared: true,
      converted: ["fees_recognised_converted", "fees_recognised, converted at the same rates."],
    },
  ),
  figure(
    "realised_pnl_net_of_fees_excl_funding",
    "Net realised PnL, excl. funding",
    "gross_pnl − fees_recognised: opening fees count when the position is closed. Excludes funding.",
    ofNet,
    {
      isCompared: true,
      converted: ["net_converted", "gross_pnl_converted − fees_recognised_converted. Excludes funding."],
      parts: ["gross_pnl", "-fees_recognised"],
    },
  ),
  figure(
    "gains",
    "Gains, after fees",
    "Sum of the rows of realised-pnl.csv whose net PnL is above zero.",
    ofCloses(({ gains }) => gains),
    { converted: ["gains_converted", "Sum of the rows of realised-pnl.csv whose net_converted is above zero."] },
  ),
  figure(
    "losses",
    "Losses, after fees",
    "Sum of the rows of realised-pnl.csv whose net PnL is below zero, a negative amount. gains + losses = realised_pnl_net_of_fees_excl_funding.",
    ofCloses(({ losses }) => losses),
    { converted: ["losses_converted", "Sum of the rows of realised-pnl.csv whose net_converted is below zero."] },
  ),
  counter("gain_rows", "Rows with a gain", "Number of rows that gains adds up.", ({ gainRows }) => gainRows),
  counter("loss_rows", "Rows with a loss", "Number of rows that losses adds up.", ({ lossRows }) => lossRows),
  figure(
    "fees_paid",
    "Fees paid",
    "Fees paid on all fills in the period: the sum of fees above zero.",
    ofFills(({ feesPaid }) => feesPaid),
    { converted: ["fees_paid_converted", "fees_paid, each fee converted at the rate of its day."] },
  ),
  figure(
    "rebates",
    "Rebates",
    "Rebates received on all fills in the period: the sum of fees below zero, a negative amount.",
    ofFills(({ rebates }) => rebates),
    { converted: ["rebates_converted", "rebates, each converted at the rate of its day."] },
  ),
  figure("net_fees", "Fees less rebates", "fees_paid + rebates.", ofFees, {
    converted: ["net_fees_converted", "fees_paid_converted + rebates_converted."],
    parts: ["fees_paid", "rebates"],
  }),
  figure(
    "realised_pnl_fees_expensed_excl_funding",
    "Gross PnL less fees paid and rebates, excl. funding",
    "gross_pnl − fees_paid − rebates: fees count in the period in which they were charged. Excludes funding.",
    ofBoth(
      ofCloses(({ gross }) => gross),
      ofFees,
      (gross, fees) => gross.minus(fees),
    ),
    { parts: ["gross_pnl", "-net_fees"] },
  ),
  figure(
    "deferred_fees_at_start",
    "Fees carried, start",
    "Opening fees carried with the positions open at the start: charged earlier and not yet recognised.",
    ofCarry("start", ({ deferredFee }) => deferredFee),
    { isCarried: true },
  ),
  figure(
    "deferred_fees_at_end",
    "Fees carried, end",
    "Opening fees carried with the positions open at the end: deferred_fees_at_start + fees_paid + rebates − fees_recognised.",
    ofCarry("end", ({ deferredFee }) => deferredFee),
    { isCarried: true },
  ),
  figure(
    "open_value_at_start",
    "Open positions at cost, start",
    "Cost of the positions open at the start: long positive, short negative.",
    ofCarry("start", ({ openValue }) => openValue),
    { isCarried: true },
  ),
  figure(
    "open_value_at_end",
    "Open positions at cost, end",
    "Cost of the positions open at the end: long positive, short negative.",
    ofCarry("end", ({ openValue }) => openValue),
    { isCarried: true },
  ),
  figure(
    "funding",
    "Funding received less paid",
    "Funding payments in the user's funding.csv: positive if received. Empty without the file.",
    ofFunding,
    { converted: ["funding_converted", "funding, each payment converted at the rate of its day."] },
  ),
  figure(
    "realised_pnl_net_incl_funding",
    "Net realised PnL, incl. funding",
    "realised_pnl_net_of_fees_excl_funding + funding. Empty without the user's funding.csv, and where no PnL is known; totals include the funding of such rows, too.",
    ofBoth(ofNet, ofFunding, (net, funding) => net.plus(funding)),
    {
      isCompared: true,
      converted: ["net_incl_funding_converted", "net_converted + funding_converted."],
      parts: ["realised_pnl_net_of_fees_excl_funding", "funding"],
    },
  ),
];

export type FigureKey = (typeof FIGURES)[number]["key"];

const BY_KEY: ReadonlyMap<string, Figure> = new Map(FIGURES.map((one) => [one.key, one]));

export function figureOf(key: FigureKey): Figure {
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
