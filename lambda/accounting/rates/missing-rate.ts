import { type FillbookError, usageError } from "../../core/errors.ts";
import { compareText, counted, listed } from "../../core/text.ts";
import { MAX_AGE_DAYS } from "./dates.ts";
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
  readonly files: readonly RateFile[];
  readonly pars: Pars;
}

/** As rate files write a currency. */
const RATED = /^[A-Z0-9]{2,12}$/;
const MOST_FILES = 8;
const MOST_PAIRS = 5;

/** Says which rates are missing (at least one), where they were looked for, and what to add. */
export function missingRates(missing: readonly MissingRate[], searched: Searched): FillbookError {
  const { location, pars } = searched;
  const sorted = missing.toSorted(
    (a, b) => compareText(a.to, b.to) || compareText(a.from, b.from) || compareText(a.day, b.day),
  );
  const pairs = [...Map.groupBy(sorted, ({ from, to }) => `from ${from} to ${to}`)];
  const texts = pairs.map(([pair, own]) => `${pair} on ${daysText(own.map(({ day }) => day))}`);
  const them = sorted.length === 1 ? "it" : "them";
  const offered = sorted.filter((one) => isOffered(one, pars)).length;
  const example = sorted.map(({ from, to, day }) => `${day},${from},${to}`)[0];
  const hints = [
    `put a file that has ${them} into the folder ${location}/rates/ (a file of a central bank or tax office, or a CSV file with the headings date,base,quote,rate,source and the line ${example},RATE,"source of the rate")`,
    ...sorted.flatMap((one) => parHint(one, location)).slice(0, 1),
    ...(offered === 0 ? [] : [`${ECB_OFFER}, which have ${offered === sorted.length ? them : "some of them"}`]),
  ];
  return usageError(`there is no rate ${listed(texts, MOST_PAIRS, "; ")}: ${placesOf(searched)}`, hints.join("; "));
}

/** `363 days, 2025-01-01 to 2025-12-31` */
function daysText(days: readonly string[]): string {
  return days.length === 1 ? String(days[0]) : `${counted(days.length, "day")}, ${days[0]} to ${days.at(-1)}`;
}

/** How to treat a currency as one that rate files have. */
function parHint({ from, to }: MissingRate, location: string): string[] {
  const capital = from.toUpperCase();
  const meant = RATED.test(capital) ? capital : to;
  const worth = RATED.test(from) ? "USD" : meant;
  const lacking = [from, to].find((currency) => !isOfEcb(currency));
  return lacking === undefined
    ? []
    : [
        `if 1 ${lacking} is worth 1 ${worth} to you, write {"par": {"${lacking}": "${worth}"}} into ${location}/accounts.json`,
      ];
}

/** Whether the file that comes with the program has it. */
function isOffered({ from, to, day }: MissingRate, pars: Pars): boolean {
  const has = (currency: string) =>
    Object.entries(pars)
      .filter((pair) => pair.includes(currency))
      .flat()
      .concat(currency)
      .some((one) => isInEcb(one, day));
  return has(from) && has(to);
}

function placesOf({ location, files, pars }: Searched): string {
  if (files.length === 0) {
    return `there is no rate file in ${location}/rates/`;
  }
  const looked = files.map(({ name, label, span }) => `${name} (${label}, ${span.from} to ${span.to})`);
  const declared = Object.entries(pars).map(([one, other]) => `1 ${one} = 1 ${other}`);
  const also = declared.length === 0 ? "" : ` and the pars ${declared.join(", ")}`;
  return `searched ${listed(looked, MOST_FILES)}${also} (a daily rate is used for up to ${MAX_AGE_DAYS} days after its date, the rate of a period within the period)`;
}
