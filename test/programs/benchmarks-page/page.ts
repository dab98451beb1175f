import { table } from "../../support/markdown-table.ts";
import type { CaseName } from "../bench/cases.ts";
import { figureOf, HEAP_FLAGS, type Results, readResults, sizesOf } from "../bench/results.ts";
import { targetsOf, verdictOf } from "../bench/targets.ts";
import {
  type AttackResults,
  type CompareResults,
  type CostResults,
  type CrashResults,
  type LimitResults,
  type PageResults,
  readKept,
  type SimulateResults,
} from "./kept.ts";
import { picturesOf } from "./pictures.ts";

export interface Rendered {
  /** Of BENCHMARKS.md. */
  readonly text: string;
  /** SVG files by their paths from the root. */
  readonly pictures: Readonly<Record<string, string>>;
}

/** The page, from what each program has kept of its figures. */
export function renderPage(): Rendered {
  const bench = readResults();
  const cost = readKept("cost");
  const text = [
    "# Benchmarks",
    "Written by `node test/programs/benchmarks-page/main.ts` from the results that each program keeps with `--write`.",
    ...targets(bench),
    ...costs(bench),
    ...memory(bench),
    ...requests(cost, readKept("limits")),
    ...site(readKept("page")),
    ...peers(readKept("compare")),
    ...faults(readKept("crash"), readKept("simulate")),
    ...attacks(readKept("attack")),
    ...howToRun(),
  ].join("\n\n");
  return { text: `${text}\n`, pictures: picturesOf(bench, cost) };
}

/** What the names of the steps are to a reader. */
const STEPS: readonly (readonly [name: CaseName, step: string])[] = [
  ["parse", "JSON.parse of all pages (P)"],
  ["archive", "pages → archive"],
  ["tables", "archive → fills.csv, fills.parquet"],
  ["pack", "archive → pack"],
];

function targets(bench: Results): string[] {
  const rows = targetsOf(bench).map((target) => {
    const { what, goal, value, unit } = target;
    const shown = value === null ? "" : `${unit === "MB" ? value.toFixed(0) : value.toFixed(2)} ${unit}`.trim();
    return [what, goal, shown, verdictOf(target)];
  });
  return [
    "## Targets",
    `Measured ${bench.date}: ${bench.machine}. P is the time of \`JSON.parse\` of the same pages in the same round, and nothing else.`,
    lines(["What", "Goal", "Measured", ""], rows),
  ];
}

function costs(bench: Results): string[] {
  const sizes = sizesOf(bench, "archive");
  const rows = STEPS.map(([name, step]) => {
    const figures = sizes.map((fills) => figureOf(bench, name, fills));
    const times = figures.map((figure, at) =>
      figure === null
        ? ""
        : `${((figure.cpuSeconds * 1e6) / (sizes[at] ?? 0)).toFixed(1)} / ${figure.ratio.toFixed(2)}`,
    );
    return [step, ...times];
  });
  return [
    "## Cost",
    "Processor time of all threads, medians: µs a fill / times P. Fills spread over a year; machine and day as above. Stages, DuckDB, a plain loop, whole processes, and what is written: [bench/RESULTS.md](test/programs/bench/RESULTS.md).",
    "![Processor time of a fill, by the number of fills](docs/pictures/cost-over-fills.svg)",
    lines(["Step", ...sizes.map((fills) => `${counted(fills)} fills`)], rows),
  ];
}

function memory(bench: Results): string[] {
  const sizes = sizesOf(bench, "archive");
  const rows = STEPS.flatMap(([name, step]) =>
    [false, true].flatMap((limited) => {
      const peaks = sizes.map((fills) => figureOf(bench, name, fills, { limited })?.peakBytes);
      const cells = peaks.map((peak) => (peak === undefined ? "" : (peak / 1e6).toFixed(0)));
      return peaks.every((peak) => peak === undefined) ? [] : [[limited ? `${step}, small heap` : step, ...cells]];
    }),
  );
  return [
    "## Memory",
    `Peak of the process, MB; machine and day as above. A small heap is \`${HEAP_FLAGS.join(" ")}\`.`,
    lines(["Step", ...sizes.map((fills) => `${counted(fills)} fills`)], rows),
  ];
}

function requests({ date, machine, wholes, walks }: CostResults, limits: LimitResults): string[] {
  const rows = wholes
    .filter(({ days }) => days === 365)
    .map(({ fills, first, allowed, quiet, busy }) =>
      [fills, Math.ceil(fills / 100), Math.max(...first), allowed, quiet, busy].map(counted),
    );
  const ordered = walks.filter(({ order, fills }) => order === "descending" && fills >= 10_000);
  const ratios = ordered.flatMap(({ shapes }) => Object.values(shapes).map(({ ratio }) => ratio));
  const cells = [...limits.untold, ...limits.told];
  const worst = cells.toSorted((a, b) => a.acceptedPercent - b.acceptedPercent)[0];
  return [
    "## Requests",
    `Measured ${date}: ${machine}. An account of a year, newest first, its beginning not given; the most of four shapes. A night looks back over 7 days.`,
    "![Requests of a first run](docs/pictures/requests.svg)",
    lines(["Fills", "Least possible", "First run", "Allowed", "Night, nothing new", "Night, 10 new"], rows),
    `With both ends given, 10,000 and more fills ask ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} times the least possible ([cost/RESULTS.md](test/programs/cost/RESULTS.md)). The limiter gets at least 90 % of a hidden limit, with at most 5 % refused, in ${cells.filter(({ meets }) => meets).length} of ${cells.length} cases${worst === undefined ? "" : `; the worst gets ${worst.acceptedPercent} % (${worst.limit}, ${worst.perSecond} a second)`} ([limits/RESULTS.md](test/programs/limits/RESULTS.md), ${limits.date}).`,
  ];
}

function site({ date, machine, pages }: PageResults): string[] {
  const slowest = [...Map.groupBy(pages, ({ page }) => page)].map(
    ([page, all]) =>
      `${page} ${Math.max(...all.map(({ requests }) => requests))} requests, ${Math.max(...all.map(({ ms }) => ms))} ms`,
  );
  return [
    `The accountant's page, the most of six accounts (up to 1,000 packs), 30 ms a request: ${slowest.join("; ")}. Measured ${date}: ${machine}.`,
  ];
}

function peers({ date, machine, versions, timed, hard }: CompareResults): string[] {
  const rows = timed.map(({ tool, kept, seconds, requests: asked, peakMb }) => [
    tool,
    kept,
    seconds.toFixed(1),
    counted(asked),
    counted(peakMb),
    hard.some(({ kept: ofTools }) => tool in ofTools)
      ? String(hard.filter(({ kept: of }) => of[tool] === "right").length)
      : "–",
  ]);
  return [
    "## Peers",
    `Measured ${date}: ${versions}; ${machine}. 20,000 fills of a year; the least possible is 200 requests. The last column: of ${hard.length} services that lie, fail, limit or change, how many end right. Bold: wrong, and ended as if nothing were. Method, reasons and every trial: [compare/RESULTS.md](test/programs/compare/RESULTS.md).`,
    lines(["Tool", "Kept", "Seconds", "Requests", "Peak MB", "Right"], rows),
  ];
}

function faults(crash: CrashResults, simulate: SimulateResults): string[] {
  const { counts } = simulate;
  const failed = crash.rows.reduce((sum, row) => sum + row.failed, 0);
  return [
    "## Faults",
    lines(
      ["What is tried", "Tried", "Failed", "Measured"],
      [
        [
          "a run killed, failed or cut off at any one or two of its operations, on memory, folder and S3",
          counted(crash.trials),
          String(failed),
          `commit ${crash.commit}, ${crash.date}`,
        ],
        [
          `whole runs from a seed, with faults, on virtual time: ${counts["runs, requests, operations"]?.split(", ")[0]} runs`,
          `${counts["scenarios"]}`,
          `${counts["failed"]}`,
          simulate.date,
        ],
      ],
    ),
  ];
}

function attacks({ date, machine, seed, groups }: AttackResults): string[] {
  const rows = groups.map(({ group, must, tried, broken }) => [
    group,
    counted(tried),
    must,
    broken.length === 0 ? "all survived" : `${broken.length} did not`,
  ]);
  return [
    "## Bad inputs",
    `Measured ${date}, seed ${seed}: ${machine}. No output holds a stack trace or a part of the token; each failure says what to do.`,
    lines(["Group", "Tried", "Must", "Result"], rows),
  ];
}

function howToRun(): string[] {
  return [
    "## How to run",
    [
      "- `npm run bench` (20 minutes; `-- --small` shows that it runs), `node test/programs/bench/page.ts`: cost, memory, the page",
      "- `npm run cost`, `npm run limits`: requests, exact, on virtual time",
      "- `npm run compare`: peers; it installs ccxt and dlt",
      "- `FILLBOOK_CRASH=all npx vitest run test/crash`, `npm run simulate -- --runs 1000 --from 1`: faults",
      "- `npm run attack`: bad inputs",
    ].join("\n"),
  ];
}

function lines(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return table(head, rows).join("\n");
}

function counted(many: number): string {
  return many.toLocaleString("en");
}
