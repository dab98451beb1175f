import type { Origin } from "../../../accounting/accounts.ts";
import type { UnknownReason } from "../../../accounting/booked.ts";
import { type ByMethod, byMethod, METHOD_STATEMENTS, type Method } from "../../../accounting/method.ts";
import type { PackContext } from "../../build/maker.ts";

/** The name and the title of a sheet: every title says whose and for when it is, and what it leaves out. */
export interface Frame {
  readonly name: string;
  readonly title: string;
  readonly footer: string;
}

export function frameOf({ account, period, complete, funding }: PackContext, name: string, about: string): Frame {
  const mark = complete ? "" : "NOT COMPLETE. ";
  const excluded = funding === null ? "Excluding funding." : "Excluding funding, except where it is named.";
  return {
    name,
    title: `${mark}${name}: ${account}, ${period.name}. ${about} ${excluded}`,
    footer: `${mark}${account}, ${period.name}`,
  };
}

/** `First in, first out`, of both methods. */
export function methodNames({ methods }: PackContext): ByMethod<string> {
  const nameOf = (method: Method) => METHOD_STATEMENTS[method].split(":", 1)[0] ?? method;
  return byMethod((role) => nameOf(methods[role]));
}

/** What the codes mean that notes give. */
export const BLANK_REASONS: Readonly<Record<UnknownReason, string>> = {
  opening_unknown:
    "The archive does not reach back to the account's beginning, and no opening position was declared: what was open is not known.",
  quantity_known_cost_unknown:
    "An opening position was declared without its price: results are known once it has been flat.",
  break_declared:
    "Fills are missing, as opening-positions.csv declares: what was realised and opened there is not known.",
  market_incomplete: "A fill could not be typed: what is open since then is not known.",
  unsupported_contract_type: "Not a linear contract, or not known to be one.",
};

export const ORIGINS: Readonly<Record<Origin, string>> = {
  assumed_flat: "assumed flat",
  declared: "declared",
  unknown: "not known",
};

/** A market's quote currency, or what stands in its place. */
export function currencyName(currency: string): string {
  return currency === "" ? "not known" : currency;
}

export function marketName(market: string): string {
  return market === "" ? "no market" : market;
}
