import type { StepResult } from "./fills.ts";
import type { PackResult } from "./packs.ts";
import { PAGE_MS, type ProcessResult } from "./processes.ts";

interface Results {
  /** Date, machine, versions and load. */
  readonly about: string;
  readonly fills: number;
  readonly steps: readonly StepResult[];
  readonly read: number;
  readonly processes: readonly ProcessResult[];
  readonly packed: number;
  readonly packs: readonly PackResult[];
}

const PEAK_MB = 300;

/** BENCHMARKS.md */
export function pageOf({ about, fills, steps, read, processes, packed, packs }: Results): string {
  const chainSeconds = ((read / 100) * PAGE_MS) / 1000;
  const over = steps.filter(({ peakBytes }) => peakBytes > PEAK_MB * 1e6).length;
  const ours = packs[0]?.cost ?? { seconds: Number.NaN, cpuSeconds: Number.NaN };
  return [
    "# Benchmarks",
    "",
    `\`npm run bench -- --write\` made this page: ${about}. CPU is the processor time of all threads, user and system.`,
    "",
    `## ${count(fills)} fills`,
    "",
    `Whole commands, a year, on loopback, 16 requests at once; the store is a local folder. P is the CPU of only \`JSON.parse\` of all pages. The goal for every peak is ${PEAK_MB} MB; ${over} of ${steps.length} miss it.`,
    "",
    ...table(
      ["Step", "CPU s", "÷ P", "Peak MB", "MB made"],
      steps.map(({ what, cpuSeconds, ratio, peakBytes, bytesMade }) => [
        what,
        cpuSeconds.toFixed(1),
        ratio.toFixed(1),
        megabytes(peakBytes),
        megabytes(bytesMade),
      ]),
    ),
    "",
    ...OF_FILLS,
    "",
    `## Whole processes: ${count(read)} fills`,
    "",
    `A year, newest first, ${PAGE_MS} ms a page, on loopback; 16 requests at once where a tool can. One chain of pages takes at least ${chainSeconds} s. Goals: read once 8 times as fast as that, read twice 5 times. **Bold**: a wrong result, reported as success.`,
    "",
    ...table(
      ["Process", "Kept", "Wall s", "Times one chain", "CPU s", "Peak MB", "Requests"],
      processes.map(({ what, kept, seconds, cpuSeconds, peakBytes, requests }) => [
        what,
        kept === "" || kept === "right" ? kept : `**${kept}**`,
        seconds.toFixed(1),
        kept === "right" ? (chainSeconds / seconds).toFixed(1) : "",
        cpuSeconds.toFixed(1),
        megabytes(peakBytes),
        String(requests),
      ]),
    ),
    "",
    OF_PROCESSES,
    "",
    `## Packs of ${count(packed)} fills`,
    "",
    "One market, only long, because the others cannot express more. fillbook's whole command, with its 31 files, of a settled year, so that it reads no service; rp2's whole command for the United States; of BittyTax, import and calculation, without its audit and report, which need its network. The goal, 20 times as fast, is missed.",
    "",
    ...table(
      ["Program", "Wall s", "÷ fillbook's", "CPU s", "÷ fillbook's", "Peak MB"],
      packs.map(({ what, cost }) =>
        cost === null
          ? [what, "over 3,600", "", "", "", ""]
          : [
              what,
              cost.seconds.toFixed(1),
              (cost.seconds / ours.seconds).toFixed(1),
              cost.cpuSeconds.toFixed(1),
              (cost.cpuSeconds / ours.cpuSeconds).toFixed(1),
              megabytes(cost.peakBytes),
            ],
      ),
    ),
    "",
    ...REST,
    "",
  ].join("\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}

function count(value: number): string {
  return value.toLocaleString("en");
}

function megabytes(bytes: number): string {
  return count(Math.round(bytes / 1e6));
}

/** Where goals are missed: what profiles say. Written by hand. */
const OF_FILLS: readonly string[] = [
  "- A pack without its Parquet file takes 85 s, 289 MB of memory and 892 MB of bytes (goals: 60 P, 300 and 800); a third of the time is decimal.js, a sixth deflates its ZIP in plain JavaScript (node:zlib gives other bytes on other machines).",
  "- The peaks are what the collector has not yet given back, and the text of a data file of up to 50,000 fills. Five million fills are read with the same memory.",
  "- Of a pack's bytes, realised-pnl.csv has 355 MB, fills.csv 270 and fills.parquet 170; the ZIP adds 365.",
];

const OF_PROCESSES =
  "Both goals are missed. Of the seconds of one reading, the limiter takes one until it trusts the service, `table/` more than one at the end; the requests alone are 1.9. `export` waits a minute. In virtual time, 100,000 fills with 16 requests at once are read once at least 8 times as fast as by one chain, and read twice 5.7 to 6.1 times (`test/walk/requests.night.test.ts`).";

/** What other programs and the tests measure. Written by hand. */
const REST: readonly string[] = [
  "## Requests",
  "",
  "In virtual time, the same on every machine; tests hold the limits (`test/walk/requests`). With both ends given and rows in order, both readings of 10,000 to 100,000 fills need 2.4 to 2.5 times the least possible requests, the first alone 1.0 to 1.1 times; 1,000 fills 3.1 to 4.0 times; without an order up to 3.7 times. A night sends at most 12 requests and the pages of its look-back, and once a week those for a piece of the older times. The limiter keeps at least 90 % of a hidden limit, with at most 5 % refused, for nearly all kinds of limits (`test/service/`).",
  "",
  "## Faults",
  "",
  "Random scenarios of contract readings with faults, kills and overlapping runs, in virtual time (`npm run simulate`). Of 46,200 (2026-11-27 and 28) one lost a fill, and its cause is mended; one counted a range as read twice a moment before its last fill was shown; none doubled or invented one; 14 were fooled by answers that are wrong twice alike, 46 ended with 4 although the service could be read.",
];
