import { totalOf } from "../../../../accounting/aggregate.ts";
import type { ConvertedCell, ConvertedStatement } from "../../../../accounting/rates/converted.ts";
import { count } from "../../../../core/text.ts";
import { firstOf } from "../figures.ts";
import { type Html, type HtmlValue, html, outside } from "../html.ts";
import { money, result } from "../numbers.ts";
import { file, numbers, type Section } from "../parts.ts";
import { table } from "../table.ts";
import type { View } from "../view.ts";

/** The page shows so many of each. */
const MOST_RATES = 400;
const MOST_CELLS = 240;

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
<p>Each line is converted at its own date into ${outside(converted.currency)}, rounded, and then added up; only so are amounts of different settlement currencies in one total. ${file(context, "realised-pnl.csv")} has the rate, its date and its source beside each line. The files of the rates are under <code>inputs/</code>.</p>${convertedTable(converted, context.methods[context.chosen])}${rateTable(converted)}`,
  };
}

function convertedTable({ cells, currency }: ConvertedStatement, method: string): Html {
  const hasFunding = cells.some(({ funding }) => funding !== null);
  const { shown, left } = firstOf(cells, MOST_CELLS);
  const total = (of: (cell: ConvertedCell) => bigint) => totalOf(cells, of);
  return table({
    id: "converted-table",
    caption: html`Realised by ${method}, in ${outside(currency)}, excl. funding where nothing else is said`,
    columns: [
      { head: "Month" },
      { head: "Settled in" },
      ...numbers(
        "Before fees",
        "Fees recognised",
        "Net of fees",
        "Fees paid",
        "Rebates",
        ...(hasFunding ? ["Funding"] : []),
      ),
    ],
    rows: [
      ...shown.map((cell) => ({
        key: `${cell.month} ${cell.currency}`,
        cells: [cell.month, outside(cell.currency), ...convertedCells(cell, hasFunding)],
      })),
      {
        key: "total",
        cells: [
          "Total",
          null,
          result(total(({ gross }) => gross)),
          money(total(({ fees }) => fees)),
          result(total(({ net }) => net)),
          money(total(({ feesPaid }) => feesPaid)),
          money(total(({ rebates }) => rebates)),
          ...(hasFunding ? [result(total(({ funding }) => funding ?? 0n))] : []),
        ],
        isTotal: true,
      },
    ],
    note: left === 0 ? null : `${count(left)} more rows are in the total.`,
  });
}

function convertedCells(
  { gross, fees, net, feesPaid, rebates, funding }: ConvertedCell,
  hasFunding: boolean,
): HtmlValue[] {
  return [
    result(gross),
    money(fees),
    result(net),
    money(feesPaid),
    money(rebates),
    ...(hasFunding ? [funding === null ? null : result(funding)] : []),
  ];
}

function rateTable({ rates, currency }: ConvertedStatement): Html {
  const { shown, left } = firstOf(rates, MOST_RATES);
  return table({
    id: "rates-table",
    caption: html`Rates into ${outside(currency)}`,
    columns: [{ head: "From" }, { head: "Date of the rate" }, ...numbers("Rate", "Lines"), { head: "Source" }],
    rows: shown.map(({ currency: from, rateDate, rate, lines, source }, at) => ({
      key: String(at + 1),
      cells: [outside(from), outside(rateDate), outside(rate), count(lines), outside(source)],
    })),
    note: left === 0 ? null : `${count(left)} more rates were used.`,
  });
}
