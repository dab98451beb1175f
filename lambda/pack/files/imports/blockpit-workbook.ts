import type { Booked } from "../../../accounting/booked.ts";
import { CSV_NEWLINE } from "../../../formats/csv.ts";
import { SheetWriter, workbookOf } from "../../../formats/xlsx/xlsx.ts";
import type { FileMaker, PackContext } from "../../build/maker.ts";
import { BLOCKPIT } from "./blockpit.ts";
import type { Dates } from "./dates.ts";
import { DAILY, ImportMaker } from "./import-maker.ts";

/** The most rows of a sheet, with the header. */
const MOST_ROWS = 1_048_576;
const WIDTHS = [20, 20, 18, 10, 26, 10, 26, 10, 10, 60, 60];

/**
 * imports/daily/blockpit.xlsx: the rows of imports/daily/blockpit.csv as the spreadsheet that Blockpit asks
 * for. Every cell is text, because a number would lose its digits after the fifteenth. If there are more rows
 * than a sheet can hold, it holds none.
 */
export class BlockpitWorkbook implements FileMaker {
  readonly path = `${DAILY}/blockpit.xlsx`;
  readonly description =
    "For Blockpit, which asks for a spreadsheet: the rows of imports/daily/blockpit.csv. Read imports/README.txt before the import.";
  readonly mediatype = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  readonly #context: PackContext;
  readonly #rows: ImportMaker;
  readonly #sheet = sheetWithHeader();
  #isFull = false;

  /** `dates`: of days, in Blockpit's unit. */
  constructor(context: PackContext, dates: Dates) {
    this.#context = context;
    this.#rows = new ImportMaker(BLOCKPIT, context.account, DAILY, dates);
  }

  begin(): string {
    return "";
  }

  add(batch: readonly Booked[]): string {
    this.#take(this.#rows.add(batch));
    return "";
  }

  end(): Uint8Array {
    this.#take(this.#rows.end());
    const { account, period } = this.#context;
    const sheet = (this.#isFull ? sheetWithHeader() : this.#sheet).finish();
    return workbookOf([sheet], { title: `${account}, ${period.name}`, creator: "fillbook", time: period.to });
  }

  /** No cell of an import file contains a comma or a quote: see plain.ts. */
  #take(text: string): void {
    for (const line of text.split(CSV_NEWLINE).slice(0, -1)) {
      this.#isFull ||= this.#sheet.rows >= MOST_ROWS;
      if (!this.#isFull) {
        this.#sheet.add(line.split(",").map(textCell));
      }
    }
  }
}

function sheetWithHeader(): SheetWriter {
  const sheet = new SheetWriter({ name: "Transactions", widths: WIDTHS, headRows: 0, footer: "" });
  sheet.add(BLOCKPIT.columns.map(textCell));
  return sheet;
}

function textCell(text: string) {
  return text === "" ? null : ({ text, style: "text" } as const);
}
