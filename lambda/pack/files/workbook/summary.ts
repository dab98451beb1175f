import { knownSumOf } from "../../../accounting/aggregate.ts";
import { formatAmount } from "../../../accounting/amount.ts";
import { shownOrder } from "../../../accounting/method.ts";
import type { Statement } from "../../../accounting/statement.ts";
import { type Sheet, type SheetCell, SheetWriter } from "../../../formats/xlsx/xlsx.ts";
import type { PackContext } from "../../build/maker.ts";
import { currenciesOf, inCurrency } from "./activity.ts";
import { AMOUNT_WIDTH, countCell, moneyCell } from "./cells.ts";
import { type Figure, figuresOf, HEAD_ROW, type Sources } from "./figures.ts";
import { frameOf, methodNames } from "./labels.ts";

/** Results, fees and open value of each currency, by both methods side by side, with the exact amounts as text. */
export function summarySheet(
  context: PackContext,
  { marketMonths, markets, trips, ties }: Statement,
  sources: Sources,
): Sheet {
  const names = methodNames(context);
  const order = shownOrder(context.methods);
  const { name, title, footer } = frameOf(context, "Summary", `The chosen method is: ${names.primary}.`);
  const widths = [12, 50, AMOUNT_WIDTH, AMOUNT_WIDTH, 36, 36, 70];
  const sheet = new SheetWriter({ name, widths, headRows: HEAD_ROW, footer });
  sheet.add([{ text: title, style: "title" }]);
  sheet.add([
    { text: "Currency", style: "head" },
    { text: "Figure", style: "head" },
    ...order.map((role) => ({ text: names[role], style: "numberHead" }) as const),
    ...order.map((role) => ({ text: `Exact: ${names[role]}`, style: "head" }) as const),
    { text: "Note", style: "head" },
  ]);
  const currencies = currenciesOf(marketMonths, markets);
  if (currencies.length === 0) {
    sheet.add([null, { text: "Nothing happened in the period, and nothing is open.", style: "wrapped" }]);
    sheet.add([]);
  }
  for (const currency of currencies) {
    const sums = knownSumOf(inCurrency(marketMonths, currency), context.funding !== null);
    const block = { sums, markets: inCurrency(markets, currency), sources, firstRow: sheet.rows + 1 };
    for (const figure of figuresOf(block, order)) {
      sheet.add(figureCells(currency, figure));
    }
    sheet.add([]);
  }
  // Of no currency, and of no method.
  for (const [text, count] of [
    ["Trades closed, from flat to flat", trips.count],
    ["of them with a gain, before fees", trips.won],
    ["of them with a loss, before fees", trips.lost],
    ["Fills that share their time with another of their market", ties],
  ] as const) {
    sheet.add([null, { text, style: "wrapped" }, countCell(count)]);
  }
  return sheet.finish();
}

function figureCells(currency: string, { label, values, formulas, note, isResult }: Figure): SheetCell[] {
  return [
    { text: currency, style: isResult ? "textTotal" : "text" },
    { text: label, style: isResult ? "textTotal" : "wrapped" },
    ...values.map((value, method) =>
      value === null ? null : moneyCell(value, { isTotal: isResult, formula: formulas[method] }),
    ),
    ...values.map((value): SheetCell => (value === null ? null : { text: formatAmount(value), style: "text" })),
    note === "" ? null : { text: note, style: "wrapped" },
  ];
}
