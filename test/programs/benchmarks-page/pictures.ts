import type { CaseName } from "../bench/cases.ts";
import { figureOf, type Results, sizesOf } from "../bench/results.ts";
import type { CostResults } from "./kept.ts";
import { svgOf } from "./plot.ts";

/** The page's plots, by their paths from the root. */
export function picturesOf(bench: Results, cost: CostResults): Readonly<Record<string, string>> {
  return { "docs/pictures/cost-over-fills.svg": costPlot(bench), "docs/pictures/requests.svg": requestsPlot(cost) };
}

function costPlot(bench: Results): string {
  const line = (name: string, of: CaseName, colour: string) => ({
    name,
    colour,
    points: sizesOf(bench, of).map(
      (fills) => [fills, ((figureOf(bench, of, fills)?.cpuSeconds ?? Number.NaN) * 1e6) / fills] as const,
    ),
  });
  return svgOf({
    title: "CPU time per fill",
    xTitle: "fills",
    yTitle: "µs per fill",
    xMarks: [100_000, 1_000_000, 10_000_000],
    yMarks: [1, 10, 100],
    lines: [
      line("archive → pack", "pack", "#c2410c"),
      line("pages → archive", "archive", "#2563eb"),
      line("JSON.parse alone", "parse", "#6b7280"),
    ],
  });
}

/** First runs of one-year accounts, whose beginning the run must find. */
function requestsPlot({ wholes }: CostResults): string {
  const year = wholes.filter(({ days }) => days === 365);
  return svgOf({
    title: "Requests of a first run of a one-year account",
    xTitle: "fills",
    yTitle: "requests",
    xMarks: [1, 10, 100, 1000, 10_000, 100_000],
    yMarks: [1, 10, 100, 1000, 10_000],
    lines: [
      { name: "allowed", colour: "#6b7280", points: year.map(({ fills, allowed }) => [fills, allowed]) },
      {
        name: "maximum of four shapes",
        colour: "#2563eb",
        points: year.map(({ fills, first }) => [fills, Math.max(...first)]),
      },
      { name: "least possible", colour: "#15803d", points: year.map(({ fills }) => [fills, Math.ceil(fills / 100)]) },
    ],
  });
}
