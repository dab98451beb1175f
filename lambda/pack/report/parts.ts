import type { Cell } from "../../accounting/cube/cell.ts";
import { PARTIAL_TOTAL } from "../../accounting/cube/figures.ts";
import { lacksOf, type Scope, type ScopeName, scopesOf } from "../../accounting/cube/scopes.ts";
import { METHOD_NAMES } from "../../accounting/method.ts";
import { counted } from "../../core/text.ts";
import { PARTIAL_MEANING } from "../catalogue/facts.ts";
import { fileName } from "../catalogue/names.ts";
import { settledScopes } from "../catalogue/net.ts";
import { isGiven } from "../make/given.ts";
import type { Closing, PackContext } from "../make/maker.ts";
import type { Control } from "../tables/control.ts";
import type { MatchedTransfer } from "../tables/match-transfers.ts";
import type { Table } from "../tables/table.ts";
import { type Html, type HtmlValue, html, outside, outsideText } from "./html.ts";

/** The titles of the page's sections, by their ids. */
export const TITLES = {
  statement: "Statement",
  accounts: "Accounts",
  results: "By month and market",
  positions: "Positions",
  reconciliation: "Reconciliation",
  exceptions: "Exceptions and cut-off",
  rates: "Exchange rates",
  basis: "Basis of preparation",
  proof: "Completeness, and how to check it",
} as const;

export type SectionId = keyof typeof TITLES;

/** Everything that the page is made from. */
export interface View {
  readonly context: PackContext;
  readonly closing: Closing;
  readonly controls: Table<Control>;
  readonly transfers: readonly MatchedTransfer[];
}

/** The page shows this many settlement currencies: those with the most fills. */
const MOST_CURRENCIES = 8;

/** Everything that is settled in one currency. */
export interface CurrencyView {
  readonly name: string;
  /** Its number on the page, for ids. */
  readonly number: number;
  readonly scope: Scope;
  /** Its rows of figures for these names. */
  readonly by: (...names: readonly ScopeName[]) => readonly Scope[];
}

/** One part for each settlement currency, because amounts of several currencies are never added. */
export function byCurrency({ context, closing: { sums } }: View, of: (currency: CurrencyView) => HtmlValue): Html {
  const settled = settledScopes(sums);
  if (settled.length === 0) {
    const isUntyped = sums.cells.some(({ untyped }) => untyped > 0);
    return html`
<p class="empty">This period has ${isUntyped ? "no fills that can be read as a trade" : "no fills"} and no open position.</p>`;
  }
  const parts = settled.slice(0, MOST_CURRENCIES).map((scope, at) => {
    const name = scope.cell.currency ?? "";
    const by = (...names: readonly ScopeName[]) =>
      scopesOf(sums, [...names, "currency"]).filter(({ cell }) => cell.currency === name);
    return html`
<div class="currency" data-currency="${outsideText(name)}">${of({ name, number: at + 1, scope, by })}
</div>`;
  });
  const left = settled.length - parts.length;
  const more = `${counted(left, "more settlement currency is", "more settlement currencies are")} in `;
  return html`${parts}${left <= 0 ? null : html`<p class="note">${more}${file(context, "summary.csv")}.</p>`}`;
}

/** A link to a section, by its title. */
export function see(id: SectionId): Html {
  return html`<a href="#${id}">${TITLES[id]}</a>`;
}

export function file(context: PackContext, name: string): Html {
  return html`<code>${fileName(context, name)}</code>`;
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
  return html`${shown}<sup class="part" title="${PARTIAL_TOTAL}">${PART}</sup>`;
}

const PART = "†";

/** What the sign means, if a cell has it. */
export function partialNote(cells: readonly HtmlValue[]): Html | null {
  return html`${cells}`.markup.includes(PART) ? html` ${PART} ${PARTIAL_MEANING} See ${see("results")}.` : null;
}

export const NOT_KNOWN: Html = html`<span class="unknown">not known</span>`;

/** True: there is PnL, and none of it is known. */
export function isUnknown(cell: Cell): boolean {
  return lacksOf(cell).length > 0 && cell.closes === 0;
}

/** A list of plain texts, some of them from outside. */
export function lines(texts: readonly HtmlValue[]): Html {
  return html`
<ul>${texts.map(
    (text) => html`
<li>${text}</li>`,
  )}
</ul>`;
}

/** What the pack says of itself. */
export function facts(all: readonly (readonly [label: string, text: string])[]): Html {
  return html`
<dl class="facts">${all.map(
    ([label, text]) => html`
<div><dt>${label}</dt><dd>${outside(text, LONGEST)}</dd></div>`,
  )}
</dl>`;
}

/** The longest text of a fact or a point. */
export const LONGEST = 2500;
