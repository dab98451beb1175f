import { add, isWhole, knownSumOf, less } from "../../../accounting/aggregate.ts";
import { shownOrder } from "../../../accounting/method.ts";
import type { Statement } from "../../../accounting/statement.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import type { Carry } from "./borders.ts";
import { amount, type CsvColumn, integer, REQUIRED, text, yes } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";
import { type SummaryLine, summaryLines } from "./summary-lines.ts";

/** A line under one method. */
interface Row {
  readonly line: SummaryLine;
  readonly method: string;
  readonly isChosen: boolean;
  readonly sums: KnownSum;
  readonly result: KnownSum["results"]["primary"];
  /** What is carried over the borders; null: not known. */
  readonly start: Carry | null;
  readonly end: Carry | null;
}

type KnownSum = ReturnType<typeof knownSumOf>;

const COLUMNS: readonly CsvColumn<Row>[] = [
  text(
    "scope",
    "What the row adds up: total (of a currency), month, market, or month_market. Rows of one scope, currency and method add up to its total.",
    ({ line }) => line.scope,
    REQUIRED,
  ),
  text("month", "2025-03, of the period's zone, as far as the period reaches.", ({ line }) => line.month),
  text("market", "Market name, <BASE>-<QUOTE>.", ({ line }) => line.market),
  text("currency", "Of every amount of the row. No row adds two currencies.", ({ line }) => line.currency),
  text(
    "method",
    "Each scope stands once for each of the two methods, side by side: never add them up.",
    ({ method }) => method,
    REQUIRED,
  ),
  yes("chosen", "yes: the method that the pack was asked for.", ({ isChosen }) => isChosen),
  integer("fills", "Fills, also those that cannot be reckoned with.", ({ sums }) => sums.fills, REQUIRED),
  amount("volume", "Σ price × quantity.", ({ sums }) => sums.volume),
  integer("closes", "Fills that closed something, whose PnL is known.", ({ sums }) => sums.closes, REQUIRED),
  integer(
    "closes_with_unknown_pnl",
    "Fills that closed something, or may have, whose PnL is not known: it is in no amount.",
    ({ sums }) => sums.blankCloses,
    REQUIRED,
  ),
  amount(
    "gross_pnl",
    "Realised, before fees and funding. Of the closes that are known; empty when none of them is.",
    ({ result }) => result.gross,
  ),
  amount(
    "fees_recognised",
    "Fees of what was closed: of the closing fills, and the opening fees that it carried.",
    ({ result }) => result.fees,
  ),
  amount(
    "realised_pnl_net_of_fees_excl_funding",
    "gross_pnl − fees_recognised: fees are carried with the position. Funding is not in it.",
    ({ result }) => result.net,
  ),
  amount("fees_paid", "Fees above zero of all fills, when they happened.", ({ sums }) => sums.feesPaid),
  amount("rebates", "Fees below zero of all fills: a negative amount.", ({ sums }) => sums.rebates),
  amount(
    "realised_pnl_fees_expensed_excl_funding",
    "gross_pnl − fees_paid − rebates: fees count when they are paid. Funding is not in it.",
    ({ result, sums }) => less(less(result.gross, sums.feesPaid), sums.rebates),
  ),
  amount(
    "deferred_fees_at_start",
    "Opening fees of what was open at the beginning: paid before, and not recognised then.",
    ({ start }) => start?.deferredFee,
  ),
  amount(
    "deferred_fees_at_end",
    "The same at the end: deferred_fees_at_start + fees_paid + rebates − fees_recognised.",
    ({ end }) => end?.deferredFee,
  ),
  amount(
    "open_value_at_start",
    "What was open at the beginning was opened for it: a long counts positive, a short negative.",
    ({ start }) => start?.openValue,
  ),
  amount("open_value_at_end", "The same at the end.", ({ end }) => end?.openValue),
  amount("funding", "Of the user's funding.csv: positive when received. Empty without it.", ({ sums }) => sums.funding),
  amount(
    "realised_pnl_net_incl_funding",
    "realised_pnl_net_of_fees_excl_funding + funding. Empty without the user's funding.csv.",
    ({ result, sums }) => add(result.net, sums.funding),
  ),
  text(
    "is_complete",
    "no: fills are missing (a break that the user declares), or some PnL, or what is carried over a border, is not known: exceptions.csv says why.",
    ({ line, start, end }) => (line.marketMonths.every(isWhole) && start !== null && end !== null ? "yes" : "no"),
    REQUIRED,
  ),
];

/** summary.csv: the sums of the period. */
export function summaryMaker({ funding }: PackContext): FileMaker {
  return new CsvMaker<Row>({
    path: "summary.csv",
    description:
      "Sums of the period by currency, month and market, under both methods side by side, excl. funding but for the columns that say otherwise. An amount that is not known is empty, never 0.",
    columns: COLUMNS,
    rowsAtEnd: ({ statement }) => summaryLines(statement).flatMap((line) => rowsOf(line, statement, funding !== null)),
  });
}

function rowsOf(line: SummaryLine, { methods }: Statement, hasFunding: boolean): Row[] {
  const sums = knownSumOf(line.marketMonths, hasFunding);
  return shownOrder(methods).map((role) => {
    const [start, end] = line.carried[role];
    const isChosen = role === "primary";
    return { line, method: methods[role], isChosen, sums, result: sums.results[role], start, end };
  });
}
