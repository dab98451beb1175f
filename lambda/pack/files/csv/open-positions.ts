import { divideHalfEven } from "../../../accounting/amount.ts";
import { type OpenLot, sideOf } from "../../../accounting/cost-book.ts";
import { type MethodRole, shownOrder } from "../../../accounting/method.ts";
import type { MarketStatement, Statement } from "../../../accounting/statement.ts";
import { magnitude } from "../../../core/decimal.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { amount, type CsvColumn, REQUIRED, text, time, units, yes } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

/** A lot that is open at the end; of a market of which nothing but the position, at most, is known, `lot` and `role` are null. */
export interface PositionRow {
  readonly market: MarketStatement;
  readonly lot: OpenLot | null;
  readonly role: MethodRole | null;
  /** What is open of it, a short below zero; null: not known. */
  readonly signed: bigint | null;
}

function columnsOf({ account, methods }: PackContext): CsvColumn<PositionRow>[] {
  return [
    text("account", "The label of the account in fillbook.", () => account, REQUIRED),
    text("market", "Market name, <BASE>-<QUOTE>.", ({ market }) => market.market),
    text("currency", "What the market is settled in, and every amount of the row.", ({ market }) => market.currency),
    text(
      "method",
      "The rows of one method and market are its whole position: under average entry one pool, else a row for each lot. Empty where nothing but the position is known.",
      ({ role }) => (role === null ? null : methods[role]),
    ),
    yes("chosen", "yes: the method that the pack was asked for.", ({ role }) => role === "primary"),
    text("side", "long or short.", ({ signed }) => (isOpen(signed) ? sideOf(signed) : null)),
    units("quantity", "What is open of this lot or pool, in the base of the market.", ({ signed }) =>
      isOpen(signed) ? magnitude(signed) : null,
    ),
    units(
      "open_price",
      "Of the lot; of the pool open_value ÷ quantity, rounded half even to 18 places, for display.",
      ({ lot }) => (lot === null ? null : divideHalfEven(lot.value, lot.quantity)),
    ),
    amount("open_value", "What it was opened for: not what it is worth at the end.", ({ lot }) => lot?.value),
    amount(
      "deferred_fee",
      "The opening fees that it carries: paid, and not recognised before it is closed.",
      ({ lot }) => lot?.fee,
    ),
    time(
      "opened_at",
      "When the lot was opened, UTC; of the pool its first fill; of a declared position its date.",
      ({ lot }) => lot?.opener.time,
    ),
    text(
      "open_match_id",
      "The fill that opened the lot; of the pool its first. Empty for a declared position.",
      ({ lot }) => lot?.opener.matchId,
    ),
    text("open_order_id", "Its order.", ({ lot }) => lot?.opener.orderId),
    text(
      "status",
      "known, or why the position or its cost cannot be known: opening_unknown, quantity_known_cost_unknown, break_declared, market_incomplete, unsupported_contract_type.",
      ({ market, lot }) => (lot === null ? market.after.blank : "known"),
      REQUIRED,
    ),
  ];
}

/** open-positions.csv: what is open at the end of the period, under both methods. */
export function openPositionsMaker(context: PackContext): FileMaker {
  return new CsvMaker<PositionRow>({
    path: "open-positions.csv",
    description:
      "What is open at the end of the period, at what it was opened for: no market price is in it. The same position stands once under each method: add up one method only. A market whose position or cost is not known has one row.",
    columns: columnsOf(context),
    rowsAtEnd: ({ statement }) => positionRows(statement),
  });
}

export function positionRows({ markets, methods }: Statement): PositionRow[] {
  return markets.flatMap((market): PositionRow[] => {
    const { position, blank, lots } = market.after;
    if (blank !== null) {
      return [{ market, lot: null, role: null, signed: position }];
    }
    return shownOrder(methods).flatMap((role) =>
      lots[role].map((lot) => ({ market, lot, role, signed: lot.sign * lot.quantity })),
    );
  });
}

function isOpen(signed: bigint | null): signed is bigint {
  return signed !== null && signed !== 0n;
}
