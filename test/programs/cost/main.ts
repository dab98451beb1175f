import process from "node:process";
import { table, writeSection } from "../../support/benchmarks.ts";
import { type Cost, costOf, ORDERS, PAGE_MS, SHAPES } from "./measure.ts";
import { type WholeCost, wholeCostOf } from "./whole-accounts.ts";

// Prints what a walk costs, in requests and in time, for each shape and order; `--write` puts it into BENCHMARKS.md.

const SEEDS = [1, 2, 3];
const SIZES = [
  { fills: 100_000, workers: 16 },
  { fills: 10_000, workers: 4 },
  { fills: 1000, workers: 4 },
  { fills: 10_000, workers: 1 },
];

const lines: string[][] = [];
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
    lines.push([fills.toLocaleString("en"), String(workers), order, ...cells]);
    process.stderr.write(`${lines.at(-1)?.join("  ")}\n`);
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

const ACCOUNTS = [
  { days: 20, sizes: [0, 1, 3, 20, 100, 300, 1000, 2000] },
  { days: 365, sizes: [1, 300, 1000, 10_000, 100_000] },
];

const whole: string[][] = [];
for (const { days, sizes } of ACCOUNTS) {
  for (const fills of sizes) {
    const costs: WholeCost[] = [];
    for (const shape of SHAPES) {
      costs.push(await wholeCostOf({ fills, days, shape, seed: 1 }));
    }
    const most = (name: "first" | "quiet" | "busy" | "unnamed") => Math.max(...costs.map((cost) => cost[name]));
    const first = costs.every(({ isWhole }) => isWhole) ? costs.map((cost) => cost.first).join(", ") : "NOT WHOLE";
    const allowed = Math.floor(Math.ceil(fills / 100) * 1.1 + 60);
    const nights = [most("quiet"), most("unnamed"), most("busy")];
    whole.push([fills.toLocaleString("en"), String(days), first, ...[allowed, ...nights].map(String)]);
    process.stderr.write(`${whole.at(-1)?.join("  ")}\n`);
  }
}

const text = [
  "## What a walk costs",
  "",
  `\`npm run cost\`: a year whose ends are given, from nothing, on the virtual clock at ${PAGE_MS} ms a page; a service without a limit, through the limiter, which does not know that and`,
  `starts slowly. Requests over the least possible (a request for each hundred fills), and how many times as fast as one chain can be; the worst of seeds ${SEEDS.join(", ")}.`,
  "All requests count: the probe of the dates, the look without dates, what a split reads twice. `unordered` and `shuffled-pages` have no order to prove, so there windows alone are split.",
  "",
  ...table(["fills", "workers", "order", ...SHAPES], lines),
  "",
  "From the account's beginning, where that is not given, 4 workers, newest first: requests of the first run for the four shapes in the order above, and what is allowed; then the most of them in a later night:",
  "one with nothing new, the same with a token that does not say whose it is (a fill is asked for to know the account by), and one with 10 new fills.",
  "",
  ...table(["fills", "days", "first run", "allowed", "quiet night", "unnamed", "10 new"], whole),
].join("\n");

process.stdout.write(`${text}\n`);

if (process.argv.includes("--write")) {
  writeSection("cost", text);
}
