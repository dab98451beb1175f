import { FillbookError } from "../../core/errors.ts";
import { compareText, count, counted } from "../../core/text.ts";
import { daysAfter } from "./dates.ts";
import { MAX_AGE_DAYS } from "./find-in-file.ts";
import { ECB_OFFER, isInEcb, isOfEcb } from "./published.ts";
import type { Pars, RateFile } from "./rate-file.ts";

/** The rate of one currency in another on a local day, `2025-03-01`. */
export interface MissingRate {
  readonly from: string;
  readonly to: string;
  readonly day: string;
}

/** Where a rate was looked for. */
interface Searched {
  /** The folder of the user's files, for messages. */
  readonly location: string;
  readonly has: (rate: MissingRate) => boolean;
  readonly files: readonly RateFile[];
  readonly pars: Pars;
  /** The currencies of all files and pars. */
  readonly known: ReadonlySet<string>;
}

/** As rate files write a currency. */
const RATED = /^[A-Z0-9]{2,12}$/;
const MOST_FILES = 8;
const MOST_PAIRS = 5;
const MOST_RANGES = 3;

/** Says which rates are missing (at least one), where they were looked for, and what to add. */
export function missingRates(missing: readonly MissingRate[], searched: Searched): FillbookError {
  const sorted = missing.toSorted(
    (a, b) => compareText(a.to, b.to) || compareText(a.from, b.from) || compareText(a.day, b.day),
  );
  const pairs = [...Map.groupBy(sorted, ({ from, to }) => `from ${from} to ${to}`)];
  const more = pairs.length - MOST_PAIRS;
  const list = [
    ...pairs.slice(0, MOST_PAIRS).map(([pair, own]) => `${pair} on ${daysText(own, searched)}`),
    ...(more > 0 ? [`and ${counted(more, "more pair")} of currencies`] : []),
  ].join("; ");
  const example = sorted.map(({ from, to, day }) => `${day},${from},${to}`)[0];
  const hints = [
    ...oddHint(sorted, searched),
    `put a file that has ${sorted.length === 1 ? "it" : "them"} into the folder ${searched.location}/rates/ (a file of a central bank or tax office, or a CSV file with the headings date,base,quote,rate,source and the line ${example},RATE,"source of the rate")`,
    ...parHint(sorted, searched),
    ...offerOf(missing, searched.pars),
  ];
  return new FillbookError("usage", `there is no rate ${list}: ${placesOf(missing, searched)}`, {
    hint: hints.join("; "),
  });
}

/**
 * How many days lack a rate, and the ranges in which none has one: `363 days, 2025-01-01 to 2025-12-31`.
 * `missing`: of two currencies, by day.
 */
function daysText(missing: readonly MissingRate[], searched: Searched): string {
  const ranges: { readonly first: MissingRate; last: MissingRate; days: number }[] = [];
  for (const one of missing) {
    const open = ranges.at(-1);
    if (open !== undefined && isGapWithout(open.last, one, searched)) {
      open.days += 1;
      open.last = one;
    } else {
      ranges.push({ first: one, last: one, days: 1 });
    }
  }
  const shown = ranges
    .slice(0, MOST_RANGES)
    .map(({ first, last }) => (first.day === last.day ? first.day : `${first.day} to ${last.day}`));
  const left = ranges.slice(MOST_RANGES).reduce((sum, { days }) => sum + days, 0);
  const more = left === 0 ? "" : ` and ${counted(left, "more day")}`;
  return `${missing.length === 1 ? "" : `${counted(missing.length, "day")}, `}${shown.join(", ")}${more}`;
}

/** True if no day between the two has a rate. */
function isGapWithout({ from, to, day: before }: MissingRate, { day: after }: MissingRate, { has }: Searched): boolean {
  let day = daysAfter(before, 1);
  while (day < after && !has({ from, to, day })) {
    day = daysAfter(day, 1);
  }
  return day >= after;
}

/** How to treat a currency as a dollar that the ECB does not have. */
function parHint(missing: readonly MissingRate[], { location }: Searched): string[] {
  const one = missing
    .flatMap(({ from, to }) => [from, to])
    .find((currency) => RATED.test(currency) && !isOfEcb(currency));
  return one === undefined
    ? []
    : [`if 1 ${one} is worth 1 USD to you, write {"par": {"${one}": "USD"}} into ${location}/accounts.json`];
}

/** Offers the file that comes with the program, if it has what is missing. */
function offerOf(missing: readonly MissingRate[], pars: Pars): string[] {
  const has = (currency: string, day: string) =>
    [currency, ...equalsOf(currency, pars)].some((one) => isInEcb(one, day));
  const found = missing.filter(({ from, to, day }) => has(from, day) && has(to, day)).length;
  if (found === 0) {
    return [];
  }
  const all = missing.length === 1 ? "it" : "them";
  return [`${ECB_OFFER}, which have ${found === missing.length ? all : `${count(found)} of them`}`];
}

/** Currencies that are declared to have the same value. */
function equalsOf(currency: string, pars: Pars): string[] {
  return Object.entries(pars).flatMap(([one, other]) => {
    if (currency === one) {
      return [other];
    }
    return currency === other ? [one] : [];
  });
}

/** How the service's markets write currencies that no rate file can have. */
function oddHint(missing: readonly MissingRate[], { location }: Searched): string[] {
  const odd = missing.find((one) => !RATED.test(one.from));
  if (odd === undefined) {
    return [];
  }
  const { from, to } = odd;
  const capital = from.toUpperCase();
  const meant = RATED.test(capital) ? capital : to;
  return [
    `no rate file has a currency named ${from}; if it is the same as ${meant}, write {"par": {"${from}": "${meant}"}} into ${location}/accounts.json`,
  ];
}

function placesOf(missing: readonly MissingRate[], { location, files, pars, known }: Searched): string {
  if (files.length === 0) {
    return `there is no rate file in ${location}/rates/`;
  }
  const looked = files.map(({ name, label, span }) => `${name} (${label}, ${span.from} to ${span.to})`);
  const declared = Object.entries(pars).map(([one, other]) => `1 ${one} = 1 ${other}`);
  const places = [
    ...looked.slice(0, MOST_FILES),
    ...(looked.length > MOST_FILES ? [counted(looked.length - MOST_FILES, "more file")] : []),
  ];
  const asked = [...new Set(missing.flatMap(({ from, to }) => [from, to]))];
  const unknown = asked.filter((currency) => !known.has(currency));
  const isUnknown = ({ from, to }: MissingRate) => unknown.includes(from) || unknown.includes(to);
  const why = [
    ...(unknown.length === 0 ? [] : [`none of these files has ${unknown.join(" or ")}`]),
    ...(missing.every(isUnknown)
      ? []
      : [
          `they have ${unknown.length === 0 ? "both currencies" : "the other currencies"}, but no rate between them for ${missing.length === 1 ? "that day" : "these days"} (a daily rate is used for up to ${MAX_AGE_DAYS} days after its date, the rate of a period within the period)`,
        ]),
  ];
  return `searched ${places.join(", ")}${declared.length === 0 ? "" : ` and the pars ${declared.join(", ")}`}; ${why.join("; ")}`;
}
