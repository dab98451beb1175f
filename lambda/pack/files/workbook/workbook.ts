import type { RateConverter } from "../../../accounting/rates/converter.ts";
import { workbookOf } from "../../../formats/xlsx/xlsx.ts";
import type { Closing, FileMaker, PackContext } from "../../build/maker.ts";
import { feesTable } from "../../tables/fees.ts";
import { sheetOf } from "../../writers/sheet.ts";
import { closeRowsOf } from "../csv/closes.ts";
import { marketMonthsTable, marketsTable, monthsTable } from "./activity.ts";
import { convertedTable, ratesTable } from "./converted.ts";
import { coverSheet } from "./cover.ts";
import { exceptionsTable } from "./exceptions.ts";
import { openLotsTable } from "./open-lots.ts";
import { openPositionsTable } from "./open-positions.ts";
import { realisedTable } from "./realised.ts";
import { summarySheet } from "./summary.ts";
import { tradesTable } from "./trades.ts";

/** The sheets that grow with the fills. */
interface Growing {
  readonly realised: ReturnType<typeof realisedTable>;
  readonly trades: ReturnType<typeof tradesTable>;
}

/**
 * workbook.xlsx: the content of the CSV files, for reading. Its date is the end of the period, so equal fills
 * and settings give equal bytes. `converter`: null if nothing is converted.
 */
export function workbookMaker(context: PackContext, converter: RateConverter | null): FileMaker {
  const growing = { realised: realisedTable(context, converter), trades: tradesTable(context, converter) };
  return {
    path: "workbook.xlsx",
    description:
      "The figures of the pack as a workbook: cover, summary, months, markets, realised PnL, closed trades, open positions and lots, fees, exceptions. The CSV files are the record; numbers here have 15 digits.",
    mediatype: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    begin: () => "",
    add: (batch) => {
      for (const row of closeRowsOf(batch, context)) {
        growing.realised.add(row);
      }
      for (const { trip } of batch) {
        if (trip !== null) {
          growing.trades.add(trip);
        }
      }
      return "";
    },
    end: (closing) => workbookText(context, closing, growing, converter),
  };
}

function workbookText(
  context: PackContext,
  closing: Closing,
  { realised, trades }: Growing,
  converter: RateConverter | null,
): Uint8Array {
  const { statement, exceptions } = closing;
  const months = monthsTable(context, closing);
  const openPositions = openPositionsTable(context, statement, converter);
  const converted = closing.converted && convertedTable(context, closing.converted);
  const sheets = [
    coverSheet(context, closing),
    summarySheet(context, closing, { months, openPositions, converted }),
    months.sheet,
    marketsTable(context, closing).sheet,
    marketMonthsTable(context, closing).sheet,
    realised.finish().sheet,
    trades.finish().sheet,
    openPositions.sheet,
    openLotsTable(context, statement).sheet,
    sheetOf(context, feesTable(context, closing.converted?.currency ?? null), closing).sheet,
    ...(converted === null ? [] : [converted.sheet]),
    ...(closing.converted === null ? [] : [ratesTable(context, closing.converted).sheet]),
    exceptionsTable(context, exceptions).sheet,
  ];
  return workbookOf(sheets, {
    title: `${context.account}, ${context.period.name}`,
    creator: "fillbook",
    time: context.period.to,
  });
}
