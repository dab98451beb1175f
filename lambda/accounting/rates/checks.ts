import { ONE } from "../../core/amount.ts";
import { FillbookError } from "../../core/errors.ts";
import { getOrMake } from "../../core/get-or-make.ts";
import { pairOf } from "./find-in-file.ts";
import type { Pars, RateFile, RateSeries } from "./rate-file.ts";

/** Throws `usage` if a file has rates for the pair of a par. */
export function checkPars(pars: Pars, files: readonly RateFile[]): void {
  const parPairs = new Set(Object.entries(pars).map(([one, other]) => pairOf(one, other)));
  for (const { name, series } of files) {
    const clash = series.find(({ base, quote }) => parPairs.has(pairOf(base, quote)));
    if (clash !== undefined) {
      throw new FillbookError(
        "usage",
        `accounts.json declares ${clash.base} and ${clash.quote} at par, but ${name} also has rates for them (${clash.name})`,
        { hint: "remove one of them: fillbook cannot tell which one is right" },
      );
    }
  }
}

/**
 * Throws `usage` if two files of one form give two rates for one series and time, or have the same name; or if a
 * pair has two rates for one time because it is given in both directions.
 */
export function checkSame(files: readonly RateFile[]): void {
  const names = new Set<string>();
  const known = new Map<string, { readonly file: string; readonly series: RateSeries }[]>();
  for (const file of files) {
    if (names.has(file.name)) {
      throw new FillbookError("usage", `two rate files have the name ${file.name}`, { hint: "rename one of them" });
    }
    names.add(file.name);
    for (const series of file.series) {
      const { name, base, quote, kind } = series;
      const keyOf = (named: string) => `${file.label}\n${named}\n${kind}`;
      const others = getOrMake(known, keyOf(name), () => []);
      for (const other of [...others, ...(known.get(keyOf(`${quote}/${base}`)) ?? [])]) {
        checkSeries(file.name, series, other);
      }
      others.push({ file: file.name, series });
    }
  }
}

function checkSeries(name: string, series: RateSeries, other: { readonly file: string; readonly series: RateSeries }) {
  for (const [time, { value, line }] of series.rates) {
    const same = other.series.rates.get(time);
    const isOpposite = other.series.base !== series.base;
    if (same !== undefined && !(isOpposite ? same.value.times(value).eq(ONE) : same.value.eq(value))) {
      const opposite = isOpposite ? ` (${other.series.name})` : "";
      throw new FillbookError(
        "usage",
        `${series.name} for ${time} has two rates: ${other.file}, line ${same.line}${opposite}, and ${name}, line ${line}`,
        { hint: "keep the right one, and remove the other" },
      );
    }
  }
}
