import { totalOf } from "../../../../accounting/aggregate.ts";
import type { ConvertedMonth, ConvertedStatement, RateUse } from "../../../../accounting/rates/converted.ts";
import { count } from "../../../../core/text.ts";
import type { PackContext } from "../../../build/maker.ts";
import { type Html, html, outside } from "../html.ts";
import { money, result } from "../numbers.ts";
import { file, methodName, type Section } from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";
import type { View } from "../view.ts";

/** The page shows so many of each. */
const MOST_RATES = 20;
const MOST_MONTHS = 36;

/** Amounts in the reporting currency, and the rates that made them; null: nothing is converted. */
export function ratesSection({ context, closing: { converted } }: View): Section | null {
  return converted === null
    ? null
    : {
        id: "rates",
        body: html`
<p>Each line is converted into ${outside(converted.currency)} at its own date, rounded, and then added up; only these totals cover several settlement currencies. ${file(context, "realised-pnl.csv")} has the rate, its date and its source for each line. The files of the rates are under <code>inputs/</code>.</p>${convertedTable(converted, methodName(context, "primary"))}${rateTable(context, converted)}`,
      };
}

function convertedTable({ months, currency }: ConvertedStatement, method: string): Html {
  const hasFunding = months.some(({ funding }) => funding !== null);
  const amount = (head: string, format: typeof money, of: (month: ConvertedMonth) => bigint | null) =>
    numberColumn<ConvertedRow>(head, (row) => {
      const value = row.month === null ? totalOf(months, (month) => of(month) ?? 0n) : of(row.month);
      return value === null ? null : format(value, currency);
    });
  return listTable<ConvertedRow>({
    id: "converted-table",
    caption: html`Realised PnL in ${outside(currency)}, ${method}, excl. funding`,
    columns: [
      column("Month", ({ month }) => month?.month ?? "Total"),
      column("Settled in", ({ month }) => (month === null ? null : outside(month.currency))),
      amount("Gross PnL", result, ({ gross }) => gross),
      amount("Fees on closed", money, ({ fees }) => fees),
      amount("Net PnL", result, ({ net }) => net),
      amount("Fees charged", money, ({ feesPaid }) => feesPaid),
      amount("Rebates", money, ({ rebates }) => rebates),
      ...(hasFunding ? [amount("Funding", result, ({ funding }) => funding)] : []),
    ],
    items: months.map((month) => ({ month })),
    keyOf: ({ month }) => `${month?.month} ${month?.currency}`,
    most: MOST_MONTHS,
    more: (left) => `${count(left)} more rows are in the total.`,
    total: { month: null },
  });
}

interface ConvertedRow {
  /** Null: the total. */
  readonly month: ConvertedMonth | null;
}

function rateTable(context: PackContext, { rates, currency }: ConvertedStatement): Html {
  return listTable<RateUse>({
    id: "rates-table",
    caption: html`Exchange rates into ${outside(currency)}`,
    columns: [
      column("From", (use) => outside(use.currency)),
      column("Date of the rate", ({ rateDate }) => outside(rateDate)),
      numberColumn("Rate", ({ rate }) => outside(rate)),
      numberColumn("Lines", ({ lines }) => count(lines)),
      column("Source", ({ source }) => outside(source)),
    ],
    items: rates,
    most: MOST_RATES,
    more: (left) =>
      html`${count(left)} more rates were used: ${file(context, "realised-pnl.csv")} has them beside each line.`,
  });
}
