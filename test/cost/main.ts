import process from "node:process";
import { writeSection } from "../support/benchmarks.ts";
import { type Cost, costOf, ORDERS, PAGE_MS, SHAPES } from "./measure.ts";

// Prints what a walk costs, in requests and in time, for each shape and order; `--write` puts it into BENCHMARKS.md.

const SEEDS = [1, 2, 3];
const SIZES = [
  { fills: 100_000, workers: 16 },
  { fills: 10_000, workers: 4 },
  { fills: 1000, workers: 4 },
  { fills: 10_000, workers: 1 },
];

const lines: string[] = [];
for (const { fills, workers } of SIZES) {
  for (const order of ORDERS) {
    const cells: string[] = [];
    for (const shape of SHAPES) {
      const costs: Cost[] = [];
      for (const seed of SEEDS) {
        costs.push(await costOf({ fills, workers, shape, order, seed }));
      }
      cells.push(cell(fills, costs));
    }
    lines.push(`| ${fills.toLocaleString("en")} | ${workers} | ${order} | ${cells.join(" | ")} |`);
    process.stderr.write(`${lines.at(-1)}\n`);
  }
}

function cell(fills: number, costs: readonly Cost[]): string {
  if (costs.some(({ isWhole }) => !isWhole)) {
    return "NOT WHOLE";
  }
  const ratio = Math.max(...costs.map((cost) => cost.ratio));
  const chainMs = (fills / 100) * PAGE_MS;
  const speed = Math.min(...costs.map(({ ms }) => chainMs / ms));
  return `${ratio.toFixed(3)} / ${speed.toFixed(1)}`;
}

const text = [
  "## What a walk costs",
  "",
  `\`npm run cost\`: a year whose ends are given, from nothing, on the virtual clock at ${PAGE_MS} ms a page; a service without a limit, through the limiter, which does not know that and`,
  `starts slowly. Requests over the least possible (a request for each hundred fills), and how many times as fast as one chain can be; the worst of seeds ${SEEDS.join(", ")}.`,
  "All requests count: the probe of the dates, the look without dates, what a split reads twice. `unordered` and `shuffled-pages` have no order to prove, so there windows alone are split.",
  "",
  "| fills | workers | order | uniform | ramp | zipf-days | bursts |",
  "| --- | --- | --- | --- | --- | --- | --- |",
  ...lines,
].join("\n");

process.stdout.write(`${text}\n`);

if (process.argv.includes("--write")) {
  writeSection("cost", text);
}
