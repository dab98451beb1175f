import { add, isWhole, knownSumOf, less } from "../../../accounting/aggregate.ts";
import type { Statement } from "../../../accounting/statement.ts";
import type { Column, FileMaker, PackContext } from "../../build/maker.ts";
import type { CsvRow } from "./cells.ts";
import { amountCell, rowOf, yesCell } from "./cells.ts";
import { CsvMaker } from "./csv-maker.ts";
import { type SummaryLine, summaryLines } from "./summary-lines.ts";

const COLUMNS = [
  {
    name: "scope",
    kind: "text",
    required: true,
    description:
      "What the row adds up: total (of a currency), month, market, or month_market. Rows of one scope, currency and method add up to its total.",
  },
  { name: "month", kind: "text", description: "2025-03, of the period's zone, as far as the period reaches." },
  { name: "market", kind: "text", description: "Market name, <BASE>-<QUOTE>." },
  { name: "currency", kind: "text", description: "Of every amount of the row. No row adds two currencies." },
  {
    name: "method",
    kind: "text",
    required: true,
    description: "Each scope stands once for each of the two methods, side by side: never add them up.",
  },
  { name: "chosen", kind: "text", description: "yes: the method that the pack was asked for." },
  { name: "fills", kind: "integer", required: true, description: "Fills, also those that cannot be reckoned with." },
  { name: "volume", kind: "decimal", description: "Σ price × quantity." },
  { name: "closes", kind: "integer", required: true, description: "Fills that closed something, whose PnL is known." },
  {
    name: "closes_with_unknown_pnl",
    kind: "integer",
    required: true,
    description: "Fills that closed something, or may have, whose PnL is not known: it is in no amount.",
  },
  {
    name: "gross_pnl",
    kind: "decimal",
    description: "Realised, before fees and funding. Of the closes that are known; empty when none of them is.",
  },
  {
    name: "fees_recognised",
    kind: "decimal",
    description: "Fees of what was closed: of the closing fills, and the opening fees that it carried.",
  },
  {
    name: "realised_pnl_net_of_fees_excl_funding",
    kind: "decimal",
    description: "gross_pnl − fees_recognised: fees are carried with the position. Funding is not in it.",
  },
  { name: "fees_paid", kind: "decimal", description: "Fees above zero of all fills, when they happened." },
  { name: "rebates", kind: "decimal", description: "Fees below zero of all fills: a negative amount." },
  {
    name: "realised_pnl_fees_expensed_excl_funding",
    kind: "decimal",
    description: "gross_pnl − fees_paid − rebates: fees count when they are paid. Funding is not in it.",
  },
  {
    name: "deferred_fees_at_start",
    kind: "decimal",
    description: "Opening fees of what was open at the beginning: paid before, and not recognised then.",
  },
  {
    name: "deferred_fees_at_end",
    kind: "decimal",
    description: "The same at the end: deferred_fees_at_start + fees_paid + rebates − fees_recognised.",
  },
  {
    name: "open_value_at_start",
    kind: "decimal",
    description: "What was open at the beginning was opened for it: a long counts positive, a short negative.",
  },
  { name: "open_value_at_end", kind: "decimal", description: "The same at the end." },
  {
    name: "funding",
    kind: "decimal",
    description: "Of the user's funding.csv: positive when received. Empty without it.",
  },
  {
    name: "realised_pnl_net_incl_funding",
    kind: "decimal",
    description: "realised_pnl_net_of_fees_excl_funding + funding. Empty without the user's funding.csv.",
  },
  {
    name: "is_complete",
    kind: "text",
    required: true,
    description:
      "no: fills are missing (a break that the user declares), or some PnL, or what is carried over a border, is not known: exceptions.csv says why.",
  },
] as const satisfies readonly Column[];

/** summary.csv: the sums of the period. */
export function summaryMaker({ funding }: PackContext): FileMaker {
  return new CsvMaker({
    path: "summary.csv",
    description:
      "Sums of the period by currency, month and market, under both methods side by side, excl. funding but for the columns that say otherwise. An amount that is not known is empty, never 0.",
    columns: COLUMNS,
    rowsAtEnd: ({ statement }) =>
      summaryLines(statement).flatMap((line) =>
        ([0, 1] as const).map((method) => rowOfLine(line, method, { statement, hasFunding: funding !== null })),
      ),
  });
}

interface Given {
  readonly statement: Statement;
  /** The user gave a file of it. */
  readonly hasFunding: boolean;
}

function rowOfLine(line: SummaryLine, method: 0 | 1, { statement, hasFunding }: Given): CsvRow {
  const { methods, chosen } = statement;
  const { scope, month, market, currency, cells, carried } = line;
  const { fills, volume, feesPaid, rebates, closes, blankCloses, results, funding } = knownSumOf(cells, hasFunding);
  const [start, end] = carried[method];
  const { gross, fees, net } = results[method];
  return rowOf(COLUMNS, {
    scope,
    month,
    market,
    currency,
    method: methods[method],
    chosen: yesCell(method === chosen),
    fills: String(fills),
    volume: amountCell(volume),
    closes: String(closes),
    closes_with_unknown_pnl: String(blankCloses),
    gross_pnl: amountCell(gross),
    fees_recognised: amountCell(fees),
    realised_pnl_net_of_fees_excl_funding: amountCell(net),
    fees_paid: amountCell(feesPaid),
    rebates: amountCell(rebates),
    realised_pnl_fees_expensed_excl_funding: amountCell(less(less(gross, feesPaid), rebates)),
    deferred_fees_at_start: amountCell(start?.deferredFee ?? null),
    deferred_fees_at_end: amountCell(end?.deferredFee ?? null),
    open_value_at_start: amountCell(start?.openValue ?? null),
    open_value_at_end: amountCell(end?.openValue ?? null),
    funding: amountCell(funding),
    realised_pnl_net_incl_funding: amountCell(add(net, funding)),
    is_complete: cells.every(isWhole) && start !== null && end !== null ? "yes" : "no",
  });
}
