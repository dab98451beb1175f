import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { machine } from "../../support/machine.ts";
import { table } from "../../support/markdown-table.ts";
import type { LimitCell } from "../benchmarks-page/kept.ts";
import { keep } from "../benchmarks-page/write.ts";
import { CANDIDATES, fillbook } from "./candidates.ts";
import {
  BAN,
  CONCURRENCY,
  capacity,
  cellsOf,
  type GridCell,
  HORIZON_MS,
  KINDS,
  type Kind,
  LEAST_SHARE,
  LIMITS,
  type Measure,
  MOST_REFUSED,
  measure,
  meets,
  RTTS,
  TOLD,
} from "./grid.ts";
import { type Beginning, beginnings } from "./second-run.ts";

// Prints how much of each hidden limit the limiter uses, compared with a single chain. `--write` keeps it in
// RESULTS.md with every cell, and writes BENCHMARKS.md again.

const SEEDS = [1, 2, 3];
const OURS = "fillbook";
const NAMES = Object.keys(CANDIDATES);

interface Line {
  readonly cell: GridCell;
  readonly measures: Readonly<Record<string, Measure>>;
}

const lines: Line[] = cellsOf([...KINDS, BAN], RTTS, LIMITS).map((cell) => ({
  cell,
  measures: Object.fromEntries(Object.entries(CANDIDATES).map(([name, make]) => [name, measure(make, cell, SEEDS)])),
}));
const limited = lines.filter(({ cell }) => cell.kind !== BAN);
const told: Line[] = cellsOf(TOLD, RTTS, LIMITS).map((cell) => ({
  cell,
  measures: { [OURS]: measure(fillbook, cell, SEEDS) },
}));

const summary = [
  "# The limiter",
  "",
  "`node test/programs/limits/main.ts` runs the limiter against limits that it cannot see, for 600 s of virtual time, or until 1,000 requests",
  `(100,000 fills) could pass, if that is longer. ${CONCURRENCY} workers always have a request; figures are means of seeds ${SEEDS.join(", ")}. Each request takes its round trip ± 20 % and reaches the service after a twentieth of it. A cell shows the`,
  "accepted share of the requests that could pass (the limit, or what the workers can send), and the refused share of those sent: **91 / 1.2** is 91 % and 1.2 %.",
  `The targets are at least ${percent(LEAST_SHARE)} % and at most ${percent(MOST_REFUSED)} %. A value above 100 % comes from windows that are cut at both ends of the time, or from a bucket that was full at first.`,
  "",
  ...ourTable(KINDS, limited),
  "",
  ...reasons(),
  "",
  "### Answers that say how many requests are left",
  "",
  'Every answer has `RateLimit: "default";r=…;t=…`; a refusal has no Retry-After. For a bucket, `t` is the time until it is full; for a sliding window, the time until one more request passes.',
  "",
  ...ourTable(TOLD, told),
  "",
  `${told.filter(({ measures }) => meets(of(measures, OURS))).length} of ${told.length} cells meet both targets.`,
  "",
  "### The second of two runs",
  "",
  "The second run is told the rate that the first one learned in 600 s, at another time. The table shows the first minute at 150 ms: accepted % / refused requests,",
  "**without → with** that rate. A run that knows nothing uses a window up at once, and again the second window, so its first minute has more than a minute's requests.",
  "",
  ...secondRuns(),
  "",
  "A run that is told ten times the rate, or a tenth of it, at 150 ms and 10 per second, over 600 s, beside a run that knows nothing: accepted % / refused requests.",
  "",
  ...wronglyTold(),
  "",
  worstTold(),
  "",
  "### A growing ban",
  "",
  "A bucket with a burst of 5; each refused request adds 2 s to the ban. The table shows accepted requests per second. The target is half of what a single chain gets.",
  "",
  ...bans(),
].join("\n");

process.stdout.write(`${summary}\n`);
if (process.argv.includes("--write")) {
  writeFileSync(join(import.meta.dirname, "RESULTS.md"), `${summary}\n\n${full().join("\n")}\n`);
  const virtual = "virtual time, the same on every machine";
  keep("limits", { date: machine().date, machine: virtual, untold: limited.map(kept), told: told.map(kept) });
}

function kept({ cell, measures }: Line): LimitCell {
  const ours = of(measures, OURS);
  return {
    limit: cell.kind.name,
    roundTripMs: cell.rttMs,
    perSecond: cell.perSecond,
    acceptedPercent: Number(percent(ours.share)),
    refusedPercent: Number((100 * ours.refused).toFixed(1)),
    meets: meets(ours),
  };
}

function ourTable(kinds: readonly Kind[], from: readonly Line[]): string[] {
  return table(
    ["Hidden limit", "round trip", ...LIMITS.map((limit) => `${limit} per second`)],
    kinds.flatMap((kind) =>
      RTTS.map((rttMs) => [
        kind.name,
        `${rttMs} ms`,
        ...LIMITS.map((perSecond) => {
          const line = from.find(
            ({ cell }) => cell.kind === kind && cell.rttMs === rttMs && cell.perSecond === perSecond,
          );
          return line === undefined ? "–" : marked(line);
        }),
      ]),
    ),
  );
}

function marked({ cell, measures }: Line): string {
  const ours = of(measures, OURS);
  return meets(ours) ? pair(ours) : `**${pair(ours)}** ${reasonOf(cell, ours)}`;
}

function reasonOf({ rttMs, perSecond }: GridCell, { refused }: Measure): string {
  if (refused > MOST_REFUSED) {
    return "a";
  }
  return perSecond >= 50 && rttMs < 2000 ? "c" : "b";
}

function secondRuns(): string[] {
  const limits = [2, 10, 50];
  return table(
    ["Hidden limit", ...limits.map((limit) => `${limit} per second`)],
    [...KINDS, BAN].map((kind) => [
      kind.name,
      ...cellsOf([kind], [150], limits).map((cell) => {
        const { first, second } = beginnings(cell, SEEDS);
        return `${begun(first)} → **${begun(second)}**`;
      }),
    ]),
  );
}

function wronglyTold(): string[] {
  return table(
    ["Hidden limit", "knows nothing", "ten times too much", "a tenth"],
    cellsOf([...KINDS, BAN], [150], [10]).map((cell) => {
      const high = beginnings(cell, SEEDS, { factor: 10, lengthMs: HORIZON_MS });
      const low = beginnings(cell, SEEDS, { factor: 0.1, lengthMs: HORIZON_MS });
      return [cell.kind.name, ...[high.first, high.second, low.second].map(begun)];
    }),
  );
}

/** The worst cell of all limits, so that the table hides nothing. */
function worstTold(): string {
  const tenths = cellsOf(KINDS, [150], LIMITS).map((cell) => ({
    cell,
    second: beginnings(cell, SEEDS, { factor: 0.1, lengthMs: HORIZON_MS }).second,
  }));
  const [worst] = tenths.toSorted((a, b) => a.second.share - b.second.share);
  return worst === undefined
    ? ""
    : `The worst of all limits with a tenth: ${worst.cell.kind.name}, ${worst.cell.perSecond} per second: ${begun(worst.second)}.`;
}

function begun({ share, refused }: Beginning): string {
  return `${percent(share)} / ${refused.toFixed(0)}`;
}

function reasons(): string[] {
  const met = limited.filter(({ measures }) => meets(of(measures, OURS))).length;
  return [
    `${met} of ${limited.length} cells meet both targets. The others:`,
    "",
    "- **a** It takes ten to twenty refusals to find a hidden limit, whatever it is: the requests in flight at the first refusal, then the probes. With a round trip of 2 s",
    "  and a window of 60 s, they are more than 5 % of 1,200 requests. A longer run stays below 5 %.",
    "- **b** With a round trip of 2 s, each refusal stops everything for more than two round trips: the requests in flight return, then a single probe is sent. That is the rule's cost.",
    "- **c** A limit without slack refuses requests that arrive closer together than its interval (10 or 20 ms). Jitter on the way (± 0.2 or ± 1.5 ms) and timers in",
    "  whole ms (90.9 or 100 per second, nothing between) bring requests too close before the rate is reached. A Retry-After of 1 s, rounded up from 0.1 s, costs the rest.",
  ];
}

function bans(): string[] {
  const own = lines.filter(({ cell }) => cell.kind === BAN);
  return table(
    ["round trip", "limit", ...NAMES],
    own.map(({ cell, measures }) => [
      `${cell.rttMs} ms`,
      `${cell.perSecond} per second`,
      ...NAMES.map((name) => of(measures, name).goodput.toFixed(2)),
    ]),
  );
}

function full(): string[] {
  return [
    "## Every cell",
    "",
    "`node test/programs/limits/main.ts --write` writes this table. Accepted % / refused %.",
    "",
    ...table(
      ["Hidden limit", "round trip", "could pass, per second", ...NAMES],
      lines.map(({ cell, measures }) => [
        cell.kind.name,
        `${cell.rttMs} ms`,
        String(Math.round(100 * capacity(cell)) / 100),
        ...NAMES.map((name) => pair(of(measures, name))),
      ]),
    ),
  ];
}

function of(measures: Line["measures"], name: string): Measure {
  return measures[name] ?? { goodput: 0, share: 0, refused: 0 };
}

function pair({ share, refused }: Measure): string {
  return `${percent(share)} / ${(100 * refused).toFixed(1)}`;
}

function percent(share: number): string {
  return (100 * share).toFixed(0);
}
