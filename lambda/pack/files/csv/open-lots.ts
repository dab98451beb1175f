import { divideHalfEven } from "../../../accounting/amount.ts";
import { type OpenLot, sideOf } from "../../../accounting/cost-book.ts";
import { METHOD_NAMES } from "../../../accounting/method.ts";
import type { MarketStatement } from "../../../accounting/statement.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { amount, type CsvColumn, REQUIRED, text, time, units } from "./columns.ts";
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
      "The lots of the open positions at the end of the period, by the chosen method, at cost: by Average cost one pool for each market. They add up to open-positions.csv: add up one file only. A market whose cost is not known has none.",
    columns: columnsOf(context),
    rowsAtEnd: ({ statement: { markets } }) => lotRows(markets),
  });
}

/** By the chosen method. */
export function lotRows(markets: readonly MarketStatement[]): LotRow[] {
  return markets.flatMap((market) => market.after.lots.primary.map((lot) => ({ market, lot })));
}

/** The price of a lot. For a pool, the average opening price, rounded half even at 18 places. × 10^18. */
export function lotPrice({ value, quantity }: OpenLot): bigint {
  return divideHalfEven(value, quantity);
}

function columnsOf({ account, methods }: PackContext): CsvColumn<LotRow>[] {
  return [
    text("account", "The label of the account in fillbook.", () => account, REQUIRED),
    text("market", "Market name, <BASE>-<QUOTE>.", ({ market }) => market.market),
    text("currency", "What the market is settled in, and every amount of the row.", ({ market }) => market.currency),
    text("method", "The chosen method.", () => METHOD_NAMES[methods.primary], REQUIRED),
    text("side", "long or short.", ({ lot }) => sideOf(lot.sign), REQUIRED),
    units("quantity", "What is open of the lot, in the base of the market.", ({ lot }) => lot.quantity, REQUIRED),
    units(
      "open_price",
      "Of the lot; of a pool open_value ÷ quantity, rounded half even to 18 places, for display.",
      ({ lot }) => lotPrice(lot),
      REQUIRED,
    ),
    amount("open_value", "What it was opened for: its cost, not its market value.", ({ lot }) => lot.value, REQUIRED),
    amount(
      "deferred_fee",
      "The opening fees that it carries: charged, and not recognised before it is closed.",
      ({ lot }) => lot.fee,
      REQUIRED,
    ),
    time(
      "opened_at",
      "When the lot was opened, UTC; of a pool its first fill; of a declared position its date.",
      ({ lot }) => lot.opener.time,
      REQUIRED,
    ),
    text(
      "open_match_id",
      "The fill that opened the lot; of a pool its first. Empty for a declared position.",
      ({ lot }) => lot.opener.matchId,
    ),
    text("open_order_id", "Its order.", ({ lot }) => lot.opener.orderId),
  ];
}
