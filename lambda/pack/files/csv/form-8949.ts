import { localDays } from "../../../core/local-day.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import {
  type CloseRow,
  closedSideOf,
  closeRowsOf,
  FILL_IDS,
  MARKET,
  OPENED_AT,
  quantityOf,
  SIDE,
  statusColumn,
} from "./closes.ts";
import { type CsvColumn, date, decimal, REQUIRED, text, timeText } from "./columns.ts";
import { CsvMaker } from "./csv-maker.ts";

function columnsOf({ period, methods }: PackContext): CsvColumn<CloseRow>[] {
  const closingDay = localDays(period.zone);
  const openingDay = localDays(period.zone); // of its own, since each is fast for times that come in order
  const closed = ({ own }: CloseRow) => closingDay(own.booked.time);
  const acquired = (row: CloseRow): string | null => {
    const { match, trade } = row;
    if (match === null || trade.sign === 1n) {
      return match === null ? null : closed(row);
    }
    const { opener } = match.match;
    return opener.matchId === null || methods.primary === "average" ? null : openingDay(opener.time);
  };
  return [
    text(
      "description_of_property",
      "Column (a): what was closed, and whether it was long or short.",
      propertyOf,
      REQUIRED,
    ),
    date(
      "date_acquired",
      "Column (b), as a day of the pack's zone. Of a short the day of the closing buy. Empty where it is not known (a declared opening position), and for a long under average entry, whose pool has no day of its own.",
      acquired,
    ),
    date(
      "date_sold_or_disposed",
      "Column (c), as a day of the pack's zone. Of a short the day on which it was closed.",
      closed,
      REQUIRED,
    ),
    decimal(
      "proceeds",
      "Column (d): of a long what it was closed for, of a short what it was opened for.",
      ({ match, trade }) => (trade.sign === 1n ? match?.openValue : match?.closeValue),
    ),
    decimal(
      "cost_or_other_basis",
      "Column (e): of a long what it was opened for, of a short what it was closed for.",
      ({ match, trade }) => (trade.sign === 1n ? match?.closeValue : match?.openValue),
    ),
    text("code", "Column (f): always empty, for the preparer.", () => null),
    decimal("adjustment", "Column (g): always empty, for the preparer.", () => null),
    decimal(
      "gain_or_loss",
      "Column (h): proceeds − cost_or_other_basis, before fees and funding.",
      ({ match }) => match?.gross,
    ),
    decimal(
      "fees",
      "Opening and closing fees that go with it; negative: a rebate. They are in none of the columns before.",
      ({ match }) => match?.fees,
    ),
    decimal(
      "gain_or_loss_net_of_fees_excl_funding",
      "gain_or_loss − fees. Funding is not in it.",
      ({ match }) => match?.net,
    ),
    text(
      "currency",
      "What the market is settled in, and every amount of the row: nothing is converted here.",
      ({ trade }) => trade.currency,
      REQUIRED,
    ),
    MARKET,
    SIDE,
    decimal("quantity", "What is closed, in the base of the market.", quantityOf),
    OPENED_AT,
    timeText("closed_at", "When the closing fill counts, UTC.", ({ own }) => own.time, REQUIRED),
    ...FILL_IDS,
    statusColumn("the gain"),
  ];
}

function propertyOf(row: CloseRow): string {
  const { market } = row.trade;
  const quantity = quantityOf(row);
  return quantity === "" ? `${market} perpetual` : `${quantity} ${market} perpetual, ${closedSideOf(row)}`;
}

/**
 * form-8949.csv: the matches of the chosen method in the columns of the United States' Form 8949. The dates of a short are those of its closing, as the
 * form's instructions have it: acquired is what closes it, sold is when it is delivered.
 */
export function form8949Maker(context: PackContext): FileMaker {
  return new CsvMaker<CloseRow>({
    path: "form-8949.csv",
    description:
      "A list in the columns of the United States' Form 8949, a row for each match of the chosen method. It is a list, not a tax treatment: whether perpetual futures belong on this form, under which box, and whether fees belong into the basis, is the preparer's to decide; box, code and adjustment are left open.",
    columns: columnsOf(context),
    rowsOf: (batch) => closeRowsOf(batch, context),
  });
}
