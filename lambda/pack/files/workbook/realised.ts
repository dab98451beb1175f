import type { Match } from "../../../accounting/booked.ts";
import { convertMatch } from "../../../accounting/rates/converted.ts";
import type { Converter } from "../../../accounting/rates/converter.ts";
import type { Amount } from "../../../core/amount.ts";
import type { PackContext } from "../../build/maker.ts";
import { type CloseRow, closedSideOf } from "../csv/closes.ts";
import { convertedHead, currencyName, marketName, methodNames } from "./labels.ts";
import {
  amountColumn,
  currencyColumn,
  MATCH_ID_WIDTH,
  ORDER_ID_WIDTH,
  type SheetColumn,
  summedColumn,
  TableWriter,
  textColumn,
} from "./table.ts";

/** A workbook with four ids in each row is slow to make and to open. */
const MOST_ROWS = 50_000;

/** Each close, in as many rows as in realised-pnl.csv. `converter`: null if nothing is converted. */
export function realisedTable(context: PackContext, converter: Converter | null): TableWriter<CloseRow> {
  const { zone } = context.period;
  return new TableWriter<CloseRow>(context, {
    name: "Realised",
    about: `Each closing fill by ${methodNames(context).primary}, with the lot or pool that it closed.`,
    columns: [
      { head: `Closed (${zone})`, width: 20, kind: "number", value: ({ own }) => ({ ms: own.booked.time }) },
      textColumn("Market", 16, ({ trade }) => marketName(trade.market)),
      currencyColumn(({ trade }) => currencyName(trade.currency)),
      textColumn("Side", 7, (row) => (quantityOf(row).isZero() ? "" : closedSideOf(row))),
      amountColumn("Quantity", (row) => (quantityOf(row).isZero() ? null : { quantity: quantityOf(row) })),
      ofMatch("Open value", ({ openValue }) => openValue),
      ofMatch("Close value", ({ closeValue }) => closeValue),
      { ...ofMatch("Gross PnL", ({ gross }) => gross), isSummed: true },
      { ...ofMatch("Fees on closed positions", ({ openFee, closeFee }) => openFee.plus(closeFee)), isSummed: true },
      {
        ...ofMatch("Net PnL excl. funding", ({ gross, openFee, closeFee }) => gross.minus(openFee).minus(closeFee)),
        isSummed: true,
      },
      ...(converter === null ? [] : [convertedColumn(converter)]),
      {
        head: `Opened (${zone})`,
        width: 20,
        kind: "number",
        value: ({ match }) => (match === null ? null : { ms: match.match.opener.time }),
      },
      textColumn("Closing match_id", MATCH_ID_WIDTH, ({ own }) => own.booked.fill.matchId),
      textColumn("Closing order_id", ORDER_ID_WIDTH, ({ own }) => own.booked.fill.orderId),
      textColumn("Opening match_id", MATCH_ID_WIDTH, ({ match }) => match?.match.opener.matchId ?? null),
      textColumn("Opening order_id", ORDER_ID_WIDTH, ({ match }) => match?.match.opener.orderId ?? null),
      { head: "Note", width: 48, kind: "note", value: noteOf },
    ],
    groupedBy: ["currency"],
    nothing: "Nothing was closed in the period.",
    file: "realised-pnl.csv",
    mostRows: MOST_ROWS,
  });
}

function ofMatch(head: string, value: (match: Match) => Amount): SheetColumn<CloseRow> {
  return amountColumn(head, ({ match }) => (match === null ? null : value(match.match)));
}

function convertedColumn(converter: Converter): SheetColumn<CloseRow> {
  return summedColumn(convertedHead("Net PnL excl. funding", converter.to), ({ match, trade, own }) =>
    match === null ? null : convertMatch(converter, match.match, trade.currency, own.booked.time).net,
  );
}

/** 0: not known. */
function quantityOf({ match, own }: CloseRow): Amount {
  return match?.match.quantity ?? own.booked.closed;
}

function noteOf({ match, own }: CloseRow): string {
  if (match === null) {
    return `PnL not known: ${own.booked.blank ?? "market_incomplete"}`;
  }
  return match.match.opener.matchId === null ? "Opened before: declared in opening-positions.csv" : "";
}
