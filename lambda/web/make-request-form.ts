import { METHODS } from "../accounting/method.ts";
import { isCurrencyCode } from "../core/currency.ts";
import { FillbookError, usageError } from "../core/errors.ts";
import { customPeriod, type Period, parsePeriod, parseTime } from "../core/period.ts";
import { readTypedName } from "../core/period-name.ts";
import { DAY_MS, isoTime } from "../core/time.ts";
import type { Completeness } from "../pack/catalogue/completeness.ts";
import { DATE_BY_NAMES, type DateByName, DEFAULT_DATE_BY } from "../pack/make/date-by.ts";
import { KINDS, type MakeRequest } from "./ports.ts";

/**
 * The request of a form; empty fields count as absent. `last` is the last day of the period, `to` the first
 * time after it. `now`: ms UTC. Throws `usage` for an invalid request.
 */
export function readMakeRequest(account: string, fields: URLSearchParams, now: number): MakeRequest {
  const typed = (name: string): string | undefined => fields.get(name)?.trim() || undefined;
  const kind = KINDS.find((one) => one === fields.get("kind"));
  if (kind === undefined) {
    throw new FillbookError("usage", "no action was given");
  }
  if (kind !== "export") {
    return { account, kind };
  }
  const [period, from, last, zone] = [typed("period"), typed("from"), typed("last"), typed("zone")];
  const to = last === undefined ? typed("to") : isoTime(parseTime(last, "UTC") + DAY_MS).slice(0, 10);
  const asked = periodOf({ period, from, to, zone });
  if (asked.to > now) {
    // Its job could only fail, and would alert whoever is on call.
    const message = `this period ends on ${asked.lastDay} (${asked.zone}); a pack can be made after that`;
    throw usageError(message, "choose a period that is over");
  }
  const currency = typed("currency");
  if (currency !== undefined && !isCurrencyCode(currency)) {
    const message = `${JSON.stringify(currency)} is not a currency code: a code has 3 to 5 capital letters`;
    throw usageError(message, "write its code, for example: EUR");
  }
  const basis = basisOf(typed("basis"));
  return {
    ...{ account, kind, from, to, zone, currency },
    method: oneOf("method", METHODS, typed("method")),
    period: period === undefined ? undefined : readTypedName(period).name,
    basis: basis === DEFAULT_DATE_BY ? undefined : basis,
  };
}

/** How a pack was made, as a request states it: without defaults, so that equal requests have equal fields. */
export function settingsOf(claim: Completeness): Pick<MakeRequest, "method" | "basis" | "currency"> {
  return {
    method: claim.method_chosen ? claim.method : undefined,
    basis: claim.basis === DEFAULT_DATE_BY ? undefined : claim.basis,
    currency: claim.accounts.report_currency ?? undefined,
  };
}

/** Absent: the default. Throws `usage` for an unknown name. */
export function basisOf(name: string | undefined): DateByName {
  return oneOf("basis", DATE_BY_NAMES, name) ?? DEFAULT_DATE_BY;
}

function oneOf<Name extends string>(what: string, names: readonly Name[], typed: string | undefined) {
  const found = names.find((name) => name === typed);
  if (found === undefined && typed !== undefined) {
    throw usageError(`there is no ${what} ${JSON.stringify(typed)}`, `choose one of ${names.join(", ")}`);
  }
  return found;
}

export type AskedPeriod = Pick<MakeRequest, "period" | "from" | "to" | "zone">;

/** Throws `usage` for an invalid period. */
export function periodOf({ period, from, to, zone }: AskedPeriod): Period {
  if (period !== undefined && (from !== undefined || to !== undefined)) {
    throw usageError("a period name and dates were both given", "give one of them");
  }
  if (period !== undefined) {
    return parsePeriod(period, zone);
  }
  if (from === undefined || to === undefined) {
    throw usageError("no period was given", "choose one, or give its first and its last day");
  }
  return customPeriod(from, to, zone);
}
