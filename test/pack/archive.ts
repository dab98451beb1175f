import { dataFileKey, restatementsKey, sha256Of } from "../../lambda/archive/keys.ts";
import { type DataFile, emptyManifest, type Manifest, type RestatementFile } from "../../lambda/archive/manifest.ts";
import { fillsOfUnit, type Unit } from "../../lambda/archive/read.ts";
import { type SeenRestatement, tradeTimesOf } from "../../lambda/archive/restatements.ts";
import { byTxCreated, type Fill, tradeTime } from "../../lambda/core/fill.ts";
import type { TimeRange } from "../../lambda/core/time.ts";

export type PreparedArchive = ReturnType<typeof prepareArchive>;

const RUN = "0123456789ab";

/**
 * An archive as packs see it. The fills are cut into data files by `txCreated`, each `cellMs` wide. All of
 * `coverage` was read twice. The restatements of each commit are in an object of their own.
 */
export function prepareArchive(
  fills: readonly Fill[],
  cellMs: number,
  coverage: TimeRange,
  commits: readonly (readonly SeenRestatement[])[] = [],
  vanished: readonly string[] = [],
) {
  const held = new Map<string, readonly Fill[]>();
  const cells = Map.groupBy(fills, ({ txCreated }) => Math.floor(txCreated / cellMs));
  const dataFiles = [...cells].map(([at, some]): DataFile => {
    const rows = some.toSorted(byTxCreated);
    const times = rows.map(tradeTime);
    const file = {
      from: at * cellMs,
      to: (at + 1) * cellMs,
      sha256: sha256Of(rows.map(({ row }) => `${row}\n`).join("")),
      run: RUN,
      fills: rows.length,
      bytes: 1,
      firstTrade: Math.min(...times),
      lastTrade: Math.max(...times),
      exceptions: 0,
      kind: "part" as const,
    };
    held.set(dataFileKey("main", file), rows);
    return file;
  });
  const restatements = commits.map((rows, seq): RestatementFile => {
    const times = rows.flatMap(tradeTimesOf);
    const named = { sha256: sha256Of(`${seq}`), run: RUN, seq, rows: rows.length };
    return { ...named, firstTrade: Math.min(...times), lastTrade: Math.max(...times) };
  });
  const empty = emptyManifest("main");
  const manifest: Manifest = {
    ...{ ...empty, known: { ...empty.known, vanished } },
    fills: fills.length,
    dataFiles,
    coverage: [{ ...coverage, readings: 2, silentIn: null }],
    restatements,
  };
  const reads: string[] = [];
  return {
    manifest,
    readUnit: (unit: Unit) =>
      fillsOfUnit(unit, (file) => {
        const key = dataFileKey("main", file);
        reads.push(key);
        return Promise.resolve(held.get(key) ?? []);
      }),
    readRestatements: (file: RestatementFile) => {
      reads.push(restatementsKey("main", file));
      return Promise.resolve(commits[file.seq] ?? []);
    },
    /** Keys of the objects that were read, in order. */
    reads,
  };
}
