import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { machine } from "../../support/machine.ts";
import { table } from "../../support/markdown-table.ts";
import type { CostResults } from "../benchmarks-page/kept.ts";
import { keep } from "../benchmarks-page/write.ts";
import { type Cost, costOf, ORDERS, PAGE_MS, SHAPES } from "./measure.ts";
import { type WholeCost, wholeCostOf } from "./whole-accounts.ts";

// Prints what a walk costs, in requests and in time, for each shape and order; `--write` keeps it beside this
// file, and writes BENCHMARKS.md anew.

const SEEDS = [1, 2, 3];
const SIZES = [
  { fills: 100_000, workers: 16 },
  { fills: 10_000, workers: 4 },
  { fills: 1000, workers: 4 },
  { fills: 10_000, workers: 1 },
];

type Walk = CostResults["walks"][number];

const walks: Walk[] = [];
for (const { fills, workers } of SIZES) {
  for (const order of ORDERS) {
    const shapes: Record<string, Walk["shapes"][string]> = {};
    for (const shape of SHAPES) {
      const costs: Cost[] = [];
      for (const seed of SEEDS) {
        costs.push(await costOf({ fills, workers, shape, order, seed }));
      }
      shapes[shape] = worstOf(fills, costs);
    }
    walks.push({ fills, workers, order, shapes });
    process.stderr.write(`${fills} ${workers} ${order}\n`);
  }
}

/** Throws where a walk was not whole: what it asked says nothing then. */
function worstOf(fills: number, costs: readonly Cost[]): Walk["shapes"][string] {
  if (costs.some(({ isWhole }) => !isWhole)) {
    throw new Error("a walk was not whole");
  }
  const chainMs = (fills / 100) * PAGE_MS;
  return {
    ratio: rounded(Math.max(...costs.map((cost) => cost.ratio)), 3),
    speed: rounded(Math.min(...costs.map(({ ms }) => chainMs / ms)), 1),
  };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

const ACCOUNTS = [
  { days: 20, sizes: [0, 1, 3, 20, 100, 300, 1000, 2000] },
  { days: 365, sizes: [1, 300, 1000, 10_000, 100_000] },
];

const wholes: CostResults["wholes"][number][] = [];
for (const { days, sizes } of ACCOUNTS) {
  for (const fills of sizes) {
    const costs: WholeCost[] = [];
    for (const shape of SHAPES) {
      costs.push(await wholeCostOf({ fills, days, shape, seed: 1 }));
    }
    if (costs.some(({ isWhole }) => !isWhole)) {
      throw new Error("a walk was not whole");
    }
    const most = (name: "quiet" | "busy" | "unnamed") => Math.max(...costs.map((cost) => cost[name]));
    const allowed = Math.floor(Math.ceil(fills / 100) * 1.1 + 60);
    const nights = { quiet: most("quiet"), unnamed: most("unnamed"), busy: most("busy") };
    wholes.push({ fills, days, first: costs.map(({ first }) => first), allowed, ...nights });
    process.stderr.write(`${fills} ${days}\n`);
  }
}

const text = [
  "# What a walk costs",
  "",
  `\`npm run cost\`: a year whose ends are given, from nothing, on the virtual clock at ${PAGE_MS} ms a page; a service without a limit, through the limiter, which does not know that and`,
  `starts slowly. Requests over the least possible (a request for each hundred fills), and how many times as fast as one chain can be; the worst of seeds ${SEEDS.join(", ")}.`,
  "All requests count: the probe of the dates, the look without dates, what a split reads twice. `unordered` and `shuffled-pages` have no order to prove, so there windows alone are split.",
  "",
  ...table(
    ["fills", "workers", "order", ...SHAPES],
    walks.map(({ fills, workers, order, shapes }) => [
      fills.toLocaleString("en"),
      String(workers),
      order,
      ...Object.values(shapes).map(({ ratio, speed }) => `${ratio.toFixed(3)} / ${speed.toFixed(1)}`),
    ]),
  ),
  "",
  "From the account's beginning, where that is not given, 4 workers, newest first: requests of the first run for the four shapes in the order above, and what is allowed; then the most of them in a later night:",
  "one with nothing new, the same with a token that does not say whose it is (a fill is asked for to know the account by), and one with 10 new fills.",
  "",
  ...table(
    ["fills", "days", "first run", "allowed", "quiet night", "unnamed", "10 new"],
    wholes.map(({ fills, days, first, allowed, quiet, unnamed, busy }) => [
      fills.toLocaleString("en"),
      String(days),
      first.join(", "),
      ...[allowed, quiet, unnamed, busy].map(String),
    ]),
  ),
].join("\n");

process.stdout.write(`${text}\n`);

if (process.argv.includes("--write")) {
  writeFileSync(join(import.meta.dirname, "RESULTS.md"), `${text}\n`);
  keep("cost", { date: machine().date, machine: "virtual time, the same on every machine", walks, wholes });
}
