import type { Origin } from "../../../accounting/accounts.ts";
import type { UnknownReason } from "../../../accounting/booked.ts";
import { METHOD_NAMES } from "../../../accounting/method.ts";
import type { PackContext } from "../../build/maker.ts";

/** The name and the title of a sheet. Every title says whose it is, its period, and what it leaves out. */
export interface Frame {
  readonly name: string;
  readonly title: string;
  readonly footer: string;
}

export function frameOf({ account, period, complete, funding }: PackContext, name: string, about: string): Frame {
  const mark = complete ? "" : "NOT COMPLETE. ";
  const excluded = funding === null ? "Excluding funding." : "Excluding funding, unless a label says otherwise.";
  return {
    name,
    title: `${mark}${name}: ${account}, ${period.name}. ${about} ${excluded}`,
    footer: `${mark}${account}, ${period.name}`,
  };
}

/** Names of both methods. */
export function methodNames({ methods: { primary, reference } }: PackContext) {
  return { primary: METHOD_NAMES[primary], reference: METHOD_NAMES[reference] };
}

/** The head of a column with converted amounts. */
export function convertedHead(head: string, currency: string): string {
  return `${head}, in ${currency}`;
}

/** The meaning of the codes in notes. */
export const BLANK_REASONS: Readonly<Record<UnknownReason, string>> = {
  opening_unknown:
    "The opening position is not known: the records do not start with the account, and no opening position was declared.",
  quantity_known_cost_unknown:
    "The opening position was declared without a price. PnL is known after the position has been flat.",
  break_declared: "Some fills are missing, as declared in opening-positions.csv. PnL is not known for that time.",
  market_incomplete: "A fill cannot be read as a trade. PnL is not known after it until a position is declared.",
  unsupported_contract_type:
    "The contract is not linear, or not known to be linear. PnL is calculated for linear contracts only.",
};

export const ORIGINS: Readonly<Record<Origin, string>> = {
  assumed_flat: "assumed nil",
  declared: "declared",
  unknown: "not known",
};

/** A market's quote currency, or a text for a missing one. */
export function currencyName(currency: string): string {
  return currency === "" ? "not known" : currency;
}

export function marketName(market: string): string {
  return market === "" ? "no market" : market;
}
