import { countOf, knownSumOf } from "../../../accounting/aggregate.ts";
import { type ConvertedStatement, type ConvertedSums, sumConverted } from "../../../accounting/rates/converted.ts";
import { type Amount, ZERO } from "../../../core/amount.ts";
import { type Sheet, type SheetCell, SheetWriter } from "../../../formats/xlsx/xlsx.ts";
import type { Closing, PackContext } from "../../build/maker.ts";
import { currenciesOf, inCurrency } from "./activity.ts";
import { AMOUNT_WIDTH, countCell, moneyCell } from "./cells.ts";
import { type Figure, figuresOf, HEAD_ROW, type Sources, sumOfCurrency } from "./figures.ts";
import { frameOf, methodNames } from "./labels.ts";
import type { SheetTable } from "./table.ts";

interface SummarySources extends Sources {
  /** Null: nothing is converted. */
  readonly converted: SheetTable | null;
}

/**
 * PnL, fees and open value of each currency, the chosen method first, with the exact amounts as text.
 * Converted amounts come before them.
 */
export function summarySheet(
  context: PackContext,
  { statement: { marketMonths, compared, markets, trips }, converted }: Pick<Closing, "statement" | "converted">,
  sources: SummarySources,
): Sheet {
  const names = methodNames(context);
  const { name, title, footer } = frameOf(
    context,
    "Summary",
    `${names.primary}, with ${names.reference} for comparison.`,
  );
  const widths = [12, 60, AMOUNT_WIDTH, AMOUNT_WIDTH, 36, 36, 70];
  const sheet = new SheetWriter({ name, widths, headRows: HEAD_ROW, footer });
  sheet.add([{ text: title, style: "title" }], { isWide: true });
  sheet.add([
    { text: "Currency", style: "head" },
    { text: "Figure", style: "head" },
    { text: names.primary, style: "numberHead" },
    { text: names.reference, style: "numberHead" },
    { text: `Exact: ${names.primary}`, style: "head" },
    { text: `Exact: ${names.reference}`, style: "head" },
    { text: "Note", style: "head" },
  ]);
  if (converted !== null && sources.converted !== null) {
    for (const figure of convertedFigures(converted, sources.converted, sheet.rows + 1)) {
      sheet.add(figureCells(converted.currency, figure));
    }
    sheet.add([]);
  }
  const currencies = currenciesOf(marketMonths, markets);
  if (currencies.length === 0) {
    sheet.add([null, { text: "There was no activity in the period, and no position is open.", style: "wrapped" }]);
    sheet.add([]);
  }
  for (const currency of currencies) {
    const sums = knownSumOf(inCurrency(marketMonths, currency), context.funding !== null);
    const block = {
      sums,
      compared: compared.get(currency) ?? { gross: ZERO, fees: ZERO },
      markets: inCurrency(markets, currency),
      sources,
      firstRow: sheet.rows + 1,
    };
    for (const figure of figuresOf(block)) {
      sheet.add(figureCells(currency, figure));
    }
    sheet.add([]);
  }
  // These belong to no currency and no method.
  for (const [text, count] of [
    ["Closed trades, from flat back to flat", trips.count],
    ["of which with a gain, before fees", trips.won],
    ["of which with a loss, before fees", trips.lost],
    [
      "Fills that share their time with a fill of the other side (order uncertain)",
      countOf(markets, ({ ties }) => ties),
    ],
  ] as const) {
    sheet.add([null, { text, style: "wrapped" }, countCell(count)]);
  }
  return sheet.finish();
}

const CONVERTED_LABELS: Readonly<Record<keyof ConvertedSums, string>> = {
  net: "Net PnL, excluding funding, converted",
  gross: "Gross PnL, converted",
  fees: "Fees on closed positions, converted",
  feesPaid: "Fees paid, converted",
  rebates: "Rebates, converted",
  funding: "Funding, converted",
};

/** All currencies together, by the chosen method. */
function convertedFigures({ months }: ConvertedStatement, table: SheetTable, firstRow: number): Figure[] {
  const sums = sumConverted(months);
  return (Object.keys(CONVERTED_LABELS) as (keyof ConvertedSums)[])
    .filter((name) => sums[name] !== null)
    .map((name, at) => ({
      label: CONVERTED_LABELS[name],
      value: sums[name],
      formula: sumOfCurrency(table, name, `$A${firstRow + at}`),
      compared: null,
      note: at === 0 ? "All currencies; each line is converted at the rate of its day: see Converted and Rates" : "",
      isResult: name === "net",
    }));
}

function figureCells(currency: string, { label, value, formula, compared, note, isResult }: Figure): SheetCell[] {
  const cell = (amount: Amount | null, by?: string) =>
    amount === null ? null : moneyCell(amount, { isTotal: isResult, formula: by });
  const exact = (amount: Amount | null): SheetCell =>
    amount === null ? null : { text: String(amount), style: "text" };
  return [
    { text: currency, style: isResult ? "textTotal" : "text" },
    { text: label, style: isResult ? "textTotal" : "wrapped" },
    cell(value, formula),
    cell(compared),
    exact(value),
    exact(compared),
    note === "" ? null : { text: note, style: "wrapped" },
  ];
}
