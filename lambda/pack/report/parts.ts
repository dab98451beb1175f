import type { Cell } from "../../accounting/cube/cell.ts";
import { PARTIAL_TOTAL } from "../../accounting/cube/figures.ts";
import { lacksOf } from "../../accounting/cube/scopes.ts";
import { METHOD_NAMES } from "../../accounting/method.ts";
import { type Amount, ZERO } from "../../core/amount.ts";
import { counted } from "../../core/text.ts";
import { type ExceptionSummary, INCOMPLETE_MARK, type PackContext } from "../make/maker.ts";
import { type Html, type HtmlValue, html, outside, outsideText, symbol } from "./html.ts";
import { signedUnits } from "./numbers.ts";
import { type SectionId, see } from "./titles.ts";
import type { CurrencyView, View } from "./view.ts";

/** A numbered part of the page. */
export interface Section {
  readonly id: SectionId;
  readonly body: HtmlValue;
}

/**
 * One part for each settlement currency, because amounts of several currencies are never added. `of` makes
 * the part of one.
 */
export function byCurrency(view: View, of: (currency: CurrencyView) => HtmlValue): Html {
  return framedParts(
    view,
    view.currencies.map((currency) => ({
      name: currency.name,
      part: html`
<h3>Settled in ${symbol(currency.name)}</h3>${of(currency)}`,
    })),
  );
}

/** The same for finished parts, which name the currency themselves. */
export function framedParts(view: View, parts: readonly { readonly name: string; readonly part: HtmlValue }[]): Html {
  if (parts.length === 0) {
    return html`
<p class="empty">${nothingIn(view)}</p>`;
  }
  const framed = parts.map(
    ({ name, part }) => html`
<div class="currency" data-currency="${outsideText(name)}">${part}
</div>`,
  );
  return html`${framed}${
    view.currenciesLeft === 0 ? null : html`<p class="note">${moreCurrencies(view.context, view.currenciesLeft)}</p>`
  }`;
}

/** Stands in place of figures if no currency has any. */
export function nothingIn({ untyped }: View): string {
  const what = untyped === 0 ? "no fills" : "no fills that can be read as a trade";
  return `This period has ${what} and no open position.`;
}

/** Says how many currencies are left out. */
export function moreCurrencies(context: PackContext, left: number): Html {
  return html`${counted(left, "more settlement currency is", "more settlement currencies are")} in ${file(context, "summary.csv")}.`;
}

/** The name of a file in this pack. In an incomplete pack the name says so. */
export function fileName({ complete }: PackContext, name: string): string {
  return complete ? name : INCOMPLETE_MARK + name;
}

export function file(context: PackContext, name: string): Html {
  return html`<code>${fileName(context, name)}</code>`;
}

/** The file that has everything of which a table shows the first rows. */
export const WHOLE = { months: "summary-months.csv", markets: "summary-days.csv", lots: "open-lots.csv" } as const;

/** Rows about fills and notes about markets are different things and never one number. */
export function exceptionCounts({ count: all, ofFills }: ExceptionSummary): string {
  const notes = all - ofFills;
  return `${ofFills === 0 ? "none" : counted(ofFills, "row")} about single fills, ${notes === 0 ? "no notes" : counted(notes, "note")} about markets`;
}

/** `Average cost` */
export function methodName({ methods }: Pick<PackContext, "methods">): string {
  return METHOD_NAMES[methods.primary];
}

/** `Average cost (chosen)` */
export function methodHead(context: Pick<PackContext, "methods" | "isMethodChosen">): string {
  return methodName(context) + (context.isMethodChosen ? " (chosen)" : " (default)");
}

/** A total to which more belongs that is not known. */
export function partial(shown: HtmlValue): Html {
  return html`${shown}<sup class="part" title="${PARTIAL_TOTAL}">†</sup>`;
}

/** True: no fills are missing, and the result of every close is known. */
export function isWhole(cell: Cell): boolean {
  return lacksOf(cell).length === 0;
}

/** True: there is PnL, and none of it is known. */
export function isUnknown(cell: Cell): boolean {
  return !isWhole(cell) && cell.closes === 0;
}

export function positionOf(position: Amount | null): Html {
  return position === null ? NOT_KNOWN : signedUnits(position);
}

export const PARTIAL_MEANS: Html = html`† Partial total: excludes fills whose PnL is not known. See ${see("results")}.`;

export const NOT_KNOWN: Html = html`<span class="unknown">not known</span>`;

/** Blue and orange. The sign says the same. */
export function toneOf(value: Amount): "blue" | "orange" {
  return value.lt(ZERO) ? "orange" : "blue";
}

/** Values below one another, in small letters. */
export function stacked(values: readonly HtmlValue[]): Html {
  return html`<span class="ids">${values.map((value) => (value === null ? null : html`<span>${value}</span>`))}</span>`;
}

/** A chart with its caption. Its numbers stand below. */
export function figure(drawn: Html, caption: HtmlValue, after: HtmlValue = null): Html {
  return html`
<figure><figcaption>${caption}</figcaption>${drawn}${after}</figure>`;
}

/** `hedge, main` */
export function names(all: readonly string[], show: (name: string) => Html = (name) => outside(name)): Html {
  return html`${all.map((name, at) => html`${at === 0 ? null : ", "}${show(name)}`)}`;
}
