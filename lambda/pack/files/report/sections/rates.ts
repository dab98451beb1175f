import { totalOf } from "../../../../accounting/aggregate.ts";
import type { ConvertedMonth, ConvertedStatement, RateUse } from "../../../../accounting/rates/converted.ts";
import { count } from "../../../../core/text.ts";
import { type Html, html, outside } from "../html.ts";
import { money, result } from "../numbers.ts";
import { file, type Section } from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";
import type { View } from "../view.ts";

/** The page shows so many of each. */
const MOST_RATES = 400;
const MOST_MONTHS = 240;

/** Amounts in the currency of the tax return, and the rates that made them. */
export function ratesSection({ context, closing: { converted } }: View): Section {
  return {
    id: "rates",
    title: "Rates used",
    body:
      converted === null
        ? html`
<p>None: no amount on this page is converted. Each stands in the currency that it was settled in, and amounts of different currencies are never added.</p>`
        : html`
<p>Each line is converted at its own date into ${outside(converted.currency)}, rounded, and then added up; only so are amounts of different settlement currencies in one total. ${file(context, "realised-pnl.csv")} has the rate, its date and its source beside each line. The files of the rates are under <code>inputs/</code>.</p>${convertedTable(converted, context.methods.primary)}${rateTable(converted)}`,
  };
}

function convertedTable({ months, currency }: ConvertedStatement, method: string): Html {
  const hasFunding = months.some(({ funding }) => funding !== null);
  const amount = (head: string, format: (amount: bigint) => Html, of: (month: ConvertedMonth) => bigint | null) =>
    numberColumn<ConvertedRow>(head, (row) => {
      const value = row.month === null ? totalOf(months, (month) => of(month) ?? 0n) : of(row.month);
      return value === null ? null : format(value);
    });
  return listTable<ConvertedRow>({
    id: "converted-table",
    caption: html`Realised by ${method}, in ${outside(currency)}, excl. funding where nothing else is said`,
    columns: [
      column("Month", ({ month }) => month?.month ?? "Total"),
      column("Settled in", ({ month }) => (month === null ? null : outside(month.currency))),
      amount("Before fees", result, ({ gross }) => gross),
      amount("Fees recognised", money, ({ fees }) => fees),
      amount("Net of fees", result, ({ net }) => net),
      amount("Fees paid", money, ({ feesPaid }) => feesPaid),
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

function rateTable({ rates, currency }: ConvertedStatement): Html {
  return listTable<RateUse>({
    id: "rates-table",
    caption: html`Rates into ${outside(currency)}`,
    columns: [
      column("From", (use) => outside(use.currency)),
      column("Date of the rate", ({ rateDate }) => outside(rateDate)),
      numberColumn("Rate", ({ rate }) => outside(rate)),
      numberColumn("Lines", ({ lines }) => count(lines)),
      column("Source", ({ source }) => outside(source)),
    ],
    items: rates,
    most: MOST_RATES,
    more: (left) => `${count(left)} more rates were used.`,
  });
}
