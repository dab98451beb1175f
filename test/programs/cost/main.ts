import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { table } from "../../support/markdown-table.ts";
import { readOptions } from "../options.ts";
import { type Cost, costOf, ORDERS, PAGE_MS, SHAPES } from "./measure.ts";

// Prints the cost of a walk in requests and in time, for each shape and order.

const HELP = `Counts the requests and the virtual time of a walk, for each shape and order of an account. Takes some minutes.

npm run cost -- [options]

  --write  also writes the table to test/programs/cost/RESULTS.md
  --help   prints this text
`;

const values = readOptions(HELP, { write: { type: "boolean", default: false } });

const SEEDS = [1, 2, 3];
const SIZES = [
  { fills: 100_000, workers: 16 },
  { fills: 10_000, workers: 4 },
  { fills: 1000, workers: 4 },
  { fills: 10_000, workers: 1 },
];

const rows: string[][] = [];
for (const { fills, workers } of SIZES) {
  for (const order of ORDERS) {
    const cells: string[] = [];
    for (const shape of SHAPES) {
      const costs: Cost[] = [];
      for (const seed of SEEDS) {
        costs.push(await costOf({ fills, workers, shape, order, seed }));
      }
      cells.push(worstOf(fills, costs));
    }
    rows.push([fills.toLocaleString("en"), String(workers), order, ...cells]);
    process.stderr.write(`${fills} ${workers} ${order}\n`);
  }
}

/** Throws if a walk was incomplete, because its number of requests then means nothing. */
function worstOf(fills: number, costs: readonly Cost[]): string {
  if (costs.some(({ isWhole }) => !isWhole)) {
    throw new Error("a walk was incomplete");
  }
  const chainMs = (fills / 100) * PAGE_MS;
  const ratio = Math.max(...costs.map((cost) => cost.ratio));
  return `${ratio.toFixed(3)} / ${Math.min(...costs.map(({ ms }) => chainMs / ms)).toFixed(1)}`;
}

const text = [
  "# The cost of a walk",
  "",
  `\`npm run cost\` walks a year with both ends given, from nothing, in virtual time at ${PAGE_MS} ms per page. The service has no limit, but the limiter does not know that and`,
  `starts slowly. Each cell shows the requests divided by the least possible number (one per hundred fills), and the speed as a multiple of a single chain's best; the worst of seeds ${SEEDS.join(", ")}.`,
  "All requests count, including the probe of the dates, the page without dates, and rows that a split reads twice. `unordered` and `shuffled-pages` have no order to prove, so only windows are split there.",
  "",
  ...table(["fills", "workers", "order", ...SHAPES], rows),
].join("\n");

process.stdout.write(`${text}\n`);

if (values.write) {
  writeFileSync(join(import.meta.dirname, "RESULTS.md"), `${text}\n`);
}
