import { type Amount, divideTo, ONE } from "../../core/amount.ts";
import type { FillbookError } from "../../core/errors.ts";
import { checkPars, checkSame } from "./checks.ts";
import { findInFile, pairOf } from "./find-in-file.ts";
import { type MissingRate, missingRates } from "./missing-rate.ts";
import type { Pars, RateFile, RateSeries } from "./rate-file.ts";
import { type FoundRate, RateSources } from "./sources.ts";

/** A rate as it can be calculated with exactly: numerator ÷ denominator, both above zero. */
export interface Ratio {
  readonly numerator: Amount;
  readonly denominator: Amount;
}

export const PAR: Ratio = { numerator: ONE, denominator: ONE };

/** The significant digits of a printed rate. */
const DIGITS = 18;

/** Plain text of at most 18 significant digits, rounded half even. Exact if the rate has no more digits. */
export function formatRate({ numerator, denominator }: Ratio): string {
  return divideTo(numerator, denominator, DIGITS).toString();
}

/** One rate that leads from one currency to another. */
interface Step {
  readonly rate: Ratio;
  /** The date of the rate, or the first day of its period. "" for a par. */
  readonly date: string;
  /** The file and series, or the par. */
  readonly source: string;
  /** -1 for a par, else the file's place. */
  readonly rank: number;
  /** Null: a par. */
  readonly found: FoundRate | null;
}

/** The currencies with which each currency has a rate or a par, in alphabetical order. */
type Neighbours = ReadonlyMap<string, readonly string[]>;

interface Steps {
  readonly neighbours: Neighbours;
  /** The value of 1 `from` in `to` on a day, by the first file that has it. Null: none has. */
  find(from: string, to: string, day: string): Step | null;
}

/** The value of 1 unit of a currency on a day. */
export interface DayRate {
  readonly rate: Ratio;
  /**
   * The date of the oldest rate used, or the first day of its period; never after the day. "" if only pars
   * are used.
   */
  readonly date: string;
  /** Each step: file and series, or the par. */
  readonly source: string;
}

export interface Rates {
  /**
   * The value of 1 `from` in `to` on a local day, `2025-03-01`. Null: there is no way. A way leads over at
   * most two other currencies. The way with the fewest steps wins. Of equal ones, the way whose files come
   * first by name wins, step by step, from the currency that is first in the alphabet; a par comes before all
   * files. Then the way over the currencies that come first in the alphabet. The opposite conversion uses the
   * same way and the exact reciprocal.
   */
  find(from: string, to: string, day: string): DayRate | null;
  /**
   * Says which rates are missing (at least one), where they were looked for, and what to add. `location`: the
   * folder of the user's files.
   */
  missing(rates: readonly MissingRate[], location: string): FillbookError;
  /** Of what was found so far: days that one source lacks and another has, and pairs that mix sources or ways. */
  notes(): readonly string[];
}

/**
 * `pars`: from accounts.json, already read. Throws `usage` if two files, or a file and a par, contradict each
 * other.
 */
export function createRates(files: readonly RateFile[], pars: Pars): Rates {
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  checkPars(pars, sorted);
  checkSame(sorted);
  const steps = createSteps(sorted, pars);
  const used = new RateSources();
  const find: Rates["find"] = (from, to, day) => {
    const isForward = from < to;
    const way = isForward ? wayOf(steps, from, to, day) : wayOf(steps, to, from, day);
    if (way === null) {
      return null;
    }
    for (const { found } of way) {
      if (found !== null) {
        used.add(found);
      }
    }
    const over = way.slice(0, -1).map((step) => step.to);
    used.addWay({ from, to, day, over });
    const rate = way.map((step) => step.rate).reduce(times, PAR);
    const dates = way.map(({ date }) => date).filter((date) => date !== "");
    const sources = way.map(({ source }) => source);
    return {
      rate: isForward ? rate : inverse(rate),
      date: dates.toSorted()[0] ?? "",
      source: (isForward ? sources : sources.toReversed()).join("; "),
    };
  };
  return {
    find,
    notes: () => used.notes,
    missing: (rates, location) => missingRates(rates, { location, files: sorted, pars }),
  };
}

function times(a: Ratio, b: Ratio): Ratio {
  return { numerator: a.numerator.times(b.numerator), denominator: a.denominator.times(b.denominator) };
}

function inverse({ numerator, denominator }: Ratio): Ratio {
  return { numerator: denominator, denominator: numerator };
}

type Way = readonly (Step & { readonly to: string })[];

function wayOf(steps: Steps, from: string, to: string, day: string): Way | null {
  const along = (...middles: readonly string[]) => wayAlong(steps, [from, ...middles, to], day);
  const middlesOf = (end: string) => (steps.neighbours.get(end) ?? []).filter((one) => one !== from && one !== to);
  const [firsts, lasts] = [middlesOf(from), middlesOf(to)];
  return (
    along() ??
    bestOf(firsts.filter((one) => lasts.includes(one)).map((one) => along(one))) ??
    bestOf(firsts.flatMap((one) => lasts.filter((other) => other !== one).map((other) => along(one, other))))
  );
}

/** Null if one of the steps has no rate. */
function wayAlong(steps: Steps, currencies: readonly string[], day: string): Way | null {
  const way: Way[number][] = [];
  for (const [at, to] of currencies.slice(1).entries()) {
    const step = steps.find(currencies[at] ?? "", to, day);
    if (step === null) {
      return null;
    }
    way.push({ ...step, to });
  }
  return way;
}

/** The way whose files come first; of equal ones the first. */
function bestOf(ways: readonly (Way | null)[]): Way | null {
  return ways.reduce(
    (best, way) => (best === null || (way !== null && compareRanks(way, best) < 0) ? way : best),
    null,
  );
}

function compareRanks(a: Way, b: Way): number {
  const at = a.findIndex(({ rank }, step) => rank !== b[step]?.rank);
  return (a[at]?.rank ?? 0) - (b[at]?.rank ?? 0);
}

function createSteps(files: readonly RateFile[], pars: Pars): Steps {
  const pairs = files.map(({ series }) => Map.groupBy(series, ({ base, quote }) => pairOf(base, quote)));
  const declared = new Map(
    Object.entries(pars).map(([one, other]) => [pairOf(one, other), parStep(`1 ${one} = 1 ${other}`)]),
  );
  return {
    neighbours: neighboursOf([...declared.keys(), ...pairs.flatMap((file) => [...file.keys()])]),
    find: (from, to, day) => {
      const pair = pairOf(from, to);
      let step = declared.get(pair) ?? null;
      const lacking: RateFile[] = [];
      for (const [rank, file] of step === null ? files.entries() : []) {
        const series = pairs[rank]?.get(pair) ?? [];
        step = stepIn(series, { from, to, day }, { file, rank, lacking });
        if (step !== null) {
          break;
        }
        lacking.push(...(series.length === 0 ? [] : [file]));
      }
      return step;
    },
  };
}

function parStep(par: string): Step {
  return { rate: PAR, date: "", source: `par declared in accounts.json (${par})`, rank: -1, found: null };
}

interface Place {
  readonly file: RateFile;
  readonly rank: number;
  readonly lacking: readonly RateFile[];
}

function stepIn(series: readonly RateSeries[], asked: MissingRate, { file, rank, lacking }: Place): Step | null {
  const found = findInFile(series, asked.day);
  if (found === null) {
    return null;
  }
  const { base, name } = found.series;
  const { value, source, from: date } = found.rate;
  const rate = { numerator: value, denominator: ONE };
  const others = lacking.filter(({ label }) => label !== file.label);
  return {
    rate: base === asked.from ? rate : inverse(rate),
    date,
    source: `${file.name} ${name}${source === null ? "" : ` (${source})`}`,
    rank,
    found: { ...asked, file: file.name, label: file.label, span: found.rate, lacking: others.map((one) => one.name) },
  };
}

function neighboursOf(pairs: readonly string[]): Neighbours {
  const ways = pairs.map((pair) => pair.split("\n") as [string, string]);
  const both = [...ways, ...ways.map(([one, other]) => [other, one] as const)];
  const groups = Map.groupBy(both, ([one]) => one);
  return new Map([...groups].map(([one, own]) => [one, [...new Set(own.map(([, other]) => other))].sort()]));
}
