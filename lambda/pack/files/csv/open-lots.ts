import type { OpenLot } from "../../../accounting/cost-book.ts";
import { METHOD_NAMES } from "../../../accounting/method.ts";
import type { MarketStatement } from "../../../accounting/statement.ts";
import { type Amount, divide, PLACES } from "../../../core/amount.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { amount, type CsvColumn, REQUIRED, text, time } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

export interface LotRow {
  readonly market: MarketStatement;
  readonly lot: OpenLot;
}

/** open-lots.csv: the lots of the open positions by the chosen method. */
export function openLotsMaker(context: PackContext): FileMaker {
  return new CsvMaker<LotRow>({
    path: "open-lots.csv",
    description:
      "Lots of the open positions at the end of the period, at cost, by the chosen method. Under Average cost, each market has one pool. The lots add up to open-positions.csv, so use only one of the two files for totals. A market whose cost is not known has no lots.",
    columns: columnsOf(context),
    rowsAtEnd: ({ statement: { markets } }) => lotRows(markets),
  });
}

/** By the chosen method. */
export function lotRows(markets: readonly MarketStatement[]): LotRow[] {
  return markets.flatMap((market) => market.after.lots.map((lot) => ({ market, lot })));
}

/** The price of a lot. For a pool, the average opening price, rounded half even at 18 places. */
export function lotPrice({ value, quantity }: OpenLot): Amount {
  return divide(value, quantity, PLACES);
}

function columnsOf({ account, methods }: PackContext): CsvColumn<LotRow>[] {
  return [
    text("account", "Name of the account in fillbook.", () => account, REQUIRED),
    text("market", "Market name, <BASE>-<QUOTE>.", ({ market }) => market.market),
    text(
      "currency",
      "Settlement currency of the market, and currency of every amount in the row.",
      ({ market }) => market.currency,
    ),
    text("method", "The chosen cost method.", () => METHOD_NAMES[methods.primary], REQUIRED),
    text("side", "Side of the position: long or short.", ({ lot }) => (lot.sign === 1 ? "long" : "short"), REQUIRED),
    amount(
      "quantity",
      "Open quantity of the lot, in the base currency of the market.",
      ({ lot }) => lot.quantity,
      REQUIRED,
    ),
    amount(
      "open_price",
      "Opening price of the lot. For a pool: open_value ÷ quantity, rounded half even to 18 places, for display.",
      ({ lot }) => lotPrice(lot),
      REQUIRED,
    ),
    amount("open_value", "Cost of the lot. This is not its market value.", ({ lot }) => lot.value, REQUIRED),
    amount(
      "deferred_fee",
      "Opening fees carried with it: they were charged, and are recognised when it is closed.",
      ({ lot }) => lot.fee,
      REQUIRED,
    ),
    time(
      "opened_at",
      "Time at which the lot was opened, UTC. For a pool: time of its first fill. For a declared position: its as_of.",
      ({ lot }) => lot.opener.time,
      REQUIRED,
    ),
    text(
      "open_match_id",
      "match_id of the fill that opened the lot (for a pool: of its first fill). Empty for a declared position.",
      ({ lot }) => lot.opener.matchId,
    ),
    text("open_order_id", "order_id of that fill.", ({ lot }) => lot.opener.orderId),
  ];
}
