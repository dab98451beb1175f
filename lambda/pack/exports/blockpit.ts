import { SheetWriter, workbookOf } from "../../formats/xlsx/xlsx.ts";
import type { PackContext } from "../make/maker.ts";
import { ImportMaker } from "./import-maker.ts";
import type { DailyCash } from "./movements.ts";
import { seconds, type Tool } from "./tool.ts";

const BLOCKPIT: Tool = {
  name: "Blockpit",
  file: "blockpit.xlsx",
  words: {
    profit: "Derivative Profit",
    loss: "Derivative Loss",
    fee: "Derivative Fee",
    rebate: "Derivative Profit",
    fundingReceived: "Derivative Profit",
    fundingPaid: "Derivative Fee",
    deposit: "Deposit",
    withdrawal: "Withdrawal",
  },
  columns: [
    ["Date (UTC)", "date"],
    ["Integration Name", "source"],
    ["Label", "word"],
    ["Outgoing Asset", "sentIn"],
    ["Outgoing Amount", "sent"],
    ["Incoming Asset", "receivedIn"],
    ["Incoming Amount", "received"],
    ["Fee Asset (optional)"],
    ["Fee Amount (optional)"],
    ["Comment (optional)", "description"],
    ["Trx. ID (optional)", "id"],
  ],
  date: (movement) => seconds(movement, (year, month, day) => `${day}.${month}.${year}`),
  advice: "Upload it in a manual integration, as a file in Blockpit's template.",
};

/** The most rows of a sheet, with the header. */
const MOST_ROWS = 1_048_576;
const WIDTHS = [20, 20, 18, 10, 26, 10, 26, 10, 10, 60, 60];

/**
 * imports/blockpit.xlsx, because Blockpit asks for a spreadsheet. Every cell is text, because a number would
 * lose its digits after the fifteenth.
 */
export class BlockpitMaker extends ImportMaker {
  override readonly mediatype = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
  readonly #context: PackContext;
  readonly #sheets = [sheetNumbered(1)];

  constructor(context: PackContext, cash: DailyCash) {
    super(BLOCKPIT, cash);
    this.#context = context;
  }

  override begin(): string {
    return "";
  }

  override end(): Uint8Array {
    super.end();
    const { name, period } = this.#context;
    const sheets = this.#sheets.map((sheet) => sheet.finish());
    return workbookOf(sheets, { title: `${name}, ${period.name}`, creator: "fillbook", time: period.to });
  }

  protected override written(rows: readonly (readonly string[])[]): string {
    for (const row of rows) {
      if ((this.#sheets.at(-1)?.rows ?? 0) >= MOST_ROWS) {
        this.#sheets.push(sheetNumbered(this.#sheets.length + 1));
      }
      this.#sheets.at(-1)?.add(row.map(textCell));
    }
    return "";
  }
}

function sheetNumbered(number: number): SheetWriter {
  const name = `Transactions${number === 1 ? "" : ` ${number}`}`;
  const sheet = new SheetWriter({ name, widths: WIDTHS, headRows: 0, footer: "" });
  sheet.add(BLOCKPIT.columns.map(([head]) => textCell(head)));
  return sheet;
}

function textCell(text: string) {
  return text === "" ? null : ({ text, style: "text" } as const);
}
