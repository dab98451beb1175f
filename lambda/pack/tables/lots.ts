import type { OpenLot } from "../../accounting/cost-book.ts";
import type { Holding } from "../../accounting/holdings.ts";
import { METHOD_NAMES } from "../../accounting/method.ts";
import { withSign } from "../../core/amount.ts";
import type { PackContext } from "../make/maker.ts";
import {
  account,
  currency,
  market,
  method,
  money,
  openerColumns,
  quantity,
  REQUIRED,
  SUMMED,
  text,
  time,
} from "./column.ts";
import { lotPrice } from "./positions.ts";
import type { SheetTable } from "./table.ts";

interface Row extends Holding {
  readonly lot: OpenLot;
}

/** open-lots.csv: the lots of the open positions by the chosen method. */
export function lotsTable({ methods }: PackContext): SheetTable<Row> {
  const name = METHOD_NAMES[methods.primary];
  return {
    path: "open-lots.csv",
    description:
      "Lots of the open positions at the end of the period, at cost, by the chosen method. Under Average cost, each market has one pool. Quantities and values of short positions are negative. The lots add up to open-positions.csv, so use only one of the two files for totals. A market whose cost is not known has no lots.",
    columns: [
      account<Row>((row) => row.account),
      market((row) => row.market),
      currency((row) => row.currency),
      method(name),
      text("side", "Side of the position: long or short.", ({ lot }) => (lot.sign === 1 ? "long" : "short"), {
        ...REQUIRED,
        width: 7,
      }),
      quantity(
        "quantity",
        "Open quantity of the lot, in the base currency of the market. Short: negative.",
        ({ lot }) => withSign(lot.sign, lot.quantity),
        REQUIRED,
      ),
      quantity(
        "open_price",
        "Opening price of the lot. For a pool: open_value ÷ quantity, rounded half even to 18 places, for display.",
        ({ lot }) => lotPrice(lot),
        REQUIRED,
      ),
      money(
        "open_value",
        "Cost of the lot: long positive, short negative. This is not its market value.",
        ({ lot }) => withSign(lot.sign, lot.value),
        { ...REQUIRED, ...SUMMED },
      ),
      money(
        ["deferred_fee", "Fees carried"],
        "Opening fees carried with it: they were charged, and are recognised when it is closed.",
        ({ lot }) => lot.fee,
        { ...REQUIRED, ...SUMMED },
      ),
      time(
        ["opened_at", "Opened"],
        "Time at which the lot was opened, UTC. For a pool: time of its first fill. For a declared position: its as_of.",
        ({ lot }) => lot.opener.time,
        REQUIRED,
      ),
      ...openerColumns<Row>(({ lot }) => lot.opener),
    ],
    sheet: {
      title: "Open lots",
      about: `Lots of the open positions, ${name}. They add up to the positions. Short lots are negative.`,
      nothing: "No position is open at the end of the period, or its cost is not known.",
      lacks: ({ end }) => ("lacks" in end ? end.lacks : []),
    },
    rows: {
      atEnd: ({ sums }) => sums.holdings.flatMap((holding) => holding.after.lots.map((lot) => ({ ...holding, lot }))),
    },
  };
}
