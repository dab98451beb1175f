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

// Prints what the limiter gets from each hidden limit, beside one chain; `--write` keeps it in RESULTS.md
// with every cell, and writes BENCHMARKS.md anew.

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
  "`node test/programs/limits/main.ts` plays the limiter against limits that it cannot see: 600 s of virtual time, or as long as 1,000 requests may",
  `pass (100,000 fills) if that is longer; ${CONCURRENCY} workers that always have a request; the mean of seeds ${SEEDS.join(", ")}. Each request takes its round trip ± 20 %, and gets to the service after a twentieth of it. A cell says how much was`,
  "accepted, of what could be (the limit, or what so many workers can send), and how much of what was sent was refused: **91 / 1.2** is 91 % and 1.2 %.",
  `Wanted: at least ${percent(LEAST_SHARE)} % and at most ${percent(MOST_REFUSED)} %. More than 100 % is a window cut at both ends of that time, or the bucket that was full at first.`,
  "",
  ...ourTable(KINDS, limited),
  "",
  ...reasons(),
  "",
  "### When answers say what is left",
  "",
  'Every answer has `RateLimit: "default";r=…;t=…`; a refusal has no Retry-After. Of a bucket `t` is the time until it is full, of a sliding window until one more passes.',
  "",
  ...ourTable(TOLD, told),
  "",
  `${told.filter(({ measures }) => meets(of(measures, OURS))).length} of ${told.length} cells meet both.`,
  "",
  "### The second of two runs",
  "",
  "What the first has learned in 600 s is told to the second, at another time. Their first minute, at 150 ms: accepted % / requests refused, **without → with** what",
  "was learned. Windows are used up at once by who knows nothing, and again in the second window, so that the first minute holds more than a minute's requests.",
  "",
  ...secondRuns(),
  "",
  "Told ten times too much, or a tenth, at 150 ms and 10 a second, over 600 s: accepted % / requests refused, beside a run that knows nothing.",
  "",
  ...wronglyTold(),
  "",
  worstTold(),
  "",
  "### A ban that grows",
  "",
  "A bucket with a burst of 5; each refused request adds 2 s to the ban. Accepted a second; wanted: half of what one chain gets.",
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
    ["Hidden limit", "round trip", ...LIMITS.map((limit) => `${limit} a second`)],
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
    ["Hidden limit", ...limits.map((limit) => `${limit} a second`)],
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

/** Of all limits, for an honest end of the table. */
function worstTold(): string {
  const tenths = cellsOf(KINDS, [150], LIMITS).map((cell) => ({
    cell,
    second: beginnings(cell, SEEDS, { factor: 0.1, lengthMs: HORIZON_MS }).second,
  }));
  const [worst] = tenths.toSorted((a, b) => a.second.share - b.second.share);
  return worst === undefined
    ? ""
    : `The worst of all limits that is told a tenth: ${worst.cell.kind.name}, ${worst.cell.perSecond} a second: ${begun(worst.second)}.`;
}

function begun({ share, refused }: Beginning): string {
  return `${percent(share)} / ${refused.toFixed(0)}`;
}

function reasons(): string[] {
  const met = limited.filter(({ measures }) => meets(of(measures, OURS))).length;
  return [
    `${met} of ${limited.length} cells meet both. The others:`,
    "",
    "- **a** Some ten to twenty refusals find a limit that is not told, whatever it is (those in flight when the first comes, then the probes): with a round trip of 2 s",
    "  and a window of 60 s they are more than 5 % of 1,200 requests. A longer run is below it.",
    "- **b** With a round trip of 2 s each refusal stops everything for more than two of them: what is in flight comes back, then the probe goes alone. The rule costs this.",
    "- **c** A limit without slack refuses two requests that come closer than its interval (10 or 20 ms): the jitter of the way there (± 0.2 or ± 1.5 ms) and timers of",
    "  whole ms (90.9 or 100 a second, nothing between) push them together before the rate is reached. A Retry-After of 1 s, where 0.1 s was meant, costs the rest.",
  ];
}

function bans(): string[] {
  const own = lines.filter(({ cell }) => cell.kind === BAN);
  return table(
    ["round trip", "limit", ...NAMES],
    own.map(({ cell, measures }) => [
      `${cell.rttMs} ms`,
      `${cell.perSecond} a second`,
      ...NAMES.map((name) => of(measures, name).goodput.toFixed(2)),
    ]),
  );
}

function full(): string[] {
  return [
    "## Every cell",
    "",
    "Written by `node test/programs/limits/main.ts --write`. Accepted % / refused %.",
    "",
    ...table(
      ["Hidden limit", "round trip", "could pass, a second", ...NAMES],
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
