import type { Origin } from "../../../accounting/accounts.ts";
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
