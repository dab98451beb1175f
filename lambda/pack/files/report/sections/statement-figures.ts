import { feesOf, isWhole, netOf, sumOf, totalOf } from "../../../../accounting/aggregate.ts";
import { type Amount, roundToMinor } from "../../../../accounting/amount.ts";
import { byMethod, METHOD_ROLES, type MethodRole } from "../../../../accounting/method.ts";
import type { ConvertedMonth, ConvertedStatement } from "../../../../accounting/rates/converted.ts";
import type { PackContext } from "../../../build/maker.ts";
import { deferredIn, signedValue } from "../../csv/borders.ts";
import { fundingWords, netWithFunding } from "../figures.ts";
import { type Html, type HtmlValue, html, outside } from "../html.ts";
import { money, result } from "../numbers.ts";
import {
  currencyParts,
  isUnknown,
  knownFees,
  knownHolding,
  knownResult,
  methodHead,
  methodName,
  PARTIAL_MEANS,
} from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";
import { see } from "../titles.ts";
import type { CurrencyView, View } from "../view.ts";

/** The first number: in the reporting currency, or else net PnL in each currency of settlement. */
export function headline(view: View): Html | null {
  const { context, closing, currencies } = view;
  const name = methodName(context, "primary");
  const tiles =
    closing.converted === null
      ? currencies.map(({ name: currency, sum }) => ({
          label: `Net realised PnL, ${fundingWords(context)}`,
          value: knownResult(netWithFunding(sum, "primary", context), sum, currency),
          unit: currency,
          small: isWhole(sum) ? name : `${name}, partial total`,
        }))
      : convertedTiles(view, closing.converted);
  return tiles.length === 0
    ? null
    : html`
<dl class="tiles">${tiles.map(
        ({ label, value, unit, small }) => html`
<div><dt>${label}</dt><dd>${value}<span class="unit">${outside(unit)}</span></dd><dd class="small">${small}</dd></div>`,
      )}
</dl>`;
}

function convertedTiles({ context, closing }: View, { months, currency }: ConvertedStatement) {
  const all = sumOf(closing.statement.marketMonths);
  const small = `${methodName(context, "primary")}, converted${isWhole(all) ? "" : ", partial total"}`;
  const total = (of: (month: ConvertedMonth) => Amount | null) => totalOf(months, (month) => of(month) ?? 0n);
  const funding = context.funding === null ? null : total((month) => month.funding);
  const tile = (label: string, value: Html) => ({ label, value, unit: currency, small });
  const pnl = (amount: Amount) => knownResult(amount, all, currency);
  return [
    tile(`Net realised PnL, ${fundingWords(context)}`, pnl(total(({ net }) => net) + (funding ?? 0n))),
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

type Figure = readonly [key: string, label: HtmlValue, cell: (role: MethodRole) => HtmlValue];

/** Gross, fees, funding, net and what is open, by both methods. */
export function statementTables(view: View): Html {
  const { context } = view;
  return html`<div class="pair">${currencyParts(view, (currency) => {
    const { name, number, sum, markets } = currency;
    const isPart = !isWhole(sum) || markets.some(({ before, after }) => before.blank !== null || after.blank !== null);
    return listTable<Figure>({
      id: `statement-${number}`,
      caption: html`Settled in ${outside(name)}: realised PnL and open positions`,
      columns: [
        column("Figure", ([, label]) => label),
        ...METHOD_ROLES.map((role) => numberColumn<Figure>(methodHead(context, role), ([, , cell]) => cell(role))),
      ],
      items: [...resultFigures(context, currency), ...openFigures(currency), ...feeFigures(currency)],
      keyOf: ([key]) => key,
      note: [methodNote(context, currency), isPart ? html` ${PARTIAL_MEANS}` : null],
    });
  })}</div>`;
}

function resultFigures(context: PackContext, { sum, name }: CurrencyView): Figure[] {
  const gross: Figure = ["gross", "Gross realised PnL", (role) => knownResult(sum.gross[role], sum, name)];
  const fees: Figure = ["recognised", "Fees on closed positions", (role) => knownFees(sum.fees[role], sum, name)];
  const net = (label: HtmlValue): Figure => ["net", label, (role) => knownResult(netOf(sum, role), sum, name)];
  if (context.funding === null) {
    return [gross, fees, net(html`<strong>Net realised PnL, excl. funding</strong>`)];
  }
  return [
    gross,
    fees,
    net("Net realised PnL, excl. funding"),
    ["funding", "Funding received less paid", () => result(sum.funding ?? 0n, name)],
    [
      "net-funding",
      html`<strong>Net realised PnL, incl. funding</strong>`,
      (role) => knownResult(netWithFunding(sum, role, context), sum, name),
    ],
  ];
}

function openFigures({ markets, name }: CurrencyView): Figure[] {
  const held = (side: "before" | "after", of: typeof signedValue) => (role: MethodRole) => {
    const amount = totalOf(markets, (market) => of(market[side], role));
    return knownHolding(
      amount,
      name,
      markets.every((market) => market[side].blank === null),
    );
  };
  return [
    ["open-start", "Open positions at cost, beginning", held("before", signedValue)],
    ["open-end", "Open positions at cost, end", held("after", signedValue)],
    ["deferred-start", "Fees carried with them, beginning", held("before", deferredIn)],
    ["deferred-end", "Fees carried with them, end", held("after", deferredIn)],
  ];
}

function feeFigures({ sum, unknown, name }: CurrencyView): Figure[] {
  const fees: Figure = ["fees", "Fees charged in the period, less rebates", () => money(feesOf(sum), name)];
  return isWhole(sum)
    ? [fees]
    : [fees, ["fees-unknown", "of which in markets without full PnL", () => money(feesOf(unknown), name)]];
}

/** Which of two methods is used is the taxpayer's choice: both totals are said where it matters. */
function methodNote(context: PackContext, { sum, name }: CurrencyView): Html {
  if (isUnknown(sum)) {
    return html`Short positions at cost are below zero.`;
  }
  const { primary, reference } = byMethod((role) => roundToMinor(netWithFunding(sum, role, context), name));
  const [own, beside] = [methodName(context, "primary"), methodName(context, "reference")];
  const choice = context.isMethodChosen ? `${own} was chosen.` : `No method was chosen, so ${own} was used.`;
  const totals =
    primary === reference
      ? "Net realised PnL is the same by both methods."
      : html`Net realised PnL is ${result(primary, name)} by ${own} and ${result(reference, name)} by ${beside}.`;
  return html`${totals} ${choice} Short positions at cost are below zero: see ${see("reconciliation")}.`;
}
