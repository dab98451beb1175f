import type { Decimal } from "decimal.js";
import { PRICES_AS_OF } from "../../../infra/deploy/prices.ts";
import { ASSUMED, firstSyncLines, type Line, type Night, packLines, totalOf, yearLines } from "./dollars.ts";
import { sizesOfPlan } from "./plan.ts";
import { figureOf, type Results } from "./results.ts";
import { counted, table } from "./table.ts";

const ACCOUNTS = 1000;
const NIGHTLY_ACCOUNT = 10_000;
const USES = [
  { name: "nights-0", fillsAdded: 0 },
  { name: "nights-10", fillsAdded: 10 },
  { name: "nights-1000", fillsAdded: 1000 },
] as const;

/** Tables of what it costs, with the arithmetic; empty where what they rest on was not measured. */
export function dollarsOf(results: Results): string {
  const { middle: fills } = sizesOfPlan(results.plan);
  const [sync, process] = [figureOf(results, "archive", fills), figureOf(results, "process", fills)];
  const pack = figureOf(results, "pack", fills);
  if (sync === null || process === null || pack === null) {
    return "";
  }
  const { pageMs, inFlight, storeMs, slower, startSeconds } = ASSUMED;
  const { requests = 0, partBytes = 0, commits: _commits, ...files } = { ...sync.last.facts, ...pack.last.facts };
  const evidence = sync.last.store?.written["pages"]?.bytes ?? 0;
  const sections: (readonly [string, readonly Line[]])[] = [
    [
      `first sync of ${counted(fills)} fills`,
      firstSyncLines(
        {
          cpuSeconds: process.cpuSeconds,
          requests,
          storeWrites: sync.last.store?.writes ?? 0,
          keptBytes: partBytes + evidence,
        },
        ASSUMED,
      ),
    ],
    [
      `pack of ${counted(fills)} fills`,
      packLines(
        {
          cpuSeconds: pack.cpuSeconds,
          storeReads: pack.last.store?.reads ?? 0,
          fileBytes: Object.values(files),
        },
        ASSUMED,
      ),
    ],
    ...USES.flatMap(({ name, fillsAdded }): (readonly [string, readonly Line[]])[] => {
      const facts = figureOf(results, name, NIGHTLY_ACCOUNT)?.last.facts;
      return facts === undefined
        ? []
        : [
            [
              `a year, ${counted(fillsAdded)} fills a day`,
              yearLines(nightOf(facts, fillsAdded), partBytes / fills, ASSUMED),
            ],
          ];
    }),
  ];
  const lines = sections.flatMap(([of, all]) => [
    ...all.map(({ what, arithmetic, usd }) => [of, what, arithmetic, dollars(usd)]),
    [of, "**together**", "", `**${dollars(totalOf(all))}**`],
  ]);
  const totals = sections.map(([of, all]) => [of, dollars(totalOf(all)), dollars(totalOf(all).times(ACCOUNTS))]);
  return [
    `List prices of ${PRICES_AS_OF} (infra/deploy/prices.ts), on the function and the state machine of infra/. Assumed: ${pageMs} ms a request to the service, ${inFlight} in flight in a first sync and one after another in a night; ${storeMs} ms a request to the store; ${startSeconds} s to start; a processor of Lambda's takes ${slower} times the CPU measured here. What stands there whatever is done (alarms, keys, dashboard) is in the cost that a deployment prints.`,
    table(["", "One account", `${counted(ACCOUNTS)} accounts`], totals),
    table(["Of", "What", "Arithmetic", "Dollars"], lines),
  ].join("\n\n");
}

function nightOf(facts: Readonly<Record<string, number>>, fillsAdded: number): Night {
  const { requests = 0, reads = 0, writes = 0, lists = 0, bytes = 0, evidenceBytes = 0 } = facts;
  return { fillsAdded, requests, storeReads: reads, storeWrites: writes + lists, bytesOut: bytes, evidenceBytes };
}

function dollars(usd: Decimal): string {
  return `$${usd.toFixed(usd.lessThan(1) ? 5 : 2)}`;
}
