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
  /** The text of BENCHMARKS.md. */
  readonly text: string;
  /** SVG files by their paths from the root. */
  readonly pictures: Readonly<Record<string, string>>;
}

/** Makes the page from the figures that each program has kept. */
export function renderPage(): Rendered {
  const bench = readResults();
  const cost = readKept("cost");
  const text = [
    "# Benchmarks",
    "`node test/programs/benchmarks-page/main.ts` writes this page from the results that each program keeps with `--write`.",
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

/** The steps' names for readers. */
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
    `Measured ${bench.date}: ${bench.machine}. P is the time of \`JSON.parse\` of the same pages in the same round.`,
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
    "CPU time of all threads, medians: µs per fill / multiples of P. Fills spread over a year; machine and day as above. Stages, DuckDB, a plain loop, whole processes and the store: [bench/RESULTS.md](test/programs/bench/RESULTS.md).",
    "![CPU time per fill, by the number of fills](docs/pictures/cost-over-fills.svg)",
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
    `Peak memory of the process, MB; machine and day as above. A small heap is \`${HEAP_FLAGS.join(" ")}\`.`,
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
    `Measured ${date}: ${machine}. A one-year account, newest first, whose beginning is not given; maximum of four shapes. A night looks back 7 days.`,
    "![Requests of a first run](docs/pictures/requests.svg)",
    lines(["Fills", "Least possible", "First run", "Allowed", "Night, nothing new", "Night, 10 new"], rows),
    `With both ends given, 10,000 or more fills need ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} times the least possible requests ([cost/RESULTS.md](test/programs/cost/RESULTS.md)). The limiter gets at least 90 % of a hidden limit, with at most 5 % refused, in ${cells.filter(({ meets }) => meets).length} of ${cells.length} cases${worst === undefined ? "" : `; the worst gets ${worst.acceptedPercent} % (${worst.limit}, ${worst.perSecond} per second)`} ([limits/RESULTS.md](test/programs/limits/RESULTS.md), ${limits.date}).`,
  ];
}

function site({ date, machine, pages }: PageResults): string[] {
  const slowest = [...Map.groupBy(pages, ({ page }) => page)].map(
    ([page, all]) =>
      `${page} ${Math.max(...all.map(({ requests }) => requests))} requests, ${Math.max(...all.map(({ ms }) => ms))} ms`,
  );
  return [
    `The accountant's page, maximum of six accounts (up to 1,000 packs), at 30 ms per request: ${slowest.join("; ")}. Measured ${date}: ${machine}.`,
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
    `Measured ${date}: ${versions}; ${machine}. 20,000 fills of a year; the least possible is 200 requests. "Right" counts right results with ${hard.length} services that lie, fail, limit or change. Bold: a wrong result, reported as success. Method, reasons and every trial: [compare/RESULTS.md](test/programs/compare/RESULTS.md).`,
    lines(["Tool", "Kept", "Seconds", "Requests", "Peak MB", "Right"], rows),
  ];
}

function faults(crash: CrashResults, simulate: SimulateResults): string[] {
  const { counts } = simulate;
  const failed = crash.rows.reduce((sum, row) => sum + row.failed, 0);
  return [
    "## Faults",
    lines(
      ["Test", "Tried", "Failed", "Measured"],
      [
        [
          "runs killed, failed or cut off at any one or two operations, in memory, folder and S3",
          counted(crash.trials),
          String(failed),
          `commit ${crash.commit}, ${crash.date}`,
        ],
        [
          `random scenarios with faults, in virtual time: ${counts["runs, requests, operations"]?.split(", ")[0]} runs`,
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
    broken.length === 0 ? "all survived" : `${broken.length} failed`,
  ]);
  return [
    "## Bad inputs",
    `Measured ${date}, seed ${seed}: ${machine}. No output contains a stack trace or a part of the token, and each failure says what to do.`,
    lines(["Group", "Tried", "Required", "Result"], rows),
  ];
}

function howToRun(): string[] {
  return [
    "## How to run",
    [
      "- `npm run bench` (20 minutes; `-- --small` only tests that it runs), `node test/programs/bench/page.ts`: cost, memory, the page",
      "- `npm run cost`, `npm run limits`: exact requests, in virtual time",
      "- `npm run compare`: peers (installs ccxt and dlt)",
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
