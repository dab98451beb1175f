import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseResult } from "./case.ts";
import type { CaseName } from "./cases.ts";

/** Everything that one run of the benchmark measured. All tables are made from it. */
export interface Results {
  readonly date: string;
  /** Node's version, the system, processors and memory. */
  readonly machine: string;
  readonly plan: PlanName;
  readonly samples: readonly Sample[];
}

export type PlanName = "full" | "small";

export interface Sample {
  readonly name: CaseName;
  readonly fills: number;
  /** Cases of the same round ran one after another. */
  readonly round: number;
  /** Whether it ran with the small heap (HEAP_FLAGS). */
  readonly limited: boolean;
  readonly result: CaseResult;
}

/**
 * V8 collects garbage lazily, so a peak without a limit shows how much memory was available, not how much is
 * needed.
 */
export const HEAP_FLAGS = ["--max-old-space-size=128", "--max-semi-space-size=8"];

/** Medians over the rounds of one case. */
export interface Figure {
  readonly rounds: number;
  readonly cpuSeconds: number;
  /** CPU time divided by that of JSON.parse of the same pages in the same round. */
  readonly ratio: number;
  readonly leastRatio: number;
  readonly mostRatio: number;
  readonly peakBytes: number;
  readonly wallSeconds: number;
  /** The result of the last round. Counts are the same in every round. */
  readonly last: CaseResult;
}

/** Null if it was not measured. */
export function figureOf(
  results: Results,
  name: CaseName,
  fills: number,
  { limited = false }: { readonly limited?: boolean } = {},
): Figure | null {
  const samples = results.samples.filter(
    (one) => one.name === name && one.fills === fills && one.limited === limited && one.result.missing === undefined,
  );
  const last = samples.at(-1);
  if (last === undefined) {
    return null;
  }
  const ratios = samples.map(({ result, round }) => result.cpuSeconds / unitOf(results, fills, round));
  return {
    rounds: samples.length,
    cpuSeconds: medianOf(samples.map(({ result }) => result.cpuSeconds)),
    ratio: medianOf(ratios),
    leastRatio: Math.min(...ratios),
    mostRatio: Math.max(...ratios),
    peakBytes: medianOf(samples.map(({ result }) => result.peakBytes)),
    wallSeconds: medianOf(samples.map(({ result }) => result.wallSeconds)),
    last: last.result,
  };
}

/** P in seconds: the mean of that round, or if the round has none, the median of all rounds of that size. */
function unitOf({ samples }: Results, fills: number, round: number): number {
  const units = samples.filter((one) => one.name === "parse" && one.fills === fills && !one.limited);
  const own = units.filter((one) => one.round === round);
  return own.length === 0
    ? medianOf(units.map(({ result }) => result.cpuSeconds))
    : own.reduce((sum, { result }) => sum + result.cpuSeconds, 0) / own.length;
}

/** The sizes (fills) at which a case was measured, ascending. */
export function sizesOf({ samples }: Results, name: CaseName): readonly number[] {
  const fills = samples.filter((one) => one.name === name && one.result.missing === undefined).map((one) => one.fills);
  return [...new Set(fills)].sort((a, b) => a - b);
}

export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [lower, upper] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return lower === undefined || upper === undefined ? Number.NaN : (lower + upper) / 2;
}

const FILE = join(import.meta.dirname, "results.json");

export function readResults(): Results {
  return JSON.parse(readFileSync(FILE, "utf8"));
}

export function keepResults(results: Results): void {
  writeFileSync(FILE, `${JSON.stringify(results, null, 1)}\n`);
}
