import { isGiven } from "../make/given.ts";
import type { PackContext } from "../make/maker.ts";
import { type Html, html, outsideText } from "./html.ts";

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

/** The words for the net amount with which the page begins. */
export function fundingWords(context: Pick<PackContext, "accounts">): string {
  return isGiven(context, "funding") ? "incl. funding" : "excl. funding";
}

/** A link to a section, by its title. */
export function see(id: SectionId): Html {
  return html`<a href="#${id}">${TITLES[id]}</a>`;
}

function namesOf({ accounts }: PackContext): string {
  return accounts.map(({ account }) => outsideText(account)).join(", ");
}

/** The word before the names of a pack's accounts. */
export function accountWord({ accounts }: PackContext): string {
  return accounts.length === 1 ? "account" : "accounts";
}

/** The report's name where a program shows it. */
export function documentTitle(context: PackContext): string {
  const { period, complete } = context;
  return `${complete ? "" : "INCOMPLETE: "}Trading statement: ${accountWord(context)} ${namesOf(context)}, ${period.firstDay} to ${period.lastDay}, ${fundingWords(context)}`;
}

/** The foot of each sheet. */
export function footerText(context: PackContext): string {
  const { period } = context;
  return `${context.accounts.length === 1 ? "Account" : "Accounts"} ${namesOf(context)}, ${period.firstDay} to ${period.lastDay}, ${fundingWords(context)}`;
}
