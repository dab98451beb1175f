import { totalCell } from "../../../accounting/cube/cell.ts";
import {
  comparedOf,
  convertedOf,
  type FigureKey,
  figureOf,
  isComplete,
  ownOf,
  PARTIAL_TOTAL,
} from "../../../accounting/cube/figures.ts";
import { type Scope, scopeOf, scopesOf } from "../../../accounting/cube/scopes.ts";
import type { Holding } from "../../../accounting/holdings.ts";
import { METHOD_NAMES } from "../../../accounting/method.ts";
import { totalOf } from "../../../core/amount.ts";
import { roundToMinor } from "../../../core/currency.ts";
import { counted } from "../../../core/text.ts";
import { isGiven } from "../../make/given.ts";
import type { PackContext } from "../../make/maker.ts";
import { mainFigure, shownFigures } from "../../tables/figure-column.ts";
import { openIn, unrealisedPnl } from "../../tables/positions.ts";
import { figureCell } from "../figures.ts";
import { type Html, type HtmlValue, html, symbol } from "../html.ts";
import { money, result } from "../numbers.ts";
import { isUnknown, isWhole, methodHead, methodName, NOT_KNOWN, PARTIAL_MEANS, partial } from "../parts.ts";
import { column, listTable, numberColumn } from "../table.ts";
import { see } from "../titles.ts";
import type { CurrencyView, View } from "../view.ts";

/** The first figures: in the reporting currency, else net PnL in each settlement currency. */
export function tiles({ context, closing, currencies }: View): Html | null {
  const name = methodName(context);
  const main = mainFigure(context);
  const { currency: to } = closing.sums;
  const tile = (key: FigureKey, scope: Scope, unit: string, words: string) => html`
<div><dt>${figureOf(key).name}</dt><dd>${figureCell(key, scope, unit, to === null ? ownOf : inReport)}<span class="unit">${symbol(unit)}</span></dd><dd class="small">${isWhole(scope.cell) ? words : `${words}, ${PARTIAL_TOTAL}`}</dd></div>`;
  const [all = scopeOf(totalCell([]))] = scopesOf(closing.sums, []);
  const keys = shownFigures(context, [main, "gross_pnl", "fees_recognised", "funding"]);
  const shown =
    to === null
      ? currencies.map((own) => tile(main, own.scope, own.name, name))
      : keys.map((key) => tile(key, all, to, `${name}, converted`));
  return shown.length === 0
    ? null
    : html`
<dl class="tiles">${shown}
</dl>`;
}

/** A figure in the reporting currency. */
export function inReport(key: FigureKey, scope: Scope) {
  return convertedOf(key, scope) ?? { amount: null, lacks: [] };
}

/** A line of a table. */
interface Figure {
  readonly key: string;
  readonly label: string;
  /** True: the figure that the client signs for. */
  readonly isMain: boolean;
  readonly cell: HtmlValue;
  /** Under the method for comparison. Null: it is shown for results only. */
  readonly compared: HtmlValue;
}

const LINES: readonly FigureKey[] = [
  "gross_pnl",
  "fees_recognised",
  "realised_pnl_net_of_fees_excl_funding",
  "gains",
  "losses",
  "funding",
  "realised_pnl_net_incl_funding",
  "open_value_at_start",
  "open_value_at_end",
  "deferred_fees_at_start",
  "deferred_fees_at_end",
];

/** Gross, fees, funding, net and open positions of one currency. */
export function statementTable(context: PackContext, currency: CurrencyView): Html {
  const { name, number, scope } = currency;
  const { cell } = scope;
  const main = mainFigure(context);
  const rows: Readonly<Partial<Record<FigureKey, number>>> = { gains: cell.gainRows, losses: cell.lossRows };
  return listTable<Figure>({
    id: `statement-${number}`,
    caption: html`Settled in ${symbol(name)}: realised PnL and open positions`,
    columns: [
      column("Figure", ({ label, isMain }) => (isMain ? html`<strong>${label}</strong>` : label)),
      numberColumn(methodHead(context), ({ cell: own }) => own),
      numberColumn(METHOD_NAMES[context.methods.reference], ({ compared }) => compared),
    ],
    items: [
      ...shownFigures(context, LINES).map((key): Figure => {
        const { name: label, isCompared } = figureOf(key);
        const ofRows = rows[key];
        return {
          key,
          label: ofRows === undefined ? label : `${label}: ${counted(ofRows, "row")} of realised-pnl.csv`,
          isMain: key === main,
          cell: figureCell(key, scope, name),
          compared: isCompared === true ? figureCell(key, scope, name, comparedOf) : comparedFunding(key, scope, name),
        };
      }),
      ...markFigures(context, currency),
      ...feeFigures(currency),
    ],
    keyOf: ({ key }) => key,
    note: [methodNote(context, currency), isComplete(scope) ? null : html` ${PARTIAL_MEANS}`],
  });
}

/** Funding is the same under every method. */
function comparedFunding(key: FigureKey, scope: Scope, name: string): HtmlValue {
  return key === "funding" ? figureCell(key, scope, name) : null;
}

function figure(key: string, label: string, cell: HtmlValue): Figure {
  return { key, label, isMain: false, cell, compared: null };
}

/** At the user's prices. */
function markFigures(context: PackContext, { scope, name }: CurrencyView): Figure[] {
  if (!isGiven(context, "marks")) {
    return [];
  }
  const amounts = openIn(scope.holdings).map((row: Holding) => unrealisedPnl(context, row));
  const known = amounts.filter((amount) => amount !== null);
  const total = result(
    totalOf(known, (amount) => amount),
    name,
  );
  const isAll = known.length === amounts.length;
  const part = known.length === 0 ? NOT_KNOWN : partial(total);
  return [figure("unrealised", "Unrealised PnL, end, at the prices of marks.csv", isAll ? total : part)];
}

function feeFigures({ scope, markets, name }: CurrencyView): Figure[] {
  const fees = figure("net_fees", figureOf("net_fees").name, figureCell("net_fees", scope, name));
  if (isWhole(scope.cell)) {
    return [fees];
  }
  const { feesPaid, rebates } = totalCell(markets.map(({ cell }) => cell).filter((cell) => !isWhole(cell)));
  return [fees, figure("fees-unknown", "of which: markets without full PnL", money(feesPaid.plus(rebates), name))];
}

/** The taxpayer chooses the method, so both totals are named where they differ. */
function methodNote(context: PackContext, { scope, name }: CurrencyView): Html {
  const main = mainFigure(context);
  const [net, other] = [ownOf(main, scope).amount, comparedOf(main, scope).amount];
  if (isUnknown(scope.cell) || net === null || other === null) {
    return html`Short positions at cost are negative.`;
  }
  const [primary, reference] = [roundToMinor(net, name), roundToMinor(other, name)];
  const [own, beside] = [methodName(context), METHOD_NAMES[context.methods.reference]];
  const choice = context.isMethodChosen ? `${own} was chosen.` : `No method was chosen, so ${own} was used.`;
  const totals = primary.eq(reference)
    ? "Net realised PnL is the same under both methods."
    : html`Net realised PnL is ${result(primary, name)} under ${own} and ${result(reference, name)} under ${beside}.`;
  return html`${totals} ${choice} Short positions at cost are negative: see ${see("reconciliation")}.`;
}
