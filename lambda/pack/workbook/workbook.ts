import { workbookOf } from "../../formats/xlsx/xlsx.ts";
import type { Closing, FileMaker, PackContext } from "../make/maker.ts";
import { closesTable } from "../tables/closes.ts";
import { EXCEPTIONS } from "../tables/exceptions.ts";
import { feesTable } from "../tables/fees.ts";
import { lotsTable } from "../tables/lots.ts";
import { marketsTable } from "../tables/markets.ts";
import { positionsTable } from "../tables/positions.ts";
import { ratesTable } from "../tables/rates.ts";
import type { SheetTable } from "../tables/table.ts";
import { monthsTable } from "../tables/totals.ts";
import { tradesTable } from "../tables/trades.ts";
import { SheetMaker, type TableSheet } from "../writers/sheet.ts";
import { coverSheet } from "./cover.ts";
import { summarySheet } from "./summary.ts";

/**
 * workbook.xlsx: the content of the CSV files, for reading. Its date is the end of the period, so equal fills
 * and settings give equal bytes.
 */
export function workbookMaker(context: PackContext): FileMaker {
  const [closes, trades] = [closesTable(context), tradesTable(context)];
  // The sheets that grow with the fills.
  const realised = new SheetMaker(context, closes);
  const closed = new SheetMaker(context, trades);
  return {
    path: "workbook.xlsx",
    description:
      "The figures of the pack as a workbook: cover, summary, months, markets, realised PnL, closed trades, open positions and lots, fees, exceptions. The CSV files are the record; numbers here have 15 digits.",
    mediatype: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    begin: () => "",
    add: (batch) => {
      realised.add(closes.rows.each?.(batch) ?? []);
      closed.add(trades.rows.each?.(batch) ?? []);
      return "";
    },
    end(closing) {
      const sheetOf = <Row>(table: SheetTable<Row>, left = 0) => sheetAtEnd(context, table, closing, left);
      const [months, positions] = [sheetOf(monthsTable(context)), sheetOf(positionsTable(context))];
      const { sums, exceptions } = closing;
      const sheets = [
        coverSheet(context, closing),
        summarySheet(context, sums, { months, positions }),
        months.sheet,
        sheetOf(marketsTable(context)).sheet,
        realised.finish().sheet,
        closed.finish().sheet,
        positions.sheet,
        sheetOf(lotsTable(context)).sheet,
        sheetOf(feesTable(context)).sheet,
        ...(sums.currency === null ? [] : [sheetOf(ratesTable(sums.currency)).sheet]),
        sheetOf(EXCEPTIONS, exceptions.count - exceptions.first.length).sheet,
      ];
      return workbookOf(sheets, {
        title: `${context.name}, ${context.period.name}`,
        creator: "fillbook",
        time: context.period.to,
      });
    },
  };
}

function sheetAtEnd<Row>(context: PackContext, table: SheetTable<Row>, closing: Closing, left: number): TableSheet {
  const maker = new SheetMaker(context, table);
  maker.add(table.rows.atEnd?.(closing) ?? []);
  return maker.finish(left);
}
