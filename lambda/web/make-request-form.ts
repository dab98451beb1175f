import { isCurrencyCode } from "../core/currency.ts";
import { FillbookError } from "../core/errors.ts";
import { customPeriod, type Period, parsePeriod } from "../core/period.ts";
import { readTypedName } from "../core/period-name.ts";
import { DATE_BY_NAMES, type DateByName, DEFAULT_DATE_BY } from "../pack/build/date-by.ts";
import type { PackSettings } from "./packs.ts";
import { KINDS, type MakeRequest } from "./ports.ts";

export interface Askable {
  /** Names of the methods; the first is the default. */
  readonly methods: readonly string[];
  /** ms UTC */
  readonly now: number;
}

/** What a form asks for; what is left empty is not given. Throws `usage` for what cannot be made, with the command line's own messages. */
export function readMakeRequest(account: string, fields: URLSearchParams, { methods, now }: Askable): MakeRequest {
  const kind = KINDS.find((one) => one === fields.get("kind"));
  if (kind === undefined || kind === "zip") {
    throw new FillbookError("usage", "it is not said what to do");
  }
  if (kind !== "export") {
    return { account, kind };
  }
  const given = ["period", "from", "to", "zone", "basis", "currency"].flatMap((name) => {
    const text = fields.get(name)?.trim() ?? "";
    return text === "" ? [] : [[name, text]];
  });
  const { basis, currency, ...asked }: AskedPeriod & Pick<MakeRequest, "basis" | "currency"> =
    Object.fromEntries(given);
  checkOver(periodOf(asked), now);
  const { period } = asked;
  const named = period === undefined ? {} : { period: readTypedName(period).name };
  const typed = fields.get("method") ?? "";
  const method = choiceOf("method", methods, typed);
  return {
    account,
    kind,
    ...asked,
    ...named,
    ...settingsOf({ method, isMethodChosen: typed !== "", basis: basisOf(basis), currency: currencyOf(currency) }),
  };
}

/** How a pack is made, as a request has it: without what is the default, so that one wish is one request. */
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

/** Absent: the default. Throws `usage` for a name that there is not. */
export function basisOf(name: string | undefined): DateByName {
  return choiceOf("basis", DATE_BY_NAMES, name);
}

/** Absent or empty: the first. */
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
  throw new FillbookError("usage", `${JSON.stringify(code)} is no currency: it is 3 to 5 capital letters`, {
    hint: "write its code, for example: EUR",
  });
}

export type AskedPeriod = Pick<MakeRequest, "period" | "from" | "to" | "zone">;

/** Throws `usage` for what is no period. */
export function periodOf({ period, from, to, zone }: AskedPeriod): Period {
  if (period !== undefined && (from !== undefined || to !== undefined)) {
    throw new FillbookError(
      "usage",
      "a period by its name, and by its first and last day, are two ways to say the same",
      {
        hint: "keep one of them",
      },
    );
  }
  if (period !== undefined) {
    return parsePeriod(period, zone);
  }
  if (from === undefined || to === undefined) {
    throw new FillbookError("usage", "it is not said which period", { hint: "choose one, or give both days" });
  }
  return customPeriod(from, to, zone);
}

/** A job that can only fail would wake whoever is on call. Throws `usage`. */
function checkOver({ to, lastDay, zone }: Period, now: number): void {
  if (to > now) {
    throw new FillbookError("usage", `this period ends on ${lastDay} (${zone}): it can be made after that`, {
      hint: "choose one that is over",
    });
  }
}
