import type { CaseName } from "./cases.ts";
import { METHOD } from "./method.ts";
import { sizesOfPlan } from "./plan.ts";
import { figureOf, HEAP_FLAGS, type Results, sizesOf } from "./results.ts";
import { counted, megabytes, table } from "./table.ts";
import { targetsOf, verdictOf } from "./targets.ts";

/** All tables, for RESULTS.md. */
export function reportOf(results: Results): string {
  const { middle } = sizesOfPlan(results.plan);
  const small = results.plan === "full" ? "" : " This was a small run; ignore its figures.";
  return [
    "# The cost of a fill",
    `${results.date}, ${results.machine}.${small}`,
    METHOD.join("\n"),
    "## Targets",
    targetTable(results),
    missingLines(results),
    "## From pages to files",
    costTable(results),
    `## Single stages, and other tools with the same ${middle.toLocaleString("en")} fills`,
    caseTable(results, middle, STAGES),
    caseTable(results, middle, PEERS),
    "## Whole processes over loopback",
    processTable(results),
    "## Memory",
    memoryTable(results),
    "## Requests to the store",
    writtenTable(results),
    sizesTable(results),
    "## Requests to the service, and nights",
    requestsTable(results),
    nightsTable(results),
    historyTable(results),
  ]
    .filter((text) => text !== "")
    .join("\n\n");
}

function targetTable(results: Results): string {
  const rows = targetsOf(results).map((target) => {
    const { what, goal, value, unit } = target;
    const shown = value === null ? "" : `${unit === "MB" ? value.toFixed(0) : value.toFixed(2)} ${unit}`.trim();
    return [what, goal, shown, verdictOf(target)];
  });
  return table(["What", "Goal", "Measured", ""], rows);
}

const NAMES: Partial<Readonly<Record<CaseName, string>>> = {
  parse: "P: JSON.parse",
  decode: "decode and check pages (no JSON.parse)",
  parquet: "data file: exceptions, set hash, Parquet",
  archive: "pages → archive",
  tables: "archive → fills.csv, fills.parquet",
  pack: "archive → pack",
  "duckdb-parquet": "DuckDB: read, distinct, Parquet",
  "duckdb-archive": "DuckDB: read, distinct, checked, sorted, Parquet, raw responses",
  plain: "plain loop: Set, papaparse, hyparquet-writer",
  process: "fillbook sync",
};

const STAGES = ["parse", "decode", "parquet", "archive"] as const;
const PEERS = ["archive", "duckdb-archive", "duckdb-parquet", "tables", "plain", "pack"] as const;

const RATIO_HEAD = ["CPU s", "÷ P", "least–most", "Runs", "CPU µs per fill", "Peak MB", "MB out"];

function caseRow(results: Results, name: CaseName, fills: number, first: readonly string[]): string[][] {
  const figure = figureOf(results, name, fills);
  if (figure === null) {
    return [];
  }
  const { cpuSeconds, ratio, leastRatio, mostRatio, rounds, peakBytes, last } = figure;
  const out = last.store?.bytesOut ?? last.facts["bytes"];
  return [
    [
      ...first,
      cpuSeconds.toFixed(2),
      ratio.toFixed(2),
      rounds === 1 ? "" : `${leastRatio.toFixed(2)}–${mostRatio.toFixed(2)}`,
      String(rounds),
      ((cpuSeconds * 1e6) / fills).toFixed(2),
      megabytes(peakBytes),
      out === undefined ? "" : megabytes(out),
    ],
  ];
}

function costTable(results: Results): string {
  const rows = sizesOf(results, "parse").flatMap((fills) =>
    (["parse", "archive", "tables", "pack"] as const).flatMap((name) =>
      caseRow(results, name, fills, [fills.toLocaleString("en"), NAMES[name] ?? name]),
    ),
  );
  return table(["Fills", "Step", ...RATIO_HEAD], rows);
}

function caseTable(results: Results, fills: number, names: readonly CaseName[]): string {
  const rows = names.flatMap((name) => caseRow(results, name, fills, [NAMES[name] ?? name]));
  return table(["Step", ...RATIO_HEAD], rows);
}

function processTable(results: Results): string {
  const rows = sizesOf(results, "process").flatMap((fills) =>
    caseRow(results, "process", fills, [fills.toLocaleString("en"), NAMES.process ?? ""]),
  );
  return table(["Fills", "Process", ...RATIO_HEAD], rows);
}

function missingLines({ samples }: Results): string {
  return samples
    .filter(({ result }) => result.missing !== undefined)
    .map(
      ({ name, fills, result }) =>
        `- Not measured: ${NAMES[name] ?? name}, ${counted(fills)} fills: ${result.missing}.`,
    )
    .join("\n");
}

function memoryTable(results: Results): string {
  const sizes = sizesOf(results, "archive");
  const names = ["archive", "tables", "pack", "parse"] as const;
  const rows = [false, true].flatMap((limited) =>
    names.map((name) => [
      `${NAMES[name]}, ${limited ? `\`${HEAP_FLAGS.join(" ")}\`` : "as fillbook runs"}`,
      ...sizes.map((fills) => {
        const figure = figureOf(results, name, fills, { limited });
        return figure === null ? "" : megabytes(figure.peakBytes);
      }),
    ]),
  );
  const measured = rows.filter(([, ...cells]) => cells.some((cell) => cell !== ""));
  return table(["Peak of the process, MB", ...sizes.map((fills) => `${fills.toLocaleString("en")} fills`)], measured);
}

/** The requests of each step to the store, by kind of object. */
function writtenTable(results: Results): string {
  const rows = (["archive", "tables", "pack"] as const).flatMap((name) =>
    sizesOf(results, name).flatMap((fills) => {
      const last = figureOf(results, name, fills)?.last;
      const store = last?.store ?? null;
      if (last === undefined || store === null) {
        return [];
      }
      const kinds = Object.entries(store.written)
        .sort(([, a], [, b]) => b.bytes - a.bytes)
        .map(([kind, { writes, bytes }]) => `${kind} ${counted(writes)} / ${megabytes(bytes)} MB`);
      const { commits } = last.facts;
      const manifests = store.written["manifests"]?.bytes ?? 0;
      return [
        [
          fills.toLocaleString("en"),
          NAMES[name] ?? name,
          counted(store.writes),
          megabytes(store.bytesOut),
          counted(store.reads),
          megabytes(store.bytesIn),
          commits === undefined ? "" : `${(manifests / commits / 1000).toFixed(1)} kB × ${commits}`,
          kinds.join(", "),
        ],
      ];
    }),
  );
  const head = ["Fills", "Step", "Writes", "MB out", "Reads", "MB in", "Manifests per commit", "Writes / MB by kind"];
  return table(head, rows);
}

function sizesTable(results: Results): string {
  const sizes = sizesOf(results, "pack");
  const rows = ["fills.csv", "fills.parquet"].map((name) => [
    name,
    ...sizes.map((fills) => megabytes(figureOf(results, "pack", fills)?.last.facts[name] ?? 0)),
  ]);
  return table(["MB", ...sizes.map((fills) => `${fills.toLocaleString("en")} fills`)], rows);
}

function requestsTable(results: Results): string {
  const rows = sizesOf(results, "requests").flatMap((fills) => {
    const facts = figureOf(results, "requests", fills)?.last.facts ?? {};
    const floor = Math.ceil(fills / 100);
    const row = (name: string, requests = Number.NaN) => [
      ...[`${name}, ${fills.toLocaleString("en")} fills of a year`, counted(requests), counted(floor)],
      (requests / floor).toFixed(2),
    ];
    return [row("sync --from 2025-01-01", facts["withFrom"]), row("sync", facts["withoutFrom"])];
  });
  return table(["To the service", "Requests", "Least possible", "Ratio"], rows);
}

const NIGHTS = ["nights-0", "nights-10", "nights-1000"] as const;

function nightsTable(results: Results): string {
  const rows = NIGHTS.flatMap((name) =>
    sizesOf(results, name).map((fills) => {
      const of = (fact: string) => counted(figureOf(results, name, fills)?.last.facts[fact] ?? Number.NaN);
      return [
        ...[fills.toLocaleString("en"), name.replace("nights-", ""), of("firstRequests"), of("firstStoreRequests")],
        `${of("leastStoreRequests")} / ${of("middleStoreRequests")} / ${of("mostStoreRequests")}`,
        ...[of("requests"), of("writes"), of("reads"), of("lists"), of("bytes"), of("rawResponsesBytes")],
      ];
    }),
  );
  const night = ["service", "writes", "reads", "lists", "bytes out", "of which raw responses"];
  const head = ["Fills before", "New per night", "First: service", "First: store"];
  return table([...head, "Night: store, least / median / most", ...night.map((what) => `mean: ${what}`)], rows);
}

/** Compares archives that differ only in their history. */
function historyTable(results: Results): string {
  const rows = (["history-1", "history-3"] as const).flatMap((name) =>
    sizesOf(results, name).map((fills) => {
      const facts = figureOf(results, name, fills)?.last.facts ?? {};
      const of = (what: string) =>
        ["Requests", "BytesOut", "BytesIn"].map((fact) => counted(facts[`${what}${fact}`] ?? Number.NaN)).join(" / ");
      return [
        fills.toLocaleString("en"),
        name.replace("history-", ""),
        of("quiet"),
        of("busy"),
        of("status"),
        of("month"),
      ];
    }),
  );
  const what = ["nothing new", "10 new fills", "`status`", "fills of one month"];
  return table(["Fills of history", "Years", ...what.map((one) => `${one}: requests / bytes out / in`)], rows);
}
