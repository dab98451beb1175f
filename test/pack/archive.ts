import { ManifestIndex } from "../../lambda/archive/index/manifest-index.ts";
import type { Entries } from "../../lambda/archive/index/node.ts";
import { emptyManifest, type Manifest } from "../../lambda/archive/manifest.ts";
import type { DataFile, RestatementFile } from "../../lambda/archive/manifest-entries.ts";
import { type SeenRestatement, tradeTimesOf } from "../../lambda/archive/restatements.ts";
import { formatSetHash, setHashOf } from "../../lambda/archive/set-hash.ts";
import { byTxCreated, type Fill, tradeTime } from "../../lambda/core/fill.ts";
import type { TimeRange } from "../../lambda/core/time.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { memoryStore } from "../support/memory-store.ts";

export interface PreparedArchive {
  readonly manifest: Manifest;
  /** The entries of the manifest. */
  readonly entries: Entries;
  readonly readDataFile: (dataFile: DataFile) => Promise<readonly Fill[]>;
  readonly readRestatements: (file: RestatementFile) => Promise<readonly SeenRestatement[]>;
  /** Keys of the objects that were read, in order. */
  readonly reads: string[];
}

/**
 * An archive as packs see it. The fills are cut into data files by `txCreated`, each `cellMs` wide. One walk
 * covers all of `coverage`. The restatements of each commit are in an object of their own.
 */
export function prepareArchive(
  fills: readonly Fill[],
  cellMs: number,
  coverage: TimeRange,
  commits: readonly (readonly SeenRestatement[])[] = [],
): PreparedArchive {
  const partitions = Map.groupBy(fills, ({ txCreated }) => Math.floor(txCreated / cellMs));
  const held = new Map<string, readonly Fill[]>();
  const dataFiles = [...partitions].map(([at, rows]): DataFile => {
    const times = rows.map(tradeTime);
    const key = `main/fills/month=2025-01/${at}.parquet`;
    held.set(key, rows.toSorted(byTxCreated));
    return {
      key,
      sha256: key,
      bytes: 1,
      rows: rows.length,
      from: at * cellMs,
      to: (at + 1) * cellMs,
      firstTrade: Math.min(...times),
      lastTrade: Math.max(...times),
      exceptions: 0,
      setHash: formatSetHash(setHashOf(rows)),
      first: Math.min(...rows.map(({ txCreated }) => txCreated)),
      last: Math.max(...rows.map(({ txCreated }) => txCreated)),
    };
  });
  const window = {
    ...coverage,
    pages: 3,
    rows: 40,
    duplicates: 1,
    first: coverage.from,
    last: coverage.to - 1,
    ended: "no-last" as const,
    pagesHash: "0",
    setHash: "0",
    rawResponses: ["main/pages/0.jsonl.zst"],
  };
  const restatements = commits.map((rows, at): RestatementFile => {
    const times = rows.flatMap(tradeTimesOf);
    const key = `main/restatements/${at}.jsonl.zst`;
    return {
      key,
      sha256: key,
      seq: at,
      rows: rows.length,
      firstTrade: Math.min(...times),
      lastTrade: Math.max(...times),
    };
  });
  const reads: string[] = [];
  return {
    manifest: { ...emptyManifest("main"), coverage: [coverage] },
    entries: { dataFiles, windows: [window], restatements },
    readDataFile: (dataFile) => {
      reads.push(dataFile.key);
      return Promise.resolve(held.get(dataFile.key) ?? []);
    },
    readRestatements: (file) => {
      reads.push(file.key);
      return Promise.resolve(commits[file.seq] ?? []);
    },
    reads,
  };
}

/** The index after it was written and opened again. */
export async function manifestIndexOf(entries: Entries): Promise<ManifestIndex> {
  const ports = { account: "main", store: memoryStore(), clock: fakeClock() };
  const manifestIndex = await (await ManifestIndex.empty(ports).change({ added: entries })).seal({
    clock: fakeClock(),
    epoch: 1,
  });
  return ManifestIndex.of(ports, JSON.parse(JSON.stringify(manifestIndex.root)));
}
