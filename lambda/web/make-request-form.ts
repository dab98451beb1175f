import { isCurrencyCode } from "../core/currency.ts";
import { FillbookError } from "../core/errors.ts";
import { customPeriod, type Period, parsePeriod, parseTime } from "../core/period.ts";
import { readTypedName } from "../core/period-name.ts";
import { DAY_MS, isoTime } from "../core/time.ts";
import { DATE_BY_NAMES, type DateByName, DEFAULT_DATE_BY } from "../pack/make/date-by.ts";
import { FieldError, inField } from "./field-error.ts";
import type { PackSettings } from "./packs.ts";
import { KINDS, type MakeRequest } from "./ports.ts";

export interface Askable {
  /** Names of the methods; the first is the default. */
  readonly methods: readonly string[];
  /** ms UTC */
  readonly now: number;
}

/**
 * What a person types into the form of a pack. `last`: the last day of the period; `to`: the first time after
 * it.
 */
const TYPED = ["period", "from", "last", "to", "zone", "basis", "currency"] as const;
/** The fields that a person can change. The basis comes only from buttons that make a pack again. */
export type FormField = Exclude<(typeof TYPED)[number], "basis"> | "method";

/**
 * The request of a form; empty fields count as absent. Throws `usage` for an invalid request, as a FieldError
 * if one field is the cause.
 */
export function readMakeRequest(account: string, fields: URLSearchParams, { methods, now }: Askable): MakeRequest {
  const kind = KINDS.find((one) => one === fields.get("kind"));
  if (kind === undefined) {
    throw new FillbookError("usage", "no action was given");
  }
  if (kind !== "export") {
    return { account, kind };
  }
  const given = TYPED.flatMap((name) => {
    const text = fields.get(name)?.trim() ?? "";
    return text === "" ? [] : [[name, text]];
  });
  const { basis, currency, last, ...typed }: Typed = Object.fromEntries(given);
  const asked = { ...typed, ...endOf(last) };
  const { period, zone = "UTC" } = asked;
  inField("zone", () => parsePeriod("calendar-2025", zone));
  const ofDays = period === undefined && asked.from !== undefined && asked.to !== undefined ? asked : null;
  if (ofDays !== null) {
    inField("from", () => parseTime(ofDays.from ?? "", zone));
    if (last !== undefined && last < (ofDays.from ?? "")) {
      throw new FieldError("last", { message: "the last day is before the first" });
    }
  }
  const ending = last === undefined ? "to" : "last";
  inField(period === undefined ? ending : "period", () => checkOver(periodOf(asked), now));
  const named = period === undefined ? {} : { period: readTypedName(period).name };
  const method = fields.get("method") ?? "";
  const settings = {
    method: inField("method", () => choiceOf("method", methods, method)),
    isMethodChosen: method !== "",
    basis: basisOf(basis),
    currency: inField("currency", () => currencyOf(currency)),
  };
  return { account, kind, ...asked, ...named, ...settingsOf(settings) };
}

type Typed = Partial<Readonly<Record<(typeof TYPED)[number], string>>>;

/** Converts the last day to the day after it, as the command line takes it. */
function endOf(last: string | undefined): Pick<Typed, "to"> {
  if (last === undefined) {
    return {};
  }
  const day = /^\d{4}-\d{2}-\d{2}$/.test(last) ? inField("last", () => parseTime(last, "UTC")) : Number.NaN;
  return { to: Number.isNaN(day) ? last : isoTime(day + DAY_MS).slice(0, 10) };
}

/**
 * How a pack is made, as a request states it. Defaults are left out, so that equal requests have equal
 * fields.
 */
export function settingsOf({
  method,
  isMethodChosen,
  basis,
  currency,
}: PackSettings): Pick<MakeRequest, "method" | "basis" | "currency"> {
  return {
    ...(isMethodChosen ? { method } : {}),
    ...(basis === DEFAULT_DATE_BY ? {} : { basis }),
    ...(currency === null ? {} : { currency }),
  };
}

/** Absent: the default. Throws `usage` for an unknown name. */
export function basisOf(name: string | undefined): DateByName {
  return choiceOf("basis", DATE_BY_NAMES, name);
}

/** Absent or empty: the first name. */
function choiceOf<Name extends string>(what: string, names: readonly Name[], typed: string | null = null): Name {
  const found = typed === null || typed === "" ? names[0] : names.find((name) => name === typed);
  if (found === undefined) {
    throw new FillbookError("usage", `there is no ${what} ${JSON.stringify(typed)}`, {
      hint: `choose one of ${names.join(", ")}`,
    });
  }
  return found;
}

function currencyOf(code: string | undefined): string | null {
  if (code === undefined || isCurrencyCode(code)) {
    return code ?? null;
  }
  throw new FillbookError(
    "usage",
    `${JSON.stringify(code)} is not a currency code: a code has 3 to 5 capital letters`,
    {
      hint: "write its code, for example: EUR",
    },
  );
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
