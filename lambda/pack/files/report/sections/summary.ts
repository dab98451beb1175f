import { feesOf, isWhole, netOf, totalOf } from "../../../../accounting/aggregate.ts";
import type { Amount } from "../../../../accounting/amount.ts";
import { type MethodRole, shownOrder } from "../../../../accounting/method.ts";
import { count } from "../../../../core/text.ts";
import type { PackContext } from "../../../build/maker.ts";
import { deferredIn, signedValue } from "../../csv/borders.ts";
import { type Html, type HtmlValue, html, outside } from "../html.ts";
import { money, result } from "../numbers.ts";
import {
  byCurrency,
  KNOWN_PART,
  KNOWN_PART_MEANS,
  knownFees,
  knownResult,
  methodName,
  NOT_KNOWN,
  type Section,
} from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";
import type { CurrencyView, View } from "../view.ts";
import { pointsOf } from "./points.ts";

/** What an accountant looks for first. */
export function summarySection(view: View): Section {
  const body = html`${pointsOf(view)}
<p class="note">Amounts show 2 digits after the point. Where further ones are left out stands “…”; the exact amount is in the tooltip, and the CSV files are the record.</p>${byCurrency(
    view,
    (currency) => [tiles(view.context, currency), summaryTable(view.context, currency)],
  )}`;
  return { id: "summary", title: "Summary by settlement currency, excl. funding", body };
}

function tiles({ methods }: PackContext, { sum, name }: CurrencyView): Html {
  const tile = (label: string, value: HtmlValue, note: string) =>
    html`
<div><dt>${label}</dt><dd>${value}<span class="unit">${outside(name)}</span></dd><dd class="small">${note}</dd></div>`;
  const method = `by ${methods.primary}, excl. funding${isWhole(sum) ? "" : ", known part"}`;
  return html`
<dl class="tiles">${tile("Realised, net of fees", knownResult(netOf(sum, "primary"), sum), method)}${tile(
    "Realised, before fees",
    knownResult(sum.gross.primary, sum),
    method,
  )}${tile("Fees less rebates", money(feesOf(sum)), "of the fills of the period")}${tile("Volume", money(sum.volume), `of ${count(sum.fills)} fills`)}
</dl>`;
}

type Figure = readonly [key: string, label: HtmlValue, cell: (role: MethodRole) => HtmlValue];

function summaryTable(context: PackContext, currency: CurrencyView): Html {
  const { sum, number, name, markets } = currency;
  const isPart = !isWhole(sum) || markets.some(({ before, after }) => before.blank !== null || after.blank !== null);
  return listTable<Figure>({
    id: `summary-${number}`,
    caption: html`Both methods side by side, ${outside(name)}, excl. funding`,
    columns: [
      column("Figure", ([, label]) => label),
      ...shownOrder(context.methods).map((role) =>
        numberColumn<Figure>(methodName(context, role), ([, , cell]) => cell(role)),
      ),
    ],
    items: [...resultFigures(currency), ...openFigures(currency)],
    keyOf: ([key]) => key,
    note: html`The two differ only in what is realised and what is still open: at any one price, realised and unrealised together are the same. <a href="#methods">Section 9</a> shows it.${isPart ? ` ${KNOWN_PART_MEANS}` : null}`,
  });
}

function resultFigures({ sum }: CurrencyView): Figure[] {
  const { funding } = sum;
  const expensed = (role: MethodRole) => sum.gross[role] - feesOf(sum);
  const figures: Figure[] = [
    ["gross", "Realised before fees, excl. funding", (role) => knownResult(sum.gross[role], sum)],
    ["recognised", "Fees recognised with what was closed", (role) => knownFees(sum.fees[role], sum)],
    [
      "net",
      html`<strong>Realised net of recognised fees, excl. funding</strong>`,
      (role) => knownResult(netOf(sum, role), sum),
    ],
    ["paid", "Fees paid", () => money(sum.feesPaid)],
    ["rebates", "Rebates received", () => money(sum.rebates)],
    ["fees", "Fees paid less rebates", () => money(feesOf(sum))],
    ["expensed", "Realised less the fees of the period, excl. funding", (role) => knownResult(expensed(role), sum)],
  ];
  if (funding === null) {
    return figures;
  }
  return [
    ...figures,
    ["funding", "Funding, by the user's file", () => result(funding)],
    [
      "net-funding",
      "Realised net of recognised fees, with that funding",
      (role) => knownResult(netOf(sum, role) + funding, sum),
    ],
    [
      "expensed-funding",
      "Realised less the fees of the period, with that funding",
      (role) => knownResult(expensed(role) + funding, sum),
    ],
  ];
}

function openFigures({ markets }: CurrencyView): Figure[] {
  const held = (side: "before" | "after", of: typeof signedValue) => (role: MethodRole) => {
    const amount = totalOf(markets, (market) => of(market[side], role));
    return markets.some((market) => market[side].blank !== null) ? knownHolding(amount) : money(amount);
  };
  return [
    ["open-start", "Open value at the beginning (short: below zero)", held("before", signedValue)],
    ["open-end", "Open value at the end (short: below zero)", held("after", signedValue)],
    ["deferred-start", "Opening fees carried at the beginning", held("before", deferredIn)],
    ["deferred-end", "Opening fees carried at the end", held("after", deferredIn)],
  ];
}

/** Where more is open that is not known. */
function knownHolding(amount: Amount): Html {
  return amount === 0n ? NOT_KNOWN : html`${money(amount)}${KNOWN_PART}`;
}
