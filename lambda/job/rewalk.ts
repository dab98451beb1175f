import { readDataFile } from "../archive/data-files.ts";
import type { ManifestIndex } from "../archive/index/manifest-index.ts";
import type { OpenWindow, Proven } from "../archive/manifest.ts";
import type { Snapshot } from "../archive/read.ts";
import { formatSetHash, setHashOf } from "../archive/set-hash.ts";
import { summarise } from "../archive/summary.ts";
import { type Fill, identityOf } from "../core/fill.ts";
import { intersection, isWithin } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import { mergeFills } from "../fills/merge.ts";
import { walkChain } from "../walk/chain.ts";
import { safeWidth } from "../walk/clamp-proof.ts";
import { describe } from "../walk/problems.ts";
import { askingsNeeded } from "../walk/silence.ts";
import { freshWindow, MARGIN_MS, undatedWindow } from "../walk/window.ts";
import type { Lacking, RunContext } from "./context.ts";

export interface Rewalk {
  /** Windows that were walked again. */
  readonly rewalked: number;
  /** One sentence for each window that differs or could not be read. */
  readonly findings: readonly string[];
  /** Windows with fills that the service returns and the archive lacks or holds with other content. */
  readonly lacking: readonly Lacking[];
}

/**
 * Walks the covered times again, split differently than the first time, and compares each window's set-hash
 * with the archive's.
 */
export async function rewalk(
  job: RunContext,
  { manifest, manifestIndex }: Pick<Snapshot, "manifest" | "manifestIndex">,
  range: TimeRange | null,
): Promise<Rewalk> {
  const { coverage, checkpoint } = manifest;
  const differences: Difference[] = [];
  let rewalked = 0;
  for (const covered of range === null ? coverage : intersection(range, coverage)) {
    const windows = checkpoint.datesTrusted
      ? cutElsewhere(covered, await manifestIndex.windows(covered), checkpoint.proven).map((one) => freshWindow(one))
      : [undatedWindow(covered)];
    for (const window of windows) {
      differences.push(...(await compare(job, manifestIndex, window)));
    }
    rewalked += windows.length;
  }
  return {
    rewalked,
    findings: differences.map(({ finding }) => finding),
    lacking: differences.flatMap(({ lacking }) => (lacking === null ? [] : [lacking])),
  };
}

interface Difference {
  readonly finding: string;
  readonly lacking: Lacking | null;
}

/**
 * Cuts at the middle of each window that was walked, and wherever a piece would be wider than the service is
 * proven to answer whole.
 */
function cutElsewhere(range: TimeRange, walked: readonly TimeRange[], proven: Proven): TimeRange[] {
  const middles = walked
    .map(({ from, to }) => from + Math.floor((to - from) / 2))
    .filter((time) => range.from < time && time < range.to);
  const edges = [range.from, ...[...new Set(middles)].sort((a, b) => a - b), range.to];
  const pieces = edges.slice(1).map((to, index) => ({ from: edges[index] ?? range.from, to }));
  return pieces.flatMap((piece) => cutNarrow(piece, safeWidth(proven) - 2 * MARGIN_MS));
}

function cutNarrow({ from, to }: TimeRange, widthMs: number): TimeRange[] {
  const pieces: TimeRange[] = [];
  for (let start = from; start < to; start += widthMs) {
    pieces.push({ from: start, to: Math.min(to, start + widthMs) });
  }
  return pieces;
}

/** Reports a difference only if it recurs in several answers, because one answer may be empty by mistake. */
async function compare(job: RunContext, manifestIndex: ManifestIndex, window: OpenWindow): Promise<Difference[]> {
  let differences = await compareOnce(job, manifestIndex, window);
  for (let asked = 1; differences.length > 0 && asked < askingsNeeded(false); asked += 1) {
    differences = await compareOnce(job, manifestIndex, window);
  }
  return differences;
}

async function compareOnce(job: RunContext, manifestIndex: ManifestIndex, window: OpenWindow): Promise<Difference[]> {
  const fills: Fill[] = [];
  const end = await walkChain(
    {
      reader: job.reader,
      clock: job.clock,
      signal: job.signal,
      emit: (segment) => fills.push(...segment.fills.filter(({ txCreated }) => isWithin(window, txCreated))),
      afterSegment: async () => undefined,
      onPage: () => undefined,
    },
    window,
  );
  const name = `window ${describe(window)}`;
  if (end.kind !== "ended") {
    const reason = end.kind === "failed" ? end.problem.message : end.kind;
    return [{ finding: `${name} could not be walked again: ${reason}`, lacking: null }];
  }
  const found = mergeFills([], fills).fills;
  const held = await summarise(job, manifestIndex, window);
  if (found.length === held.rows && formatSetHash(setHashOf(found)) === held.setHash) {
    return [];
  }
  const { missing, changed, gone } = await differenceOf(job, manifestIndex, { window, found });
  const parts = [
    missing > 0 ? `${missing} not in the archive` : "",
    changed > 0 ? `${changed} with other content` : "",
    gone > 0 ? `${gone} no longer at the service` : "",
  ].filter((part) => part !== "");
  const counts = `the service returns ${found.length} fills, the archive holds ${held.rows}`;
  const { from, to } = window;
  return [
    {
      finding: `${name} differs: ${counts} (${parts.join(", ")})`,
      lacking: missing + changed === 0 ? null : { from, to, missing, changed },
    },
  ];
}

/** How the fills that the service returns for a window differ from those that the archive holds. */
async function differenceOf(
  { store }: RunContext,
  manifestIndex: ManifestIndex,
  { window, found }: { readonly window: TimeRange; readonly found: readonly Fill[] },
): Promise<{ readonly missing: number; readonly changed: number; readonly gone: number }> {
  const held = new Map<string, string>();
  for (const dataFile of await manifestIndex.dataFiles(window)) {
    for (const fill of await readDataFile(store, dataFile)) {
      if (isWithin(window, fill.txCreated)) {
        held.set(identityOf(fill), formatSetHash(setHashOf([fill])));
      }
    }
  }
  let [missing, changed] = [0, 0];
  for (const fill of found) {
    const hash = held.get(identityOf(fill));
    missing += hash === undefined ? 1 : 0;
    changed += hash !== undefined && hash !== formatSetHash(setHashOf([fill])) ? 1 : 0;
  }
  return { missing, changed, gone: held.size - (found.length - missing) };
}
