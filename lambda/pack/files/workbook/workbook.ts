import type { RoundTrip } from "../../../accounting/booked.ts";
import { workbookOf } from "../../../formats/xlsx/xlsx.ts";
import type { Closing, FileMaker, PackContext } from "../../build/maker.ts";
import { marketsTable, monthsTable } from "./activity.ts";
import { convertedTable, ratesTable } from "./converted.ts";
import { coverSheet } from "./cover.ts";
import { exceptionsTable } from "./exceptions.ts";
import { feesTable } from "./fees.ts";
import { openPositionsTable } from "./open-positions.ts";
import { summarySheet } from "./summary.ts";
import type { TableWriter } from "./table.ts";
import { tradesTable } from "./trades.ts";

/** workbook.xlsx: what the CSV files say, to look at. Dated to the end of its period: equal fills and settings give equal bytes. */
export function workbookMaker(context: PackContext): FileMaker {
  const trades = tradesTable(context);
  return {
    path: "workbook.xlsx",
    description:
      "The pack as a workbook, to look at: cover, summary, months, markets, closed trades, open positions, fees, exceptions. The CSV files are the record; here numbers have 15 digits.",
    mediatype: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    begin: () => "",
    add: (batch) => {
      for (const { trip } of batch) {
        if (trip !== null) {
          trades.add(trip);
        }
      }
      return "";
    },
    end: (closing) => workbookText(context, closing, trades),
  };
}

function workbookText(context: PackContext, closing: Closing, trades: TableWriter<RoundTrip>): Uint8Array {
  const { statement, exceptions, converted } = closing;
  const months = monthsTable(context, statement);
  const openPositions = openPositionsTable(context, statement);
  const sheets = [
    coverSheet(context, closing),
    summarySheet(context, statement, { months, openPositions }),
    months.sheet,
    marketsTable(context, statement).sheet,
    trades.finish().sheet,
    openPositions.sheet,
    feesTable(context, statement).sheet,
    ...(converted === null ? [] : [convertedTable(context, converted).sheet, ratesTable(context, converted).sheet]),
    exceptionsTable(context, exceptions).sheet,
  ];
  return workbookOf(sheets, {
    title: `${context.account}, ${context.period.name}`,
    creator: "fillbook",
    time: context.period.to,
  });
}
