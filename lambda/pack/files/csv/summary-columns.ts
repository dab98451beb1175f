import { add, isWhole, type KnownSum, less, netOf } from "../../../accounting/aggregate.ts";
import type { Result } from "../../../accounting/booked.ts";
import { METHOD_NAMES } from "../../../accounting/method.ts";
import { type ConvertedSums, sumConverted } from "../../../accounting/rates/converted.ts";
import { type Amount, ZERO } from "../../../core/amount.ts";
import type { PackContext } from "../../build/maker.ts";
import { memoizeLast } from "../../build/memoize-last.ts";
import type { Carry } from "./borders.ts";
import { amount, type CsvColumn, integer, methodPrefix, REQUIRED, text } from "./columns.ts";
import type { SummaryLine } from "./summary-lines.ts";

/** A row of a summary file. */
export interface SummaryRow {
  readonly line: SummaryLine;
  readonly sums: KnownSum;
  /** Under the method for comparison. */
  readonly compared: Result;
}

type Row = SummaryRow;

/**
 * The columns of every summary file: by the chosen method, then converted. `currency`: that of the report.
 */
export function summaryColumns({ methods, funding }: PackContext, currency: string | null): CsvColumn<Row>[] {
  return [
    text("method", "The chosen cost method.", () => METHOD_NAMES[methods.primary], REQUIRED),
    integer(
      "fills",
      "Number of fills, including those that cannot be read as a trade.",
      ({ sums }) => sums.fills,
      REQUIRED,
    ),
    amount("volume", "Sum of price × quantity.", ({ sums }) => sums.volume),
    integer(
      "closes",
      "Number of fills that closed a position or part of one, and whose PnL is known.",
      ({ sums }) => sums.closes,
      REQUIRED,
    ),
    integer(
      "closes_with_unknown_pnl",
      "Number of fills that closed, or may have closed, a position, and whose PnL could not be calculated. Totals exclude them.",
      ({ sums }) => sums.blankCloses,
      REQUIRED,
    ),
    amount(
      "gross_pnl",
      "Realised PnL before fees and funding, for closing fills whose PnL is known. Empty if none is known.",
      ({ sums }) => sums.gross,
    ),
    amount(
      "fees_recognised",
      "Fees on closed positions: closing fees plus the matching share of the opening fees.",
      ({ sums }) => sums.fees,
    ),
    amount(
      "realised_pnl_net_of_fees_excl_funding",
      "gross_pnl − fees_recognised: opening fees count when the position is closed. Excludes funding.",
      ({ sums }) => sums.net,
    ),
    amount(
      "fees_paid",
      "Fees paid on all fills in the period: the sum of fees above zero.",
      ({ sums }) => sums.feesPaid,
    ),
    amount(
      "rebates",
      "Rebates received on all fills in the period: the sum of fees below zero, a negative amount.",
      ({ sums }) => sums.rebates,
    ),
    amount(
      "realised_pnl_fees_expensed_excl_funding",
      "gross_pnl − fees_paid − rebates: fees count in the period in which they were charged. Excludes funding.",
      ({ sums }) => less(less(sums.gross, sums.feesPaid), sums.rebates),
    ),
    amount(
      "deferred_fees_at_start",
      "Opening fees carried with the positions open at the start: charged earlier and not yet recognised.",
      carried(0, "deferredFee"),
    ),
    amount(
      "deferred_fees_at_end",
      "Opening fees carried with the positions open at the end: deferred_fees_at_start + fees_paid + rebates − fees_recognised.",
      carried(1, "deferredFee"),
    ),
    amount(
      "open_value_at_start",
      "Cost of the positions open at the start: long positive, short negative.",
      carried(0, "openValue"),
    ),
    amount(
      "open_value_at_end",
      "Cost of the positions open at the end: long positive, short negative.",
      carried(1, "openValue"),
    ),
    amount(
      "funding",
      "Funding payments in the user's funding.csv: positive if received. Empty without the file.",
      ({ sums }) => sums.funding,
    ),
    amount(
      "realised_pnl_net_incl_funding",
      "realised_pnl_net_of_fees_excl_funding + funding. Empty without the user's funding.csv.",
      ({ sums }) => add(sums.net, sums.funding),
    ),
    text(
      "is_complete",
      "yes, or no: fills are missing (a declared break), or a PnL or an amount carried at the start or the end is not known; exceptions.csv says why.",
      ({ line }) => (line.marketMonths.every(isWhole) && line.carried.every((carry) => carry !== null) ? "yes" : "no"),
      REQUIRED,
    ),
    ...(currency === null ? [] : convertedColumns(currency, funding !== null)),
  ];
}

function carried(at: 0 | 1, figure: keyof Carry): (row: Row) => Amount | undefined {
  return ({ line }) => line.carried[at]?.[figure];
}

/** The totals under the method for comparison. Empty where those of the chosen method are. */
export function comparedColumns({ methods }: PackContext): CsvColumn<Row>[] {
  const prefix = methodPrefix(methods.reference);
  const by = `By ${METHOD_NAMES[methods.reference]}, for comparison.`;
  const known = (of: (result: Result) => Amount) => (row: Row) => (row.sums.net === null ? null : of(row.compared));
  return [
    amount(
      `${prefix}gross_pnl`,
      `gross_pnl. ${by}`,
      known(({ gross }) => gross),
    ),
    amount(
      `${prefix}fees_recognised`,
      `fees_recognised. ${by}`,
      known(({ fees }) => fees),
    ),
    amount(
      `${prefix}realised_pnl_net_of_fees_excl_funding`,
      `${prefix}gross_pnl − ${prefix}fees_recognised. ${by}`,
      known(netOf),
    ),
  ];
}

/** Sums of lines, each converted at the rate of its own day. */
function convertedColumns(currency: string, hasFunding: boolean): CsvColumn<Row>[] {
  const sumsOf = memoizeLast(({ line }: Row) => sumConverted(line.converted));
  /** Empty if the unconverted amount `known` is empty. */
  const converted = (
    name: string,
    description: string,
    known: (row: Row) => Amount | null,
    value: (sums: ConvertedSums) => Amount | null,
  ) => amount<Row>(name, description, (row) => (known(row) === null ? null : (value(sumsOf(row)) ?? ZERO)));
  const net = ({ sums }: Row) => sums.net;
  const fundingColumns = [
    converted(
      "funding_converted",
      "funding, each payment converted at the rate of its day.",
      ({ sums }) => sums.funding,
      (sums) => sums.funding,
    ),
    converted("net_incl_funding_converted", "net_converted + funding_converted.", net, (sums) =>
      sums.net.plus(sums.funding ?? ZERO),
    ),
  ];
  return [
    text("report_currency", "Currency of the converted amounts in the columns that follow.", () => currency, REQUIRED),
    converted(
      "gross_pnl_converted",
      "gross_pnl, each close converted at the rate of its day, as in realised-pnl.csv.",
      ({ sums }) => sums.gross,
      ({ gross }) => gross,
    ),
    converted(
      "fees_recognised_converted",
      "fees_recognised, converted at the same rates.",
      ({ sums }) => sums.fees,
      ({ fees }) => fees,
    ),
    converted(
      "net_converted",
      "gross_pnl_converted − fees_recognised_converted. Excludes funding.",
      net,
      (sums) => sums.net,
    ),
    converted(
      "fees_paid_converted",
      "fees_paid, each fee converted at the rate of its day.",
      ({ sums }) => sums.feesPaid,
      ({ feesPaid }) => feesPaid,
    ),
    converted(
      "rebates_converted",
      "rebates, each converted at the rate of its day.",
      ({ sums }) => sums.rebates,
      ({ rebates }) => rebates,
    ),
    ...(hasFunding ? fundingColumns : []),
  ];
}
