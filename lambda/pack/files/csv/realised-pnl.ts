import { totalOf } from "../../../accounting/aggregate.ts";
import type { Amount } from "../../../accounting/amount.ts";
import type { Booked } from "../../../accounting/booked.ts";
import { type ConvertedMatch, convertMatch } from "../../../accounting/rates/converted.ts";
import type { Converter } from "../../../accounting/rates/converter.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { type BookedColumn, BookedTableMaker } from "./booked-table.ts";
import { amountCell, yesCell } from "./cells.ts";
import { FILL_IDS, MARKET, OPENED_AT, SIDE } from "./close-columns.ts";
import { type CloseRow, closeRowsOf, quantityOf, statusOf } from "./close-rows.ts";

interface Row extends CloseRow {
  readonly converted: ConvertedMatch | null;
}

/** `to`: what amounts are converted to. */
function columnsOf({ account, method }: PackContext, to: string | null): BookedColumn<Row>[] {
  return [
    {
      name: "closed_at",
      kind: "time",
      required: true,
      description:
        "When the closing fill counts, UTC: its trade time, or its transaction's where the pack goes by that.",
      cell: ({ own }) => own.time,
    },
    {
      name: "account",
      kind: "text",
      required: true,
      description: "The label of the account in fillbook.",
      cell: () => account,
    },
    MARKET,
    {
      name: "currency",
      kind: "text",
      required: true,
      description: "What the market is settled in, and every amount of the row but the converted ones.",
      cell: ({ trade }) => trade.currency,
    },
    {
      name: "method",
      kind: "text",
      required: true,
      description: "How the cost of what is closed is reckoned.",
      cell: () => method,
    },
    SIDE,
    {
      name: "quantity",
      kind: "decimal",
      description: "What is closed of this lot or pool, in the base of the market.",
      cell: quantityOf,
    },
    {
      name: "open_price",
      kind: "decimal",
      description:
        "Of the lot. Under average entry open_value ÷ quantity, rounded half even to 18 places, for display.",
      cell: ({ match }) => match?.openPrice ?? null,
    },
    {
      name: "close_price",
      kind: "decimal",
      description: "Of the closing fill.",
      cell: (row) => (quantityOf(row) === "" ? null : row.own.price),
    },
    {
      name: "open_value",
      kind: "decimal",
      description: "What the quantity was opened for.",
      cell: ({ match }) => match?.openValue ?? null,
    },
    {
      name: "close_value",
      kind: "decimal",
      description: "quantity × close_price.",
      cell: ({ match }) => match?.closeValue ?? null,
    },
    {
      name: "gross_pnl",
      kind: "decimal",
      description: "Of a long close_value − open_value, of a short open_value − close_value: before fees and funding.",
      cell: ({ match }) => match?.gross ?? null,
    },
    {
      name: "open_fee",
      kind: "decimal",
      description: "The part of the opening fees that goes with the quantity.",
      cell: ({ match }) => match?.openFee ?? null,
    },
    {
      name: "close_fee",
      kind: "decimal",
      description: "The part of the closing fill's fee that goes with it.",
      cell: ({ match }) => match?.closeFee ?? null,
    },
    {
      name: "realised_pnl_net_of_fees_excl_funding",
      kind: "decimal",
      description: "gross_pnl − open_fee − close_fee. Funding is not in it.",
      cell: ({ match }) => match?.net ?? null,
    },
    {
      name: "average_gross_pnl",
      kind: "decimal",
      description:
        "gross_pnl of the fill's whole closing part under average entry, on its first row only: the column adds up to what average entry realises.",
      cell: ({ match, own }) => (match !== null && match === own.matches[0] ? own.averageGross : null),
    },
    OPENED_AT,
    ...FILL_IDS,
    {
      name: "designated",
      kind: "text",
      description: "yes: the user's matches.csv names this lot for this close, against the order of the method.",
      cell: ({ match }) => yesCell(match?.match.designated ?? false),
    },
    {
      name: "status",
      kind: "text",
      required: true,
      description:
        "known, or why PnL cannot be known: opening_unknown, quantity_known_cost_unknown, break_declared, market_incomplete, unsupported_contract_type. Amounts are empty then, never 0.",
      cell: statusOf,
    },
    {
      name: "report_currency",
      kind: "text",
      description: "What the amounts that follow are converted to.",
      cell: ({ converted }) => (converted === null ? null : to),
    },
    {
      name: "rate",
      kind: "decimal",
      description: "How much of it 1 unit of the row's currency is.",
      cell: ({ converted }) => converted?.rate ?? null,
    },
    {
      name: "rate_date",
      kind: "date",
      description: "The date of the rate; empty for a declared par.",
      cell: ({ converted }) => converted?.rateDate ?? null,
    },
    {
      name: "rate_source",
      kind: "text",
      description: "File and series of the rate, or the declared par.",
      cell: ({ converted }) => converted?.source ?? null,
    },
    {
      name: "gross_pnl_converted",
      kind: "decimal",
      description: "gross_pnl at the rate, rounded half even.",
      cell: ({ converted }) => amountCell(converted?.gross ?? null),
    },
    {
      name: "fees_converted",
      kind: "decimal",
      description: "open_fee + close_fee at the same rate, rounded half even.",
      cell: ({ converted }) => amountCell(converted?.fees ?? null),
    },
    {
      name: "net_converted",
      kind: "decimal",
      description: "gross_pnl_converted − fees_converted. Funding is not in it.",
      cell: ({ converted }) => amountCell(converted?.net ?? null),
    },
  ];
}

/** What the rows of one currency add up to. */
export interface RealisedTotals {
  readonly gross: Amount;
  readonly fees: Amount;
  /** Of average_gross_pnl. */
  readonly averageGross: Amount;
}

export interface RealisedPnlMaker extends FileMaker {
  /** By currency, of the rows so far. */
  readonly totals: ReadonlyMap<string, RealisedTotals>;
}

/** realised-pnl.csv: the matches of the chosen method, and what average entry makes of the same closes. */
export function realisedPnlMaker(context: PackContext, converter: Converter | null): RealisedPnlMaker {
  const totals = new Map<string, RealisedTotals>();
  const maker = new BookedTableMaker<Row>({
    path: "realised-pnl.csv",
    description:
      "Realised PnL, excl. funding: a row for each lot that a close was matched with under the chosen method; under average entry one for each close. A close whose PnL is not known has a row without amounts. Amounts of different currencies do not add up.",
    columns: columnsOf(context, converter?.to ?? null),
    *rowsOf(batch) {
      for (const own of context.textsOf(batch)) {
        addTo(totals, own.booked, context.chosen);
        for (const row of closeRowsOf(own)) {
          yield { ...row, converted: convertedOf(row, converter) };
        }
      }
    },
  });
  return Object.assign(maker, { totals });
}

function addTo(totals: Map<string, RealisedTotals>, { trade, realised }: Booked, chosen: 0 | 1): void {
  if (trade === null || realised === null) {
    return;
  }
  const { matches } = realised[chosen];
  const before = totals.get(trade.currency) ?? { gross: 0n, fees: 0n, averageGross: 0n };
  totals.set(trade.currency, {
    gross: before.gross + totalOf(matches, ({ gross }) => gross),
    fees: before.fees + totalOf(matches, ({ openFee, closeFee }) => openFee + closeFee),
    averageGross: before.averageGross + realised[0].gross,
  });
}

function convertedOf({ match, trade, own }: CloseRow, converter: Converter | null): ConvertedMatch | null {
  return match === null || converter === null
    ? null
    : convertMatch(converter, match.match, trade.currency, own.booked.time);
}
