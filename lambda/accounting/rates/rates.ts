import { type Amount, divideTo, ONE } from "../../core/amount.ts";
import { type FillbookError, usageError } from "../../core/errors.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { compareText, counted, listed } from "../../core/text.ts";
import { daysAfter, lengthOf, MAX_AGE_DAYS } from "./dates.ts";
import { type MissingRate, missingRates } from "./missing-rate.ts";
import { checkSame, endOf, type Pars, pairOf, type Rate, type RateFile } from "./rate-file.ts";

/** A rate as it can be calculated with exactly: numerator ÷ denominator, both above zero. */
export interface Ratio {
  readonly numerator: Amount;
  readonly denominator: Amount;
}

export const PAR: Ratio = { numerator: ONE, denominator: ONE };

/** The significant digits of a printed rate. */
const DIGITS = 18;
const LONGEST_MONTH = 31;

/** The value of 1 unit of a currency on a day, and what is printed of it beside each amount. */
export interface DayRate {
  readonly ratio: Ratio;
  /** Plain text of at most 18 significant digits, rounded half even. Exact if the rate has no more digits. */
  readonly rate: string;
  /**
   * The local date of the rate; of several rates, the oldest. For a month's or year's rate, its first day. ""
   * for a par and for the same currency.
   */
  readonly rateDate: string;
  /** The file and series of each step, the declared par, or `same currency`. */
  readonly source: string;
}

export interface Rates {
  /**
   * The value of 1 `from` in `to` on a local day, `2025-03-01`. Null: there is no way. A way leads over at
   * most two other currencies. The way with the fewest steps wins. Of equal ones, the way whose files come
   * first by name wins, step by step, from the currency that is first in the alphabet; a par comes before all
   * files. Then the way over the currencies that come first in the alphabet. A way with a rate that is older than the
   * end of its source comes after all others. The opposite conversion uses the same way and the exact reciprocal.
   */
  find(from: string, to: string, day: string): DayRate | null;
  /**
   * Says which rates are missing (at least one), where they were looked for, and what to add. `location`: the
   * folder of the user's files.
   */
  missing(rates: readonly MissingRate[], location: string): FillbookError;
  /**
   * Of what was found so far: days that one source lacks and another has, and pairs that were converted in more than
   * one way. Sentences without their full stops.
   */
  notes(): readonly string[];
}

/** One rate that leads from one currency to another. */
interface Step {
  readonly ratio: Ratio;
  readonly rate: Rate;
  /** Its source's place. */
  readonly rank: number;
}

/**
 * The value of 1 `from` in `to` on a day, by the first source that has it: a file, or all files with the daily rates
 * of one publisher. Null: none has. `isOver`: else by the one that ends last, after its last rate.
 */
type FindStep = (from: string, to: string, day: string, isOver: boolean) => Step | null;

/**
 * `pars`: from accounts.json, already read. Throws `usage` if two files, or a file and a par, contradict each
 * other.
 */
export function createRates(files: readonly RateFile[], pars: Pars): Rates {
  const sorted = files.toSorted((a, b) => compareText(a.name, b.name));
  const all = sorted.flatMap(({ rates }) => rates);
  const declared = parRates(pars);
  checkPars(declared, all);
  checkSame(all);
  const daily = new Set(all.filter(({ kind }) => kind === "day").map(({ file }) => file.name));
  const sources = Map.groupBy([...declared, ...all], ({ file }) => (daily.has(file.name) ? file.label : file.name));
  const rated = [...sources.values()].map((own) => Map.groupBy(own, ({ base, quote }) => pairOf(base, quote)));
  const ends = rated.map((pairs) => new Map([...pairs].map(([pair, rates]) => [pair, endOf(rates)])));
  const findStep: FindStep = (from, to, day, isOver) => {
    const pair = pairOf(from, to);
    const steps = rated.flatMap((pairs, rank) => {
      const rate = rateOn(day, pairs.get(pair) ?? []);
      return rate === null ? [] : [{ rate, rank, end: ends[rank]?.get(pair) ?? "" }];
    });
    const last = isOver ? steps.toSorted((a, b) => compareText(b.end, a.end))[0] : undefined;
    const step = steps.find(({ end }) => day <= end) ?? last;
    if (step === undefined) {
      return null;
    }
    const ratio = { numerator: step.rate.value, denominator: ONE };
    return { ...step, ratio: step.rate.base === from ? ratio : inverse(ratio) };
  };
  const neighbours = neighboursIn(rated.flatMap((pairs) => [...pairs.values()].flatMap(([first]) => first ?? [])));
  /** By the file that lacks them, the pair, and what was used instead: days. */
  const gaps = new Map<string, Set<string>>();
  const noteGaps = (day: string, pair: string, used: string, lacks: (label: string, at: number) => boolean) => {
    for (const [at, pairs] of rated.entries()) {
      const [first] = pairs.get(pair) ?? [];
      if (first !== undefined && lacks(first.file.label, at)) {
        getOrMake(gaps, [first.file.name, pair, used].join("\0"), () => new Set()).add(day);
      }
    }
  };
  /** By pair of currencies that were converted, then way: days. */
  const ways = new Map<string, Map<string, Set<string>>>();
  return {
    find: (from, to, day) => {
      const [first, last] = from < to ? [from, to] : [to, from];
      const wayIf = (isOver: boolean) =>
        wayOf(first, last, neighbours, (one, other) => findStep(one, other, day, isOver));
      const way = wayIf(false) ?? wayIf(true);
      if (way === null) {
        return null;
      }
      const { steps, over } = way;
      const known = getOrMake(ways, pairOf(from, to), () => new Map<string, Set<string>>());
      getOrMake(known, wayText(steps, over), () => new Set()).add(day);
      for (const { rate, rank } of steps) {
        const lacks = (label: string, at: number) => at < rank && label !== rate.file.label;
        noteGaps(day, pairOf(rate.base, rate.quote), `that of ${rate.file.name} is`, lacks);
      }
      const names = listed([...new Set(steps.map(({ rate }) => rate.file.name))]);
      noteGaps(day, pairOf(from, to), `those over ${listed(over)} of ${names} are`, () => over.length > 0);
      const product = steps.reduce((so, step) => times(so, step.ratio), PAR);
      const ratio = from < to ? product : inverse(product);
      const dates = steps.map(({ rate }) => rate.from).filter((date) => date !== "");
      const named = steps.map(
        ({ rate: { file, series, source } }) => `${file.name} ${series}${source === undefined ? "" : ` (${source})`}`,
      );
      return {
        ratio,
        rate: divideTo(ratio.numerator, ratio.denominator, DIGITS).toString(),
        rateDate: dates.sort()[0] ?? "",
        source: (from < to ? named : named.reverse()).join("; "),
      };
    },
    notes: () => [...[...gaps].map(gapText).sort(), ...[...ways].flatMap(mixText).sort()],
    missing: (rates, location) => missingRates(rates, { location, files: sorted, pars }),
  };
}

const DAYS_NAMED = 3;

function gapText([names, days]: readonly [string, ReadonlySet<string>]): string {
  const [name, pair, used] = names.split("\0");
  const on = listed([...days].sort(), DAYS_NAMED);
  return `${name} has no rate between ${pair} on ${on}, so ${used} used`;
}

function mixText([pair, ways]: readonly [string, ReadonlyMap<string, ReadonlySet<string>>]): readonly string[] {
  const each = [...ways].map(([way, days]) => `${way} (${counted(days.size, "day")})`);
  const text = `amounts are converted between ${pair} in more than one way: ${each.sort().join("; ")}`;
  return each.length > 1 ? [text] : [];
}

/** They hold on all days. */
function parRates(pars: Pars): Rate[] {
  const file = { name: "par declared in accounts.json", label: "a declared par" };
  const always = { file, kind: "period", from: "", to: "9999", value: ONE, line: 0 } as const;
  return Object.entries(pars).map(([base, quote]) => ({ ...always, series: `(1 ${base} = 1 ${quote})`, base, quote }));
}

function checkPars(pars: readonly Rate[], rates: readonly Rate[]): void {
  const pairs = new Set(pars.map(({ base, quote }) => pairOf(base, quote)));
  const clash = rates.find(({ base, quote }) => pairs.has(pairOf(base, quote)));
  if (clash !== undefined) {
    throw usageError(
      `accounts.json declares ${clash.base} and ${clash.quote} at par, but ${clash.file.name} also has rates for them (${clash.series})`,
      "remove one of them: fillbook cannot tell which one is right",
    );
  }
}

/**
 * The rate of one source and pair that holds on a local day. Null: none. A day's rate is that of the day, or the last
 * one before it, at most 7 days old; never a later one. A period's rate holds on the days of its period. Of several,
 * the rate of the shortest time wins (a day's before a month's), then the one that begins last, then the first.
 */
function rateOn(day: string, rates: readonly Rate[]): Rate | null {
  const oldest = daysAfter(day, -MAX_AGE_DAYS);
  const [best = null] = rates
    .filter(({ from, to, kind }) => from <= day && (kind === "day" ? oldest <= from : day <= to))
    .sort((a, b) => lengthOf(a) - lengthOf(b) || compareText(b.from, a.from));
  return best;
}

function times(a: Ratio, b: Ratio): Ratio {
  return { numerator: a.numerator.times(b.numerator), denominator: a.denominator.times(b.denominator) };
}

function inverse({ numerator, denominator }: Ratio): Ratio {
  return { numerator: denominator, denominator: numerator };
}

interface Way {
  readonly steps: readonly Step[];
  readonly over: readonly string[];
}

/** The currencies with which each currency has a rate or a par, in alphabetical order. */
function neighboursIn(rates: readonly Rate[]): ReadonlyMap<string, readonly string[]> {
  const all = [...new Set(rates.flatMap(({ base, quote }) => [base, quote]))].sort();
  const pairs = new Set(rates.map(({ base, quote }) => pairOf(base, quote)));
  return new Map(all.map((one) => [one, all.filter((other) => pairs.has(pairOf(one, other)))]));
}

function wayOf(
  from: string,
  to: string,
  neighbours: ReturnType<typeof neighboursIn>,
  findStep: (from: string, to: string) => Step | null,
): Way | null {
  const along = (...over: readonly string[]): Way[] => {
    const stops = [...over, to];
    const steps = stops.flatMap((stop, at) => findStep(stops[at - 1] ?? from, stop) ?? []);
    return steps.length === stops.length ? [{ steps, over }] : [];
  };
  const middlesOf = (end: string) => (neighbours.get(end) ?? []).filter((one) => one !== from && one !== to);
  const [firsts, lasts] = [middlesOf(from), middlesOf(to)];
  return (
    bestOf(along()) ??
    bestOf(firsts.filter((one) => lasts.includes(one)).flatMap((one) => along(one))) ??
    bestOf(firsts.flatMap((one) => lasts.filter((other) => other !== one).flatMap((other) => along(one, other))))
  );
}

/** The way whose files come first; of equal ones the first. */
function bestOf(ways: readonly Way[]): Way | null {
  const [best = null] = ways.toSorted((a, b) => {
    const at = a.steps.findIndex(({ rank }, step) => rank !== b.steps[step]?.rank);
    return (a.steps[at]?.rank ?? 0) - (b.steps[at]?.rank ?? 0);
  });
  return best;
}

/** `European Central Bank, euro reference rates, of a day, over EUR` */
function wayText(steps: readonly Step[], over: readonly string[]): string {
  const sources = new Set(steps.map(({ rate }) => `${rate.file.label}${timeText(rate)}`));
  return [...sources].join(" and ") + (over.length === 0 ? "" : `, over ${over.join(" and ")}`);
}

function timeText(rate: Rate): string {
  const days = lengthOf(rate);
  if (days > LONGEST_MONTH) {
    return `, of a year from ${rate.from.slice(5)}`;
  }
  return Number.isNaN(days) ? "" : `, of a ${days === 1 ? "day" : "month"}`;
}
