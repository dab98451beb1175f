import { blankOr, currency, decimal, id, market, nonZero, positive, price, side, text, time } from "./cells.ts";
import { ADJUSTMENTS, BALANCES, FUNDING, MARKS, MATCHES, TRANSFERS } from "./files.ts";
import { type InputTable, inputTable, type Row } from "./table.ts";

// The user's files as tables of columns. opening-positions.ts has one more.

type LineOf<T> = T extends InputTable<infer C> ? Omit<Row<C>, "where"> : never;

export const FUNDING_TABLE = inputTable({
  name: FUNDING,
  about: "payments, positive if received",
  columns: { time, market, amount: decimal, currency, source: text },
  once: ["time", "market", "amount", "currency", "source"],
});
export type FundingPayment = LineOf<typeof FUNDING_TABLE>;

export const TRANSFERS_TABLE = inputTable({
  name: TRANSFERS,
  about: "cash that you moved, positive if deposited, negative if withdrawn",
  columns: { time, currency, amount: nonZero, note: text },
  once: ["time", "currency", "amount", "note"],
});
/** Cash that came to the venue (positive) or left it; never zero. */
export type Transfer = LineOf<typeof TRANSFERS_TABLE>;

export const BALANCES_TABLE = inputTable({
  name: BALANCES,
  about: "cash according to the venue's statements, for the proof in balance.csv",
  columns: { time, currency, amount: decimal, note: text },
  once: ["currency", "time"],
});
/** The cash in a currency by a statement of the venue, without the value of open positions. */
export type StatedBalance = Omit<LineOf<typeof BALANCES_TABLE>, "line">;

export const ADJUSTMENTS_TABLE = inputTable({
  name: ADJUSTMENTS,
  about: "trades that the venue made without a fill, such as a settlement or a renaming; fee is positive if paid",
  columns: { market, time, side, quantity: positive, price, fee: decimal, note: text },
  once: ["market", "time", "side", "quantity", "price", "fee", "note"],
});
/** A trade that the user declares. It is booked like a fill. */
export type Adjustment = Row<typeof ADJUSTMENTS_TABLE.columns>;

export const MARKS_TABLE = inputTable({
  name: MARKS,
  about: "prices of the period's last day, to value open positions",
  columns: { market, time, price },
  once: ["market", "time"],
});
/** The price of one unit of a market's base at a time, in its quote currency. */
export type Mark = Omit<LineOf<typeof MARKS_TABLE>, "line">;

const openId = blankOr(id); // a declared position has none
export const MATCHES_TABLE = inputTable({
  name: MATCHES,
  about: "the lots that each closing fill closes, for the method specific",
  // biome-ignore format: one line
  columns: { close_match_id: id, close_order_id: id, open_match_id: openId, open_order_id: openId, quantity: positive },
  once: ["close_match_id", "close_order_id", "open_match_id", "open_order_id"],
});
