import { findInFile, pairOf, pairsOf } from "./find-in-file.ts";
import { type Fraction, fractionOf, inverse, ONE } from "./fraction.ts";
import type { RateFile } from "./rate-file.ts";

/** `{"USDT": "USD"}`: 1 USDT = 1 USD. The user declares it, and every converted amount says so. */
export type Pars = Readonly<Record<string, string>>;

/** From one currency to another by one rate. */
export interface Step {
  readonly rate: Fraction;
  /** Of the rate, or the first day of its period; "" for a par. */
  readonly date: string;
  /** File and series, or the par. */
  readonly source: string;
  /** -1: a par; else the file's place. */
  readonly rank: number;
}

export interface Steps {
  /** What each currency has a rate or a par with, in the order of the alphabet. */
  readonly neighbours: ReadonlyMap<string, readonly string[]>;
  /** How much of `to` is 1 `from` on a day, by the first file that has it; null: none has. */
  find(from: string, to: string, day: string): Step | null;
}

/** `files`: in the order in which they are asked. */
export function createSteps(files: readonly RateFile[], pars: Pars): Steps {
  const pairs = files.map(pairsOf);
  const declared = new Map(
    Object.entries(pars).map(([one, other]) => [pairOf(one, other), parStep(`1 ${one} = 1 ${other}`)]),
  );
  return {
    neighbours: neighboursOf([...declared.keys(), ...pairs.flatMap((file) => [...file.keys()])]),
    find: (from, to, day) => {
      const pair = pairOf(from, to);
      return declared.get(pair) ?? firstOf(pairs, (file, rank) => stepIn(file.get(pair), from, day, files[rank], rank));
    },
  };
}

function parStep(par: string): Step {
  return { rate: ONE, date: "", source: `par declared in accounts.json (${par})`, rank: -1 };
}

function stepIn(
  series: Parameters<typeof findInFile>[0] | undefined,
  from: string,
  day: string,
  file: RateFile | undefined,
  rank: number,
): Step | null {
  const found = series === undefined ? null : findInFile(series, day);
  if (found === null) {
    return null;
  }
  const { base, name } = found.series;
  const { units, source, from: date } = found.rate;
  const rate = fractionOf(units);
  return {
    rate: base === from ? rate : inverse(rate),
    date,
    source: `${file?.name} ${name}${source === null ? "" : ` (${source})`}`,
    rank,
  };
}

function firstOf<Item, Result>(items: readonly Item[], act: (item: Item, at: number) => Result | null): Result | null {
  for (const [at, item] of items.entries()) {
    const result = act(item, at);
    if (result !== null) {
      return result;
    }
  }
  return null;
}

function neighboursOf(pairs: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const all = new Map<string, Set<string>>();
  for (const pair of pairs) {
    const [one = "", other = ""] = pair.split("\n");
    all.set(one, (all.get(one) ?? new Set()).add(other));
    all.set(other, (all.get(other) ?? new Set()).add(one));
  }
  return new Map([...all].map(([currency, others]) => [currency, [...others].sort()]));
}
