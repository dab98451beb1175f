import type { Cell } from "../../accounting/cube/cell.ts";
import { PARTIAL_TOTAL } from "../../accounting/cube/figures.ts";
import { lacksOf, type Scope, scopesOf } from "../../accounting/cube/scopes.ts";
import { METHOD_NAMES } from "../../accounting/method.ts";
import { counted } from "../../core/text.ts";
import { fileName } from "../catalogue/names.ts";
import { settledScopes } from "../catalogue/net.ts";
import { isGiven } from "../make/given.ts";
import type { Closing, PackContext } from "../make/maker.ts";
import type { Control } from "../tables/control.ts";
import type { MatchedTransfer } from "../tables/match-transfers.ts";
import type { Table } from "../tables/table.ts";
import { type Html, type HtmlValue, html, outside, outsideText, symbol } from "./html.ts";
import type { LargestTrips } from "./largest-trips.ts";
import type { RunningPnl } from "./running-pnl.ts";

/** The titles of the page's sections, by their ids. */
export const TITLES = {
  statement: "Statement",
  accounts: "Accounts",
  charts: "Charts",
  results: "By month and market",
  positions: "Positions",
  "closed-trades": "Closed trades",
  reconciliation: "Reconciliation",
  exceptions: "Exceptions and cut-off",
  rates: "Exchange rates",
  basis: "Basis of preparation",
  proof: "Completeness, and how to check it",
} as const;

export type SectionId = keyof typeof TITLES;

/** The page shows this many settlement currencies: those with the most fills. */
const MOST_CURRENCIES = 8;

/** Everything that the page is made from. */
export interface View {
  readonly context: PackContext;
  readonly closing: Closing;
  readonly trips: LargestTrips;
  readonly running: RunningPnl;
  readonly controls: Table<Control>;
  readonly transfers: readonly MatchedTransfer[];
  readonly currencies: readonly CurrencyView[];
  readonly currenciesLeft: number;
}

/** Everything that is settled in one currency. */
export interface CurrencyView {
  readonly name: string;
  /** Its number on the page, for ids. */
  readonly number: number;
  readonly scope: Scope;
  /** By account and currency; by month and currency; by account, market and currency. */
  readonly accounts: readonly Scope[];
  readonly months: readonly Scope[];
  readonly markets: readonly Scope[];
}

export function viewOf(made: Omit<View, "currencies" | "currenciesLeft">): View {
  const { sums } = made.closing;
  const nameOf = ({ cell }: Scope) => cell.currency ?? "";
  const [accounts, months, markets] = (
    [
      ["account", "currency"],
      ["month", "currency"],
      ["account", "market", "currency"],
    ] as const
  ).map((names) => Map.groupBy(scopesOf(sums, names), nameOf));
  const settled = settledScopes(sums);
  const currencies = settled.slice(0, MOST_CURRENCIES).map((scope, at): CurrencyView => {
    const own = (by: ReadonlyMap<string, readonly Scope[]> | undefined) => by?.get(nameOf(scope)) ?? [];
    const rows = { accounts: own(accounts), months: own(months), markets: own(markets) };
    return { name: nameOf(scope), number: at + 1, scope, ...rows };
  });
  return { ...made, currencies, currenciesLeft: settled.length - currencies.length };
}

/** One part for each settlement currency, because amounts of several currencies are never added. */
export function byCurrency(view: View, of: (currency: CurrencyView) => HtmlValue, hasHead = true): Html {
  const { context, currencies, closing, currenciesLeft: left } = view;
  if (currencies.length === 0) {
    const isUntyped = closing.sums.cells.some(({ untyped }) => untyped > 0);
    return html`
<p class="empty">This period has ${isUntyped ? "no fills that can be read as a trade" : "no fills"} and no open position.</p>`;
  }
  const parts = currencies.map(
    (currency) => html`
<div class="currency" data-currency="${outsideText(currency.name)}">${
      hasHead
        ? html`
<h3>Settled in ${symbol(currency.name)}</h3>`
        : null
    }${of(currency)}
</div>`,
  );
  const more = `${counted(left, "more settlement currency is", "more settlement currencies are")} in `;
  return html`${parts}${left === 0 ? null : html`<p class="note">${more}${file(context, "summary.csv")}.</p>`}`;
}

/** A link to a section, by its title. */
export function see(id: SectionId): Html {
  return html`<a href="#${id}">${TITLES[id]}</a>`;
}

export function file(context: PackContext, name: string): Html {
  return html`<code>${fileName(context, name)}</code>`;
}

/** `n more rows are in …` */
export function moreIn(context: PackContext, what: string, name: string): (left: number) => Html {
  return (left) => html` ${counted(left, `more ${what} is`, `more ${what}s are`)} in ${file(context, name)}.`;
}

/** The words for the net amount with which the page begins. */
export function fundingWords(context: Pick<PackContext, "accounts">): string {
  return isGiven(context, "funding") ? "incl. funding" : "excl. funding";
}

/** `accounts hedge, main` */
export function accountWords({ accounts }: PackContext): string {
  const names = accounts.map(({ account }) => outsideText(account)).join(", ");
  return `${accounts.length === 1 ? "account" : "accounts"} ${names}`;
}

/** `Average cost` */
export function methodName({ methods }: Pick<PackContext, "methods">): string {
  return METHOD_NAMES[methods.primary];
}

/** A total to which more belongs that is not known. */
export function partial(shown: HtmlValue): Html {
  return html`${shown}<sup class="part" title="${PARTIAL_TOTAL}">†</sup>`;
}

export const PARTIAL_MEANS: Html = html`† Partial total: excludes fills whose PnL is not known. See ${see("results")}.`;

export const NOT_KNOWN: Html = html`<span class="unknown">not known</span>`;

/** True: no fills are missing, and the result of every close is known. */
export function isWhole(cell: Cell): boolean {
  return lacksOf(cell).length === 0;
}

/** True: there is PnL, and none of it is known. */
export function isUnknown(cell: Cell): boolean {
  return !isWhole(cell) && cell.closes === 0;
}

/** Values below one another, in small letters. */
export function stacked(values: readonly HtmlValue[]): Html {
  return html`<span class="ids">${values.map((value) => (value === null ? null : html`<span>${value}</span>`))}</span>`;
}

/** A list of plain texts, some of them from outside. */
export function lines(texts: readonly HtmlValue[], kind: string): Html {
  return html`
<ul class="${kind}">${texts.map(
    (text) => html`
<li>${text}</li>`,
  )}
</ul>`;
}

/** What the pack says of itself. `longest`: of a text. */
export function facts(all: readonly (readonly [label: string, text: string])[], kind: "facts" | "terms"): Html {
  return html`
<dl class="${kind}">${all.map(
    ([label, text]) => html`
<div><dt>${label}</dt><dd>${outside(text, LONGEST)}</dd></div>`,
  )}
</dl>`;
}

/** The longest text of a fact or a point. */
export const LONGEST = 2500;
