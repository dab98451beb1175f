import type { Amount } from "../../accounting/amount.ts";
import { type Booked, isBlank, type Match } from "../../accounting/booked.ts";
import { convertMatch } from "../../accounting/rates/converted.ts";
import type { Converter } from "../../accounting/rates/converter.ts";
import type { Trade } from "../../accounting/trade.ts";
import { isoTime } from "../../model/time.ts";
import { CsvMaker, type CsvRow } from "../csv-maker.ts";
import type { Column, FileMaker, PackContext } from "../maker.ts";
import { amountCell, priceCell, rowOf, sum, unitsCell, yesCell } from "./cells.ts";

const COLUMNS = [
  {
    name: "closed_at",
    kind: "time",
    required: true,
    description: "When the closing fill counts, UTC: its trade time, or its transaction's where the pack goes by that.",
  },
  { name: "account", kind: "text", required: true, description: "The label of the account in fillbook." },
  { name: "market", kind: "text", required: true, description: "Market name, <BASE>-<QUOTE>." },
  {
    name: "currency",
    kind: "text",
    required: true,
    description: "What the market is settled in, and every amount of the row but the converted ones.",
  },
  { name: "method", kind: "text", required: true, description: "How the cost of what is closed is reckoned." },
  { name: "side", kind: "text", description: "long or short: the position that is closed." },
  { name: "quantity", kind: "decimal", description: "What is closed of this lot or pool, in the base of the market." },
  {
    name: "open_price",
    kind: "decimal",
    description: "Of the lot. Under average entry open_value ÷ quantity, rounded half even to 18 places, for display.",
  },
  { name: "close_price", kind: "decimal", description: "Of the closing fill." },
  { name: "open_value", kind: "decimal", description: "What the quantity was opened for." },
  { name: "close_value", kind: "decimal", description: "quantity × close_price." },
  {
    name: "gross_pnl",
    kind: "decimal",
    description: "Of a long close_value − open_value, of a short open_value − close_value: before fees and funding.",
  },
  { name: "open_fee", kind: "decimal", description: "The part of the opening fees that goes with the quantity." },
  { name: "close_fee", kind: "decimal", description: "The part of the closing fill's fee that goes with it." },
  {
    name: "realised_pnl_net_of_fees_excl_funding",
    kind: "decimal",
    description: "gross_pnl − open_fee − close_fee. Funding is not in it.",
  },
  {
    name: "average_gross_pnl",
    kind: "decimal",
    description:
      "gross_pnl of the fill's whole closing part under average entry, on its first row only: the column adds up to what average entry realises.",
  },
  {
    name: "opened_at",
    kind: "time",
    description: "When the lot was opened, UTC; of a pool its first fill; of a declared position its date.",
  },
  {
    name: "open_match_id",
    kind: "text",
    description: "The fill that opened the lot; of a pool its first. Empty for a declared position.",
  },
  { name: "open_order_id", kind: "text", description: "Its order." },
  { name: "close_match_id", kind: "text", required: true, description: "The closing fill." },
  { name: "close_order_id", kind: "text", required: true, description: "Its order." },
  {
    name: "designated",
    kind: "text",
    description: "yes: the user's matches.csv names this lot for this close, against the order of the method.",
  },
  {
    name: "status",
    kind: "text",
    required: true,
    description:
      "known, or why PnL cannot be known: opening_unknown, quantity_known_cost_unknown, market_incomplete, unsupported_contract_type. Amounts are empty then, never 0.",
  },
  { name: "report_currency", kind: "text", description: "What the amounts that follow are converted to." },
  { name: "rate", kind: "decimal", description: "How much of it 1 unit of the row's currency is." },
  { name: "rate_date", kind: "date", description: "The date of the rate; empty for a declared par." },
  { name: "rate_source", kind: "text", description: "File and series of the rate, or the declared par." },
  { name: "gross_pnl_converted", kind: "decimal", description: "gross_pnl at the rate, rounded half even." },
  { name: "fees_converted", kind: "decimal", description: "open_fee + close_fee at the same rate, rounded half even." },
  {
    name: "net_converted",
    kind: "decimal",
    description: "gross_pnl_converted − fees_converted. Funding is not in it.",
  },
] as const satisfies readonly Column[];

type Name = (typeof COLUMNS)[number]["name"];
type Cells = Partial<Record<Name, string | null>>;

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
  const maker = new CsvMaker({
    path: "realised-pnl.csv",
    description:
      "Realised PnL, excl. funding: a row for each lot that a close was matched with under the chosen method; under average entry one for each close. A close whose PnL is not known has a row without amounts. Amounts of different currencies do not add up.",
    columns: COLUMNS,
    rowsOf: (booked) => {
      addTo(totals, booked, context.chosen);
      return rowsOf(booked, context, converter);
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
    gross: before.gross + sum(matches, ({ gross }) => gross),
    fees: before.fees + sum(matches, ({ openFee, closeFee }) => openFee + closeFee),
    averageGross: before.averageGross + realised[0].gross,
  });
}

function rowsOf(booked: Booked, context: PackContext, converter: Converter | null): CsvRow[] {
  const { trade, realised } = booked;
  if (trade === null) {
    return [];
  }
  const own = closeCells(booked, trade, context);
  if (realised === null) {
    return isBlank(booked) ? [rowOf(COLUMNS, { ...own, ...blankCells(booked, trade) })] : [];
  }
  return realised[context.chosen].matches.map((match, at) =>
    rowOf(COLUMNS, {
      ...own,
      side: trade.sign === 1n ? "short" : "long",
      ...matchCells(match, trade),
      average_gross_pnl: at === 0 ? amountCell(realised[0].gross) : null,
      status: "known",
      ...(converter === null ? {} : convertedCells(match, trade, booked.time, converter)),
    }),
  );
}

function closeCells({ fill, time }: Booked, { market, currency }: Trade, { account, method }: PackContext): Cells {
  return {
    closed_at: isoTime(time),
    account,
    market,
    currency,
    method,
    close_match_id: fill.matchId,
    close_order_id: fill.orderId,
  };
}

/** Of a position that is known without its cost, what is closed is known too. */
function blankCells({ closed, blank }: Booked, { sign, price }: Trade): Cells {
  const status = blank ?? "market_incomplete";
  return closed === 0n
    ? { status }
    : {
        status,
        side: sign === 1n ? "short" : "long",
        quantity: unitsCell(closed),
        close_price: unitsCell(price),
      };
}

function matchCells(match: Match, { price }: Trade): Cells {
  const { quantity, openValue, closeValue, gross, openFee, closeFee, opener, designated } = match;
  return {
    quantity: unitsCell(quantity),
    open_price: priceCell(openValue, quantity),
    close_price: unitsCell(price),
    open_value: amountCell(openValue),
    close_value: amountCell(closeValue),
    gross_pnl: amountCell(gross),
    open_fee: amountCell(openFee),
    close_fee: amountCell(closeFee),
    realised_pnl_net_of_fees_excl_funding: amountCell(gross - openFee - closeFee),
    opened_at: isoTime(opener.time),
    open_match_id: opener.matchId,
    open_order_id: opener.orderId,
    designated: yesCell(designated),
  };
}

function convertedCells(match: Match, { currency }: Trade, time: number, converter: Converter): Cells {
  const { gross, fees, net, rate, rateDate, source } = convertMatch(converter, match, currency, time);
  return {
    report_currency: converter.to,
    rate,
    rate_date: rateDate === "" ? null : rateDate,
    rate_source: source,
    gross_pnl_converted: amountCell(gross),
    fees_converted: amountCell(fees),
    net_converted: amountCell(net),
  };
}
