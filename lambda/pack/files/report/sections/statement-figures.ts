import { feesOf, isWhole, netOf, PARTIAL_TOTAL, sumOf } from "../../../../accounting/aggregate.ts";
import { METHOD_NAMES } from "../../../../accounting/method.ts";
import type { ConvertedMonth, ConvertedStatement } from "../../../../accounting/rates/converted.ts";
import { type Amount, totalOf, ZERO } from "../../../../core/amount.ts";
import { roundToMinor } from "../../../../core/currency.ts";
import type { PackContext } from "../../../build/maker.ts";
import { deferredIn, signedValue } from "../../csv/borders.ts";
import { positionRows, unrealisedPnl } from "../../csv/open-positions.ts";
import { fundingWords, netWithFunding } from "../figures.ts";
import { type Html, type HtmlValue, html, symbol } from "../html.ts";
import { money, result } from "../numbers.ts";
import { isUnknown, knownFees, knownHolding, knownResult, methodName, PARTIAL_MEANS } from "../parts.ts";
import { see } from "../titles.ts";
import type { CurrencyView, View } from "../view.ts";

/** A figure that stands out. */
export interface Tile {
  readonly label: string;
  readonly value: Html;
  readonly unit: string;
  readonly small: string;
}

/** The first figures: in the reporting currency, else net PnL in each settlement currency. */
export function headline(view: View): readonly Tile[] {
  const { context, closing, currencies } = view;
  const name = methodName(context);
  return closing.converted === null
    ? currencies.map(({ name: currency, sum }) => ({
        label: `Net realised PnL, ${fundingWords(context)}`,
        value: knownResult(netWithFunding(sum, context), sum, currency),
        unit: currency,
        small: isWhole(sum) ? name : `${name}, ${PARTIAL_TOTAL}`,
      }))
    : convertedTiles(view, closing.converted);
}

function convertedTiles({ context, closing }: View, { months, currency }: ConvertedStatement): readonly Tile[] {
  const all = sumOf(closing.statement.marketMonths);
  const small = `${methodName(context)}, converted${isWhole(all) ? "" : `, ${PARTIAL_TOTAL}`}`;
  const total = (of: (month: ConvertedMonth) => Amount | null) => totalOf(months, (month) => of(month) ?? ZERO);
  const funding = context.funding === null ? null : total((month) => month.funding);
  const tile = (label: string, value: Html) => ({ label, value, unit: currency, small });
  const pnl = (amount: Amount) => knownResult(amount, all, currency);
  return [
    tile(`Net realised PnL, ${fundingWords(context)}`, pnl(total(({ net }) => net).plus(funding ?? ZERO))),
    tile("Gross realised PnL", pnl(total(({ gross }) => gross))),
    tile(
      "Fees on closed positions",
      knownFees(
        total(({ fees }) => fees),
        all,
        currency,
      ),
    ),
    ...(funding === null ? [] : [tile("Funding", result(funding, currency))]),
  ];
}

/** A line of a table. */
export interface Figure {
  readonly key: string;
  readonly label: string;
  /** True: the figure that the client signs for. */
  readonly isMain: boolean;
  readonly cell: Html;
  /** Under the method for comparison. Null: it is shown for results only. */
  readonly compared: Html | null;
}

/** Gross, fees, funding, net and open positions of one currency. */
export interface StatementTable {
  readonly currency: Pick<CurrencyView, "name" | "number">;
  readonly caption: Html;
  readonly figures: readonly Figure[];
  readonly note: HtmlValue;
}

export function statementTable(context: PackContext, currency: CurrencyView): StatementTable {
  const { name, sum, markets } = currency;
  const isPart = !isWhole(sum) || markets.some(({ before, after }) => before.blank !== null || after.blank !== null);
  return {
    currency,
    caption: html`Settled in ${symbol(name)}: realised PnL and open positions`,
    figures: [
      ...resultFigures(context, currency),
      ...openFigures(currency),
      ...markFigures(context, currency),
      ...feeFigures(currency),
    ],
    note: [methodNote(context, currency), isPart ? html` ${PARTIAL_MEANS}` : null],
  };
}

function figure(key: string, label: string, cell: Html): Figure {
  return { key, label, isMain: false, cell, compared: null };
}

function resultFigures(context: PackContext, { sum, compared, name }: CurrencyView): Figure[] {
  const [net, other] = [netOf(sum), netOf(compared)];
  const both = (shown: typeof knownResult, own: Amount, beside: Amount) => ({
    cell: shown(own, sum, name),
    compared: shown(beside, sum, name),
    isMain: false,
  });
  const figures: Figure[] = [
    { key: "gross", label: "Gross realised PnL", ...both(knownResult, sum.gross, compared.gross) },
    { key: "recognised", label: "Fees on closed positions", ...both(knownFees, sum.fees, compared.fees) },
    {
      key: "net",
      label: "Net realised PnL, excl. funding",
      ...both(knownResult, net, other),
      isMain: context.funding === null,
    },
  ];
  if (context.funding === null) {
    return figures;
  }
  const funding = sum.funding ?? ZERO;
  const received = result(funding, name);
  return [
    ...figures,
    { key: "funding", label: "Funding received less paid", isMain: false, cell: received, compared: received },
    {
      key: "net-funding",
      label: "Net realised PnL, incl. funding",
      ...both(knownResult, net.plus(funding), other.plus(funding)),
      isMain: true,
    },
  ];
}

function openFigures({ markets, name }: CurrencyView): Figure[] {
  const held = (side: "before" | "after", of: typeof signedValue) => {
    const amount = totalOf(markets, (market) => of(market[side]));
    return knownHolding(
      amount,
      name,
      markets.every((market) => market[side].blank === null),
    );
  };
  return [
    figure("open-start", "Open positions at cost, start", held("before", signedValue)),
    figure("open-end", "Open positions at cost, end", held("after", signedValue)),
    figure("deferred-start", "Fees carried, start", held("before", deferredIn)),
    figure("deferred-end", "Fees carried, end", held("after", deferredIn)),
  ];
}

/** At the user's prices. */
function markFigures({ marks }: PackContext, { markets, name }: CurrencyView): Figure[] {
  if (marks === null) {
    return [];
  }
  const rows = positionRows({ markets });
  const amounts = rows.map((row) => unrealisedPnl(row, marks));
  const known = amounts.filter((amount) => amount !== null);
  const total = totalOf(known, (amount) => amount);
  return [
    figure(
      "unrealised",
      "Unrealised PnL, end, at the prices of marks.csv",
      knownHolding(total, name, known.length === amounts.length),
    ),
  ];
}

function feeFigures({ sum, unknown, name }: CurrencyView): Figure[] {
  const fees = figure("fees", "Fees charged in the period, less rebates", money(feesOf(sum), name));
  return isWhole(sum)
    ? [fees]
    : [fees, figure("fees-unknown", "of which: markets without full PnL", money(feesOf(unknown), name))];
}

/** The taxpayer chooses the method, so both totals are named where they differ. */
function methodNote(context: PackContext, { sum, compared, name }: CurrencyView): Html {
  if (isUnknown(sum)) {
    return html`Short positions at cost are negative.`;
  }
  const net = netWithFunding(sum, context);
  const primary = roundToMinor(net, name);
  const reference = roundToMinor(net.minus(netOf(sum)).plus(netOf(compared)), name);
  const [own, beside] = [methodName(context), METHOD_NAMES[context.methods.reference]];
  const choice = context.isMethodChosen ? `${own} was chosen.` : `No method was chosen, so ${own} was used.`;
  const totals = primary.eq(reference)
    ? "Net realised PnL is the same under both methods."
    : html`Net realised PnL is ${result(primary, name)} under ${own} and ${result(reference, name)} under ${beside}.`;
  return html`${totals} ${choice} Short positions at cost are negative: see ${see("reconciliation")}.`;
}
