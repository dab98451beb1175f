import { LONG_HISTORY, SHORT_HISTORY, sizesOfPlan } from "./plan.ts";
import { type Figure, figureOf, type Results } from "./results.ts";

/** A figure and its upper limit. */
export interface Target {
  readonly what: string;
  readonly goal: string;
  readonly atMost: number;
  /** Null if it was not measured. */
  readonly value: number | null;
  readonly unit: string;
}

export type Verdict = "met" | "not met" | "not measured";

export function verdictOf({ atMost, value }: Target): Verdict {
  if (value === null || Number.isNaN(value)) {
    return "not measured";
  }
  return value <= atMost ? "met" : "not met";
}

const MB = 1e6;

export function targetsOf(results: Results): readonly Target[] {
  const { small, middle, large } = sizesOfPlan(results.plan);
  const figure = (name: Parameters<typeof figureOf>[1], fills = middle) => figureOf(results, name, fills);
  const [archive, tables, pack] = [figure("archive"), figure("tables"), figure("pack")];
  const peak = (of: Figure | null) => of && of.peakBytes / MB;
  const fact = (of: Figure | null, name: string) => of?.last.facts[name] ?? null;
  const [smallOne, largeOne] = [figure("archive", small), figure("archive", large)];
  const aFill = (of: Figure | null, fills: number) => of && of.cpuSeconds / fills;
  const sizes = `${large.toLocaleString("en")} fills ÷ ${middle.toLocaleString("en")}`;
  const widest = `${large.toLocaleString("en")} fills ÷ ${small.toLocaleString("en")}`;
  return [
    {
      what: "pages → archive, CPU",
      goal: "at most 6 P, aiming at 4.5",
      atMost: 6,
      value: archive?.ratio ?? null,
      unit: "P",
    },
    {
      what: "pages → archive, CPU ÷ DuckDB's for the same job: checked, sorted, raw responses kept",
      goal: "at most 0.6",
      atMost: 0.6,
      value: quotient(archive?.ratio, figure("duckdb-archive")?.ratio),
      unit: "",
    },
    {
      what: "pages → archive, CPU ÷ DuckDB's for less: none of these",
      goal: "at most 0.6",
      atMost: 0.6,
      value: quotient(archive?.ratio, figure("duckdb-parquet")?.ratio),
      unit: "",
    },
    { what: "pages → archive, peak", goal: "at most 300 MB", atMost: 300, value: peak(archive), unit: "MB" },
    {
      what: `pages → archive, peak, ${sizes}`,
      goal: "at most 1.1",
      atMost: 1.1,
      value: quotient(largeOne?.peakBytes, archive?.peakBytes),
      unit: "",
    },
    {
      what: `pages → archive, CPU per fill, ${widest}`,
      goal: "at most 1.1",
      atMost: 1.1,
      value: quotient(aFill(largeOne, large), aFill(smallOne, small)),
      unit: "",
    },
    {
      what: "archive → fills.csv and fills.parquet, CPU",
      goal: "at most 10 P",
      atMost: 10,
      value: tables?.ratio ?? null,
      unit: "P",
    },
    {
      what: "archive → fills.csv and fills.parquet, peak",
      goal: "at most 300 MB",
      atMost: 300,
      value: peak(tables),
      unit: "MB",
    },
    { what: "archive → pack, CPU", goal: "at most 20 P", atMost: 20, value: pack?.ratio ?? null, unit: "P" },
    {
      what: "a night with nothing new: requests to the store, median",
      goal: "at most 6",
      atMost: 6,
      value: fact(figure("nights-0", 10_000), "middleStoreRequests"),
      unit: "",
    },
    ...(["busyBytesOut", "quietBytesIn", "statusBytesIn", "monthBytesIn"] as const).map((name) => ({
      what: `${HISTORY_FACTS[name]}: 100 million fills of history ÷ 10 thousand`,
      goal: "at most 1.05",
      atMost: 1.05,
      value: quotient(fact(figure("history-1", LONG_HISTORY), name), fact(figure("history-1", SHORT_HISTORY), name)),
      unit: "",
    })),
  ];
}

const HISTORY_FACTS = {
  busyBytesOut: "bytes written by a run with ten new fills",
  quietBytesIn: "bytes read by a run with nothing new",
  statusBytesIn: "bytes read by `status`",
  monthBytesIn: "bytes read for the fills of one month",
} as const;

/** Null if one of them was not measured. */
function quotient(over: number | null = null, under: number | null = null): number | null {
  return over === null || under === null ? null : over / under;
}
