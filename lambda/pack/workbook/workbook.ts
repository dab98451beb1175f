import { workbookOf } from "../../formats/xlsx/xlsx.ts";
import type { FileMaker, PackContext } from "../make/maker.ts";
import { closesTable } from "../tables/closes.ts";
import { EXCEPTIONS } from "../tables/exceptions.ts";
import { feesTable } from "../tables/fees.ts";
import { lotsTable } from "../tables/lots.ts";
import { positionsTable } from "../tables/positions.ts";
import { ratesTable } from "../tables/rates.ts";
import { monthsTable } from "../tables/totals.ts";
import { tradesTable } from "../tables/trades.ts";
import { SheetMaker } from "../writers/sheet.ts";
import { coverTable } from "./cover.ts";
import { summaryTable } from "./summary.ts";

/**
 * workbook.xlsx: the content of the CSV files, for reading, each sheet a table. Its date is the end of the period,
 * so equal fills and settings give equal bytes.
 */
export function workbookMaker(context: PackContext): FileMaker {
  const { name, period, converter } = context;
  const makers = [
    new SheetMaker(context, coverTable(context)),
    new SheetMaker(context, summaryTable(context)),
    new SheetMaker(context, monthsTable(context)),
    new SheetMaker(context, closesTable(context)),
    new SheetMaker(context, tradesTable(context)),
    new SheetMaker(context, positionsTable(context)),
    new SheetMaker(context, lotsTable(context)),
    new SheetMaker(context, feesTable(context)),
    ...(converter === null ? [] : [new SheetMaker(context, ratesTable(converter.to))]),
    new SheetMaker(context, EXCEPTIONS),
  ];
  return {
    path: "workbook.xlsx",
    description:
      "The figures of the pack as a workbook: cover, summary, months, realised PnL, closed trades, open positions and lots, fees, exceptions. The CSV files are the record; numbers here have 15 digits.",
    mediatype: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    begin: () => "",
    add: (batch) => {
      for (const maker of makers) {
        maker.add(batch);
      }
      return "";
    },
    end: (closing) =>
      workbookOf(
        makers.map((maker) => maker.finish(closing)),
        { title: `${name}, ${period.name}`, creator: "fillbook", time: period.to },
      ),
  };
}
