import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { machine } from "../../support/machine.ts";
import { table } from "../../support/markdown-table.ts";
import type { CostResults } from "../benchmarks-page/kept.ts";
import { keep } from "../benchmarks-page/write.ts";
import { type Cost, costOf, ORDERS, PAGE_MS, SHAPES } from "./measure.ts";
import { type WholeCost, wholeCostOf } from "./whole-accounts.ts";

// Prints the cost of a walk in requests and in time, for each shape and order. `--write` keeps it beside this
// file, and writes BENCHMARKS.md again.

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

/** Throws if a walk was incomplete, because its number of requests then means nothing. */
function worstOf(fills: number, costs: readonly Cost[]): Walk["shapes"][string] {
  if (costs.some(({ isWhole }) => !isWhole)) {
    throw new Error("a walk was incomplete");
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
      throw new Error("a walk was incomplete");
    }
    const most = (name: "quiet" | "busy" | "unnamed") => Math.max(...costs.map((cost) => cost[name]));
    const allowed = Math.floor(Math.ceil(fills / 100) * 1.1 + 60);
    const nights = { quiet: most("quiet"), unnamed: most("unnamed"), busy: most("busy") };
    wholes.push({ fills, days, first: costs.map(({ first }) => first), allowed, ...nights });
    process.stderr.write(`${fills} ${days}\n`);
  }
}

const text = [
  "# The cost of a walk",
  "",
  `\`npm run cost\` walks a year with both ends given, from nothing, in virtual time at ${PAGE_MS} ms per page. The service has no limit, but the limiter does not know that and`,
  `starts slowly. Each cell shows the requests divided by the least possible number (one per hundred fills), and the speed as a multiple of a single chain's best; the worst of seeds ${SEEDS.join(", ")}.`,
  "All requests count, including the probe of the dates, the page without dates, and rows that a split reads twice. `unordered` and `shuffled-pages` have no order to prove, so only windows are split there.",
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
  "The second table shows whole accounts whose beginning is not given, with 4 workers, newest first: the requests of the first run for the four shapes in the order above, and the allowed number. Then the most requests of a later night:",
  "with nothing new; the same with a token that does not name its trader (a known fill is then requested); and with 10 new fills.",
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
