import { localDays } from "../../../core/local-day.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { type BookedColumn, BookedTableMaker } from "./booked-table.ts";
import { FILL_IDS, MARKET, OPENED_AT, SIDE } from "./close-columns.ts";
import { type CloseRow, closeRowsOf, quantityOf, sideOf, statusOf } from "./close-rows.ts";

/** `day`: on which it was closed, of the pack's zone. */
interface Row extends CloseRow {
  readonly day: string;
}

/** `acquired`: the date of column (b). */
function columnsOf(acquired: (row: Row) => string | null): BookedColumn<Row>[] {
  return [
    {
      name: "description_of_property",
      kind: "text",
      required: true,
      description: "Column (a): what was closed, and whether it was long or short.",
      cell: propertyOf,
    },
    {
      name: "date_acquired",
      kind: "date",
      description:
        "Column (b), as a day of the pack's zone. Of a short the day of the closing buy. Empty where it is not known (a declared opening position), and for a long under average entry, whose pool has no day of its own.",
      cell: acquired,
    },
    {
      name: "date_sold_or_disposed",
      kind: "date",
      required: true,
      description: "Column (c), as a day of the pack's zone. Of a short the day on which it was closed.",
      cell: ({ day }) => day,
    },
    {
      name: "proceeds",
      kind: "decimal",
      description: "Column (d): of a long what it was closed for, of a short what it was opened for.",
      cell: ({ match, trade }) => (trade.sign === 1n ? match?.openValue : match?.closeValue) ?? null,
    },
    {
      name: "cost_or_other_basis",
      kind: "decimal",
      description: "Column (e): of a long what it was opened for, of a short what it was closed for.",
      cell: ({ match, trade }) => (trade.sign === 1n ? match?.closeValue : match?.openValue) ?? null,
    },
    { name: "code", kind: "text", description: "Column (f): always empty, for the preparer.", cell: () => null },
    {
      name: "adjustment",
      kind: "decimal",
      description: "Column (g): always empty, for the preparer.",
      cell: () => null,
    },
    {
      name: "gain_or_loss",
      kind: "decimal",
      description: "Column (h): proceeds − cost_or_other_basis, before fees and funding.",
      cell: ({ match }) => match?.gross ?? null,
    },
    {
      name: "fees",
      kind: "decimal",
      description:
        "Opening and closing fees that go with it; negative: a rebate. They are in none of the columns before.",
      cell: ({ match }) => match?.fees ?? null,
    },
    {
      name: "gain_or_loss_net_of_fees_excl_funding",
      kind: "decimal",
      description: "gain_or_loss − fees. Funding is not in it.",
      cell: ({ match }) => match?.net ?? null,
    },
    {
      name: "currency",
      kind: "text",
      required: true,
      description: "What the market is settled in, and every amount of the row: nothing is converted here.",
      cell: ({ trade }) => trade.currency,
    },
    MARKET,
    SIDE,
    { name: "quantity", kind: "decimal", description: "What is closed, in the base of the market.", cell: quantityOf },
    OPENED_AT,
    {
      name: "closed_at",
      kind: "time",
      required: true,
      description: "When the closing fill counts, UTC.",
      cell: ({ own }) => own.time,
    },
    ...FILL_IDS,
    {
      name: "status",
      kind: "text",
      required: true,
      description:
        "known, or why the gain cannot be known: opening_unknown, quantity_known_cost_unknown, break_declared, market_incomplete, unsupported_contract_type. Amounts are empty then, never 0.",
      cell: statusOf,
    },
  ];
}

function propertyOf(row: Row): string {
  const { market } = row.trade;
  const quantity = quantityOf(row);
  return quantity === "" ? `${market} perpetual` : `${quantity} ${market} perpetual, ${sideOf(row.trade)}`;
}

/**
 * form-8949.csv: the matches of the chosen method in the columns of the United States' Form 8949. The dates of a short are those of its closing, as the
 * form's instructions have it: acquired is what closes it, sold is when it is delivered.
 */
export function form8949Maker({ period, method, textsOf }: PackContext): FileMaker {
  const closingDay = localDays(period.zone);
  const openingDay = localDays(period.zone); // of its own, since each is fast for times that come in order
  return new BookedTableMaker<Row>({
    path: "form-8949.csv",
    description:
      "A list in the columns of the United States' Form 8949, a row for each match of the chosen method. It is a list, not a tax treatment: whether perpetual futures belong on this form, under which box, and whether fees belong into the basis, is the preparer's to decide; box, code and adjustment are left open.",
    columns: columnsOf(({ match, trade, day }) => {
      if (match === null || trade.sign === 1n) {
        return match === null ? null : day;
      }
      const { opener } = match.match;
      return opener.matchId === null || method === "average" ? null : openingDay(opener.time);
    }),
    *rowsOf(batch) {
      for (const own of textsOf(batch)) {
        for (const row of closeRowsOf(own)) {
          yield { ...row, day: closingDay(own.booked.time) };
        }
      }
    },
  });
}
