import { knownSumOf } from "../../../accounting/aggregate.ts";
import type { Statement } from "../../../accounting/statement.ts";
import { type Sheet, SheetWriter } from "../../../formats/xlsx/xlsx.ts";
import type { PackContext } from "../../build/maker.ts";
import { AMOUNT_WIDTH, countCell } from "./cells.ts";
import { type Block, figureCells, figuresOf, HEAD_ROW, type Sources } from "./figures.ts";
import { frameOf } from "./frame.ts";
import { currencyName, methodNames } from "./labels.ts";
import { currenciesOf } from "./sums.ts";

/** Results, fees and open value of each currency, by both methods side by side, with the exact amounts as text. */
export function summarySheet(context: PackContext, statement: Statement, sources: Sources): Sheet {
  const names = methodNames(context);
  const { name, title, footer } = frameOf(context, "Summary", `The chosen method is: ${names[context.chosen]}.`);
  const widths = [12, 50, AMOUNT_WIDTH, AMOUNT_WIDTH, 36, 36, 70];
  const sheet = new SheetWriter({ name, widths, headRows: HEAD_ROW, footer });
  sheet.add([{ text: title, style: "title" }]);
  sheet.add([
    { text: "Currency", style: "head" },
    { text: "Figure", style: "head" },
    ...names.map((text) => ({ text, style: "numberHead" }) as const),
    ...names.map((text) => ({ text: `Exact: ${text}`, style: "head" }) as const),
    { text: "Note", style: "head" },
  ]);
  const currencies = currenciesOf(statement.cells, statement.markets);
  if (currencies.length === 0) {
    sheet.add([null, { text: "Nothing happened in the period, and nothing is open.", style: "wrapped" }]);
    sheet.add([]);
  }
  for (const currency of currencies) {
    addBlock(sheet, {
      sums: knownSumOf(
        statement.cells.filter((cell) => currencyName(cell.currency) === currency),
        context.funding !== null,
      ),
      markets: statement.markets.filter((market) => currencyName(market.currency) === currency),
      currency,
      sources,
      firstRow: sheet.rows + 1,
    });
  }
  addCounts(sheet, statement);
  return sheet.finish();
}

function addBlock(sheet: SheetWriter, block: Block): void {
  for (const figure of figuresOf(block)) {
    sheet.add(figureCells(block.currency, figure));
  }
  sheet.add([]);
}

/** Of no currency, and of no method. */
function addCounts(sheet: SheetWriter, { trips, ties }: Statement): void {
  const counts = [
    ["Trades closed, from flat to flat", trips.count],
    ["of them with a gain, before fees", trips.won],
    ["of them with a loss, before fees", trips.lost],
    ["Fills that share their time with another of their market", ties],
  ] as const;
  for (const [name, count] of counts) {
    sheet.add([null, { text: name, style: "wrapped" }, countCell(count)]);
  }
}
