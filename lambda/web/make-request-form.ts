import { METHODS } from "../accounting/method.ts";
import { isCurrencyCode } from "../core/currency.ts";
import { FillbookError } from "../core/errors.ts";
import { customPeriod, type Period, parsePeriod, parseTime } from "../core/period.ts";
import { readTypedName } from "../core/period-name.ts";
import { DAY_MS, isoTime } from "../core/time.ts";
import { DATE_BY_NAMES, type DateByName, DEFAULT_DATE_BY } from "../pack/make/date-by.ts";
import { FieldError, inField } from "./field-error.ts";
import type { PackSettings } from "./packs.ts";
import { KINDS, type MakeRequest } from "./ports.ts";

/**
 * The request of a form; empty fields count as absent. `last` is the last day of the period, `to` the first
 * time after it. `now`: ms UTC. Throws `usage` for an invalid request, as a FieldError if one field is the
 * cause.
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
  const to = last === undefined ? typed("to") : inField("last", () => dayAfter(last));
  inField("zone", () => parsePeriod("calendar-2025", zone));
  if (period === undefined && from !== undefined && to !== undefined) {
    inField("from", () => parseTime(from, zone ?? "UTC"));
    if (last !== undefined && last < from) {
      throw new FieldError("last", { message: "the last day is before the first" });
    }
  }
  const end = last === undefined ? "to" : "last";
  inField(period === undefined ? end : "period", () => checkOver(periodOf({ period, from, to, zone }), now));
  const method = inField("method", () => oneOf("method", METHODS, typed("method")));
  const currency = inField("currency", () => currencyOf(typed("currency")));
  const basis = basisOf(typed("basis"));
  return {
    ...{ account, kind, from, to, zone, method, currency },
    period: period === undefined ? undefined : readTypedName(period).name,
    basis: basis === DEFAULT_DATE_BY ? undefined : basis,
  };
}

/** As the command line takes the end of a period. */
function dayAfter(day: string): string {
  return isoTime(parseTime(day, "UTC") + DAY_MS).slice(0, 10);
}

/** How a pack is made, as a request states it: without defaults, so that equal requests have equal fields. */
export function settingsOf(made: PackSettings): Pick<MakeRequest, "method" | "basis" | "currency"> {
  return {
    method: made.isMethodChosen ? made.method : undefined,
    basis: made.basis === DEFAULT_DATE_BY ? undefined : made.basis,
    currency: made.currency ?? undefined,
  };
}

/** Absent: the default. Throws `usage` for an unknown name. */
export function basisOf(name: string | undefined): DateByName {
  return oneOf("basis", DATE_BY_NAMES, name) ?? DEFAULT_DATE_BY;
}

function oneOf<Name extends string>(what: string, names: readonly Name[], typed: string | undefined) {
  const found = names.find((name) => name === typed);
  if (found === undefined && typed !== undefined) {
    const hint = `choose one of ${names.join(", ")}`;
    throw new FillbookError("usage", `there is no ${what} ${JSON.stringify(typed)}`, { hint });
  }
  return found;
}

function currencyOf(code: string | undefined): string | undefined {
  if (code !== undefined && !isCurrencyCode(code)) {
    const message = `${JSON.stringify(code)} is not a currency code: a code has 3 to 5 capital letters`;
    throw new FillbookError("usage", message, { hint: "write its code, for example: EUR" });
  }
  return code;
}

export type AskedPeriod = Pick<MakeRequest, "period" | "from" | "to" | "zone">;

/** Throws `usage` for an invalid period. */
export function periodOf({ period, from, to, zone }: AskedPeriod): Period {
  if (period !== undefined && (from !== undefined || to !== undefined)) {
    throw new FillbookError("usage", "a period name and dates were both given", { hint: "give one of them" });
  }
  if (period !== undefined) {
    return parsePeriod(period, zone);
  }
  if (from === undefined || to === undefined) {
    throw new FillbookError("usage", "no period was given", { hint: "choose one, or give its first and its last day" });
  }
  return customPeriod(from, to, zone);
}

/**
 * Refuses a period that has not ended: its job could only fail, and would alert whoever is on call. Throws
 * `usage`.
 */
function checkOver({ to, lastDay, zone }: Period, now: number): void {
  if (to > now) {
    throw new FillbookError("usage", `this period ends on ${lastDay} (${zone}); a pack can be made after that`, {
      hint: "choose a period that is over",
    });
  }
}
