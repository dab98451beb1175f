import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { table } from "../../support/markdown-table.ts";
import { readOptions } from "../options.ts";
import { ORDERS, PAGE_MS, ratioOf, SHAPES } from "./measure.ts";

// Prints the cost of a sync in requests and in time, for each shape and order.

const HELP = `Counts the requests and the virtual time of a sync, for each shape and order of an account. Takes some minutes.

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
      let [once, both, speed] = [0, 0, Number.POSITIVE_INFINITY];
      for (const seed of SEEDS) {
        const account = { fills, workers, shape, order, seed };
        const [first, all] = [await ratioOf(account, "once"), await ratioOf(account, "hurry")];
        if (!all.isWhole) {
          throw new Error("a sync was incomplete, so its number of requests means nothing");
        }
        once = Math.max(once, first.ratio);
        both = Math.max(both, all.ratio);
        speed = Math.min(speed, ((fills / 100) * PAGE_MS) / all.ms);
      }
      cells.push(`${once.toFixed(2)} / ${both.toFixed(2)} / ${speed.toFixed(1)}`);
    }
    rows.push([fills.toLocaleString("en"), String(workers), order, ...cells]);
    process.stderr.write(`${fills} ${workers} ${order}\n`);
  }
}

const text = [
  "# The cost of a sync",
  "",
  `\`npm run cost\` syncs a year with both ends given, from nothing, in virtual time at ${PAGE_MS} ms per page. The service has no limit, but the limiter does not know that and`,
  "starts slowly. Each cell shows the requests of the first reading and of both readings, divided by the least possible number (one per hundred fills), and the speed of both as a",
  `multiple of a single chain's best, without the pause between them; the worst of seeds ${SEEDS.join(", ")}.`,
  "",
  ...table(["fills", "workers", "order", ...SHAPES], rows),
].join("\n");

process.stdout.write(`${text}\n`);

if (values.write) {
  writeFileSync(join(import.meta.dirname, "RESULTS.md"), `${text}\n`);
}
