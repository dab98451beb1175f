import { type Sum, sumOf } from "../../../../accounting/aggregate.ts";
import type { ConvertedMonth, ConvertedStatement } from "../../../../accounting/rates/converted.ts";
import type { RateUse } from "../../../../accounting/rates/uses.ts";
import { type Amount, totalOf, ZERO } from "../../../../core/amount.ts";
import { count, counted } from "../../../../core/text.ts";
import type { PackContext } from "../../../build/maker.ts";
import { type Html, html, outside, symbol } from "../html.ts";
import { money, result } from "../numbers.ts";
import { file, knownFees, knownResult, methodName, type Section } from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";
import type { View } from "../view.ts";

/** The page shows this many rows of each table. */
const MOST_RATES = 20;
const MOST_MONTHS = 36;

/** Amounts in the reporting currency, and the rates used. Null: nothing is converted. */
export function ratesSection(view: View): Section | null {
  const {
    context,
    closing: { converted },
  } = view;
  return converted === null
    ? null
    : {
        id: "rates",
        body: html`
<p>Each line is converted into ${outside(converted.currency)} at the rate of its date and rounded; then the lines are added up. Only these totals cover several settlement currencies. ${file(context, "realised-pnl.csv")} has the rate, its date and its source for each line. The rate files are under <code>inputs/</code>.</p>${convertedTable(view, converted)}${rateTable(context, converted)}`,
      };
}

function convertedTable({ context, closing }: View, { months, currency }: ConvertedStatement): Html {
  const { marketMonths } = closing.statement;
  const settled = Map.groupBy(marketMonths, (one) => `${one.month} ${one.currency}`);
  const rows = months.map((month): ConvertedRow => {
    const key = `${month.month} ${month.currency}`;
    return { key, month, months: [month], sum: sumOf(settled.get(key) ?? []) };
  });
  const amount = (
    head: string,
    of: (month: ConvertedMonth) => Amount,
    format: (amount: Amount, sum: Sum, currency: string) => Html,
  ) => numberColumn<ConvertedRow>(head, (row) => format(totalOf(row.months, of), row.sum, currency));
  return listTable<ConvertedRow>({
    id: "converted-table",
    caption: html`Realised PnL in ${outside(currency)}, ${methodName(context)}, excl. funding`,
    columns: [
      column("Month", ({ month }) => month?.month ?? "Total"),
      column("Settled in", ({ month }) => (month === null ? null : symbol(month.currency))),
      amount("Gross PnL", ({ gross }) => gross, knownResult),
      amount("Fees on closed", ({ fees }) => fees, knownFees),
      amount("Net PnL", ({ net }) => net, knownResult),
      amount(
        "Fees paid",
        ({ feesPaid }) => feesPaid,
        (fees) => money(fees, currency),
      ),
      amount(
        "Rebates",
        ({ rebates }) => rebates,
        (rebates) => money(rebates, currency),
      ),
      ...(context.funding === null
        ? []
        : [
            amount(
              "Funding",
              ({ funding }) => funding ?? ZERO,
              (funding) => result(funding, currency),
            ),
          ]),
    ],
    items: rows,
    keyOf: ({ key }) => key,
    most: MOST_MONTHS,
    more: (left) => `${counted(left, "more row")} ${left === 1 ? "is" : "are"} in the total.`,
    total: { key: "total", month: null, months, sum: sumOf(marketMonths) },
  });
}

interface ConvertedRow {
  readonly key: string;
  /** Null: the total. */
  readonly month: ConvertedMonth | null;
  readonly months: readonly ConvertedMonth[];
  /** The sum of the same fills in their settlement currency: it says whether all PnL is known. */
  readonly sum: Sum;
}

function rateTable(context: PackContext, { rates, currency }: ConvertedStatement): Html {
  return listTable<RateUse>({
    id: "rates-table",
    caption: html`Exchange rates into ${outside(currency)}`,
    columns: [
      column("From", (use) => symbol(use.currency)),
      column("Date of the rate", ({ rateDate }) => outside(rateDate)),
      numberColumn("Rate", ({ rate }) => outside(rate)),
      numberColumn("Lines", ({ lines }) => count(lines)),
      column("Source", ({ source }) => outside(source)),
    ],
    items: rates,
    most: MOST_RATES,
    more: (left) =>
      html`${counted(left, "more rate")} ${left === 1 ? "was" : "were"} used: ${file(context, "realised-pnl.csv")} has the rate of each line.`,
  });
}
