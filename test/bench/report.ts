import { readFileSync, writeFileSync } from "node:fs";
import type { CaseResult } from "./cases.ts";

/** What one size of account gave. */
export interface SizeResult {
  readonly fills: number;
  readonly parse: CaseResult;
  readonly archive: CaseResult;
  readonly pack: CaseResult;
  /** The same two under the heap limit. */
  readonly archiveLimited: CaseResult;
  readonly packLimited: CaseResult;
}

/** A Markdown table, its columns padded so that it reads well on a terminal too. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  return [line(head), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.map(line)].join("\n");
}

export function costTable(results: readonly SizeResult[]): string {
  const head = ["Fills", "Step", "CPU s", "÷ P", "CPU µs a fill", "Wall s", "Store writes", "MB written"];
  const rows = results.flatMap(({ fills, parse, archive, pack }) => {
    const row = (name: string, { cpuSeconds, wallSeconds }: CaseResult, store: readonly string[]) => [
      fills.toLocaleString("en"),
      name,
      cpuSeconds.toFixed(2),
      (cpuSeconds / parse.cpuSeconds).toFixed(1),
      ((cpuSeconds * 1e6) / fills).toFixed(1),
      wallSeconds.toFixed(1),
      ...store,
    ];
    return [
      row("P: JSON.parse", parse, ["", ""]),
      row("pages → archive", archive, written(archive)),
      row("archive → pack", pack, written(pack)),
    ];
  });
  return table(head, rows);
}

function written({ store }: CaseResult): string[] {
  return [store.writes.toLocaleString("en"), megabytes(store.bytesOut)];
}

/** Peaks side by side: they must not grow with the fills. */
export function memoryTable(results: readonly SizeResult[], heapLimitMb: number): string {
  const head = ["Peak of the process, MB", ...results.map(({ fills }) => `${fills.toLocaleString("en")} fills`)];
  const row = (name: string, pick: (result: SizeResult) => CaseResult) => [
    name,
    ...results.map((result) => megabytes(pick(result).peakBytes)),
  ];
  return table(head, [
    row(`pages → archive, heap limit ${heapLimitMb} MB`, ({ archiveLimited }) => archiveLimited),
    row(`archive → pack, heap limit ${heapLimitMb} MB`, ({ packLimited }) => packLimited),
    row("pages → archive, Node's own limit", ({ archive }) => archive),
    row("archive → pack, Node's own limit", ({ pack }) => pack),
    row("JSON.parse alone, Node's own limit", ({ parse }) => parse),
  ]);
}

export function sizesTable(results: readonly SizeResult[]): string {
  const names = ["fills.csv", "fills.parquet"];
  const head = ["MB", ...results.map(({ fills }) => `${fills.toLocaleString("en")} fills`)];
  return table(
    head,
    names.map((name) => [name, ...results.map(({ pack }) => megabytes(pack.facts[name] ?? 0))]),
  );
}

export function requestsTable(fills: number, { facts }: CaseResult): string {
  const floor = Math.ceil(fills / 100);
  const row = (name: string, requests: number) => [
    name,
    requests.toLocaleString("en"),
    floor.toLocaleString("en"),
    (requests / floor).toFixed(2),
  ];
  return table(
    ["A year of 20,000 fills", "Requests", "Least possible", "Ratio"],
    [row("sync --from 2025-01-01", facts["withFrom"] ?? Number.NaN), row("sync", facts["withoutFrom"] ?? Number.NaN)],
  );
}

function megabytes(bytes: number): string {
  const value = bytes / 1e6;
  return value.toFixed(value < 10 ? 1 : 0);
}

/** Puts `text` between the markers of a Markdown file; what is around them stays. */
export function rewrite(file: string, text: string): void {
  const before = readFileSync(file, "utf8");
  const [start, end] = ["<!-- bench:begin -->", "<!-- bench:end -->"];
  const from = before.indexOf(start);
  const to = before.indexOf(end);
  if (from === -1 || to < from) {
    throw new Error(`${file} lacks the markers ${start} and ${end}`);
  }
  writeFileSync(file, `${before.slice(0, from + start.length)}\n\n${text}\n\n${before.slice(to)}`);
}
