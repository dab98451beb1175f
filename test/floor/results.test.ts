import { describe, expect, test } from "vitest";
import type { CaseResult } from "../bench/case.ts";
import type { CaseName } from "../bench/cases.ts";
import { figureOf, type Results, type Sample } from "../bench/results.ts";
import { targetsOf, verdictOf } from "../bench/targets.ts";

// Figures worked out by hand: ratios are to the P of their own round, and a verdict follows from the figures alone.

const MILLION = 1_000_000;

function sample(name: CaseName, round: number, cpuSeconds: number, more: Partial<CaseResult> = {}): Sample {
  const result = { cpuSeconds, peakBytes: 250e6, wallSeconds: 1, store: null, facts: {}, ...more };
  return { name, fills: MILLION, round, limited: false, result };
}

function resultsOf(samples: readonly Sample[]): Results {
  return { date: "2026-11-22", machine: "none", plan: "full", samples };
}

// The second round ran while the machine was slow.
const ROUNDS = [
  sample("parse", 0, 1),
  sample("archive", 0, 5),
  sample("duckdb-archive", 0, 10),
  sample("parse", 1, 3),
  sample("archive", 1, 12),
  sample("duckdb-archive", 1, 27),
  sample("parse", 2, 1),
  sample("archive", 2, 4.5),
  sample("duckdb-archive", 2, 8),
];

test("a ratio is paired: each round's over its own P", () => {
  expect(figureOf(resultsOf(ROUNDS), "archive", MILLION)).toMatchObject({
    rounds: 3,
    cpuSeconds: 5,
    ratio: 4.5, // of 5, 4 and 4.5
    leastRatio: 4,
    mostRatio: 5,
  });
});

test("P of a round is the mean of its runs", () => {
  const results = resultsOf([...ROUNDS, sample("parse", 0, 4)]); // 2.5 on average
  expect(figureOf(results, "archive", MILLION)).toMatchObject({ leastRatio: 2, mostRatio: 4.5, ratio: 4 });
});

test("a median of an even number is the mean of the two in the middle", () => {
  const results = resultsOf([...ROUNDS, sample("archive", 2, 7)]); // 4, 4.5, 5 and 7
  expect(figureOf(results, "archive", MILLION)).toMatchObject({ rounds: 4, ratio: 4.75, cpuSeconds: 6 }); // of 4.5, 5, 7 and 12 s
});

test("what ran after the rounds is measured by the median P", () => {
  const results = resultsOf([...ROUNDS, sample("pack", 3, 21)]);
  expect(figureOf(results, "pack", MILLION)?.ratio).toBe(21);
});

test("what could not be measured is no figure", () => {
  const results = resultsOf([...ROUNDS, sample("plain", 0, 0, { missing: "not here" })]);
  expect(figureOf(results, "plain", MILLION)).toBeNull();
  expect(figureOf(results, "tables", MILLION)).toBeNull();
});

describe("a verdict", () => {
  const verdicts = (samples: readonly Sample[]) =>
    Object.fromEntries(targetsOf(resultsOf(samples)).map((target) => [target.what, verdictOf(target)]));

  test("is met at the bound, and not above it", () => {
    const at = verdicts([...ROUNDS, sample("tables", 3, 10), sample("pack", 3, 20.01, { peakBytes: 301e6 })]);
    expect(at).toMatchObject({
      "pages → archive, CPU": "met",
      "pages → archive, CPU over DuckDB's of the same job: checked, sorted, evidence kept": "met", // 4.5 over 9
      "archive → fills.csv and fills.parquet, CPU": "met",
      "archive → pack, CPU": "not met",
    });
  });

  test("of what was not measured is that", () => {
    expect(new Set(Object.values(verdicts([])))).toEqual(new Set(["not measured"]));
  });
});
