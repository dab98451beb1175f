import { add, isWhole, knownSumOf, netOf, sumOf } from "../../../accounting/aggregate.ts";
import { type ConvertedStatement, sumConverted } from "../../../accounting/rates/converted.ts";
import type { Statement } from "../../../accounting/statement.ts";
import { type Amount, ZERO } from "../../../core/amount.ts";
import { formatMinor, minorUnitsOf } from "../../../core/currency.ts";
import { counted } from "../../../core/text.ts";
import type { SheetCell } from "../../../formats/xlsx/xlsx.ts";
import type { Closing, PackContext } from "../../build/maker.ts";
import { currenciesOf, inCurrency, noteOf } from "./activity.ts";
import { methodNames } from "./labels.ts";

/** A row of the cover's first table. */
export interface Headline {
  readonly label: string;
  /** By the chosen method, then by the other one. Null: not known, or only one method has it. */
  readonly cells: readonly [SheetCell, SheetCell];
  readonly note: string;
}

/** The cover has the figures of this many currencies. Summary has all. */
const MOST_CURRENCIES = 12;

/** The results of the period: in the reporting currency if there is one, then in each settlement currency. */
export function headlines(context: PackContext, { statement, converted }: Closing): Headline[] {
  const currencies = currenciesOf(statement.marketMonths, statement.markets);
  const more = currencies.length - MOST_CURRENCIES;
  return [
    ...(converted === null ? [] : convertedHeadlines(context, statement, converted)),
    ...currencies.slice(0, MOST_CURRENCIES).flatMap((currency) => headlinesIn(context, statement, currency)),
    ...(more > 0
      ? [
          {
            label: "",
            cells: [null, null] as const,
            note: `${counted(more, "more settlement currency is", "more settlement currencies are")} on the sheet Summary.`,
          },
        ]
      : []),
  ];
}

function convertedHeadlines(
  context: PackContext,
  { marketMonths }: Statement,
  { currency, months }: ConvertedStatement,
): Headline[] {
  const { gross, fees, net, funding } = sumConverted(months);
  const part = isWhole(sumOf(marketMonths)) ? "" : " Partial total: excludes closing fills whose PnL is not known.";
  const note = `All currencies together, ${methodNames(context).primary}: each line is converted at the rate of its day.${part}`;
  const line = (label: string, amount: Amount, text = ""): Headline => ({
    label: `${label}, ${currency}`,
    cells: [headlineCell(amount, currency), null],
    note: text,
  });
  const withoutFunding = [
    line("Net PnL excl. funding", net, funding === null ? note : ""),
    line("Gross PnL", gross),
    line("Fees on closed positions", fees),
  ];
  return funding === null
    ? withoutFunding
    : [line("Net PnL incl. funding", net.plus(funding), note), ...withoutFunding, line("Funding", funding)];
}

function headlinesIn(
  context: PackContext,
  { marketMonths, compared, markets }: Statement,
  currency: string,
): Headline[] {
  const sums = knownSumOf(inCurrency(marketMonths, currency), context.funding !== null);
  const other = compared.get(currency) ?? { gross: ZERO, fees: ZERO };
  const line = (label: string, own: Amount | null, beside: Amount | null, text = ""): Headline => ({
    label: `${label}, ${currency}`,
    cells:
      own === null || beside === null ? [null, null] : [headlineCell(own, currency), headlineCell(beside, currency)],
    note: text,
  });
  const note = noteOf(sums, inCurrency(markets, currency));
  const withoutFunding = [
    line("Net PnL excl. funding", sums.net, netOf(other), sums.funding === null ? note : ""),
    line("Gross PnL", sums.gross, other.gross),
    line("Fees on closed positions", sums.fees, other.fees),
  ];
  return sums.funding === null
    ? withoutFunding
    : [
        line("Net PnL incl. funding", add(sums.net, sums.funding), add(netOf(other), sums.funding), note),
        ...withoutFunding,
        line("Funding", sums.funding, sums.funding),
      ];
}

/** Rounded half even to the minor unit of the currency, as in the report. */
function headlineCell(amount: Amount, currency: string): SheetCell {
  const places = minorUnitsOf(currency);
  const style = places === 2 ? "money" : "fine";
  return { number: formatMinor(amount, currency), style: places === 0 ? "whole" : style };
}
