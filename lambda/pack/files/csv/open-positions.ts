import type { OpenLot } from "../../../accounting/cost-book.ts";
import type { MarketStatement, Statement } from "../../../accounting/statement.ts";
import { magnitude } from "../../../core/decimal.ts";
import { isoTime } from "../../../core/time.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { amountCell, priceCell, sideOf, unitsCell, yesCell } from "./cells.ts";
import { type CsvColumn, decimal, required, text, time } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

interface Row {
  readonly market: MarketStatement;
  /** Null: nothing but the position, at most, is known. */
  readonly lot: OpenLot | null;
  readonly method: string | null;
  /** What is open of it, a short below zero; 0: not known, or nothing. */
  readonly signed: bigint;
}

/** `chosen`: the method. */
function columnsOf(account: string, chosen: string): CsvColumn<Row>[] {
  return [
    required(text("account", "The label of the account in fillbook.", () => account)),
    text("market", "Market name, <BASE>-<QUOTE>.", ({ market }) => market.market),
    text("currency", "What the market is settled in, and every amount of the row.", ({ market }) => market.currency),
    text(
      "method",
      "The rows of one method and market are its whole position: under average entry one pool, else a row for each lot. Empty where nothing but the position is known.",
      ({ method }) => method,
    ),
    text("chosen", "yes: the method that the pack was asked for.", ({ method }) => yesCell(method === chosen)),
    text("side", "long or short.", ({ signed }) => (signed === 0n ? null : sideOf(signed))),
    decimal("quantity", "What is open of this lot or pool, in the base of the market.", ({ signed }) =>
      signed === 0n ? null : unitsCell(magnitude(signed)),
    ),
    decimal(
      "open_price",
      "Of the lot; of the pool open_value ÷ quantity, rounded half even to 18 places, for display.",
      ({ lot }) => (lot === null ? null : priceCell(lot.value, lot.quantity)),
    ),
    decimal("open_value", "What it was opened for: not what it is worth at the end.", ({ lot }) =>
      amountCell(lot?.value ?? null),
    ),
    decimal(
      "deferred_fee",
      "The opening fees that it carries: paid, and not recognised before it is closed.",
      ({ lot }) => amountCell(lot?.fee ?? null),
    ),
    time(
      "opened_at",
      "When the lot was opened, UTC; of the pool its first fill; of a declared position its date.",
      ({ lot }) => (lot === null ? null : isoTime(lot.opener.time)),
    ),
    text(
      "open_match_id",
      "The fill that opened the lot; of the pool its first. Empty for a declared position.",
      ({ lot }) => lot?.opener.matchId ?? null,
    ),
    text("open_order_id", "Its order.", ({ lot }) => lot?.opener.orderId ?? null),
    required(
      text(
        "status",
        "known, or why the position or its cost cannot be known: opening_unknown, quantity_known_cost_unknown, break_declared, market_incomplete, unsupported_contract_type.",
        ({ market, lot }) => (lot === null ? market.after.blank : "known"),
      ),
    ),
  ];
}

/** open-positions.csv: what is open at the end of the period, under both methods. */
export function openPositionsMaker({ account, method }: PackContext): FileMaker {
  return new CsvMaker<Row>({
    path: "open-positions.csv",
    description:
      "What is open at the end of the period, at what it was opened for: no market price is in it. The same position stands once under each method: add up one method only. A market whose position or cost is not known has one row.",
    columns: columnsOf(account, method),
    rowsAtEnd: ({ statement }) => statement.markets.flatMap((market) => rowsOf(market, statement)),
  });
}

function rowsOf(market: MarketStatement, { methods }: Statement): Row[] {
  const { position, blank, lots } = market.after;
  if (blank !== null) {
    return [{ market, lot: null, method: null, signed: position ?? 0n }];
  }
  return ([0, 1] as const).flatMap((at) =>
    lots[at].map((lot) => ({ market, lot, method: methods[at], signed: lot.sign * lot.quantity })),
  );
}
