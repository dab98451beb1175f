import type { RoundTrip } from "../../accounting/booked.ts";
import { figureOf } from "../../accounting/cube/figures.ts";
import { lacksOf } from "../../accounting/cube/scopes.ts";
import type { ConvertedResult } from "../../accounting/posted.ts";
import { ZERO } from "../../core/amount.ts";
import type { PackContext } from "../make/maker.ts";
import {
  account,
  convertedColumns,
  count,
  currency,
  idColumns,
  market,
  money,
  quantity,
  REQUIRED,
  SUMMED,
  text,
  time,
} from "./column.ts";
import type { Column, SheetTable } from "./table.ts";

/** A closed trade of an account. */
export interface Ended {
  readonly account: string;
  readonly trip: RoundTrip;
  readonly convertedTrip: ConvertedResult | null;
}

/** closed-trades.csv: positions from flat to flat that ended in the period. */
export function tradesTable({ converter }: PackContext): SheetTable<Ended> {
  /** The currencies with trades whose beginning is not known. */
  const unlisted = new Set<string | null>();
  return {
    path: "closed-trades.csv",
    description:
      "Closed trades, excluding funding. A closed trade runs from a flat position back to flat. The file lists every trade that ended in the period, whenever it began, so the rows do not add up to the realised PnL of the period. Trades whose beginning is not known are not listed.",
    columns: [
      ...COLUMNS,
      ...(converter === null
        ? []
        : convertedColumns<Ended>(converter.to, ({ convertedTrip }) => convertedTrip, {
            when: "closed_at",
            fees: "fees",
          })),
      ...IDS,
    ],
    keys: ["last_match_id", "last_order_id"],
    sheet: {
      title: "Closed trades",
      about:
        "A closed trade runs from a flat position back to flat. The sheet lists every trade that ended in the period, whenever it began.",
      nothing: "No trade was closed in the period.",
      lacks: ({ cell }) => [...lacksOf(cell), ...(unlisted.has(cell.currency) ? ["beginning"] : [])],
    },
    rows: {
      each: (batch) =>
        batch.flatMap(({ trip, ...own }) => {
          if (trip === null && own.trade !== null && own.closed.gt(ZERO) && own.before?.abs().eq(own.closed)) {
            unlisted.add(own.trade.currency);
          }
          return trip === null ? [] : [{ ...own, trip }];
        }),
    },
  };
}

const COLUMNS: readonly Column<Ended>[] = [
  time(
    ["opened_at", "Opened"],
    "Time of the trade's first fill, UTC (filled_at or tx_created, by the cut-off of the pack).",
    ({ trip }) => trip.openedAt,
    REQUIRED,
  ),
  time(
    ["closed_at", "Closed"],
    "Time of the trade's last fill, UTC, by the same cut-off.",
    ({ trip }) => trip.closedAt,
    REQUIRED,
  ),
  account((row) => row.account),
  market(({ trip }) => trip.market, REQUIRED),
  currency(({ trip }) => trip.currency, REQUIRED),
  text("side", "Side of the position: long or short.", ({ trip }) => trip.side, { ...REQUIRED, width: 7 }),
  count(
    "fills",
    "Number of fills in the trade. A fill that turns a long position short, or the reverse, belongs to two trades.",
    ({ trip }) => trip.fills,
    REQUIRED,
  ),
  count("declared_trades", figureOf("declared_trades").meaning, ({ trip }) => trip.declared, REQUIRED),
  quantity("largest_position", "Largest position held during the trade.", ({ trip }) => trip.most, REQUIRED),
  quantity(
    "quantity",
    "Total quantity opened, which equals the total quantity closed.",
    ({ trip }) => trip.quantity,
    REQUIRED,
  ),
  money(
    "open_value",
    "Value at which the position was opened: quantity × price of the opening fills.",
    ({ trip }) => trip.openValue,
    REQUIRED,
  ),
  money(
    "close_value",
    "Value at which the position was closed: quantity × price of the closing fills.",
    ({ trip }) => trip.closeValue,
    REQUIRED,
  ),
  money(
    "gross_pnl",
    "Long: close_value − open_value. Short: open_value − close_value. The same under every method.",
    ({ trip }) => trip.gross,
    { ...REQUIRED, ...SUMMED },
  ),
  money(
    "fees",
    "Fees of the fills, or parts of fills, that belong to the trade. A rebate is negative.",
    ({ trip }) => trip.fees,
    { ...REQUIRED, ...SUMMED },
  ),
  money(
    ["net_excl_funding", figureOf("realised_pnl_net_of_fees_excl_funding").name],
    "gross_pnl − fees. Excludes funding.",
    ({ trip }) => trip.net,
    {
      ...REQUIRED,
      ...SUMMED,
    },
  ),
];

const IDS: readonly Column<Ended>[] = (["first", "last"] as const).flatMap((which) => {
  const head = which === "first" ? "First" : "Last";
  const meanings = [`match_id of the ${which} fill.`, `order_id of the ${which} fill.`] as const;
  return idColumns<Ended>([which, head], meanings, ({ trip }) => trip[which], REQUIRED);
});
