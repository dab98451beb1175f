import { type Fill, plainFill } from "../core/fill.ts";
import { holds, isWithin, subtract, union, width } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { Restatement } from "../fills/merge.ts";
import type { DataFilePorts } from "./data-files.ts";
import type { ManifestIndex } from "./index/manifest-index.ts";
import { latenessAfter } from "./lateness.ts";
import type { Checkpoint, Manifest } from "./manifest.ts";
import type { WindowRecord } from "./manifest-entries.ts";
import { type NewlyHeld, recheckedRanges, settleMoves, settleNewlyHeld } from "./moved.ts";
import { createContent } from "./objects.ts";
import { storeRestatements } from "./restatements.ts";
import { fileFills } from "./rewrite-data-files.ts";
import { type Summary, summariseBySums } from "./summary.ts";

/** A finished walk, before the archive's own counts and hash of the window are added. */
export type FinishedWindow = Omit<WindowRecord, "rows" | "first" | "last" | "setHash">;

/** A stored object that holds pages: see raw-responses.ts. */
export interface RawResponses {
  readonly key: string;
  readonly body: Uint8Array;
}

/** What one commit adds: rows, the windows that they finish, and the checkpoint after them. */
export interface Change {
  /** In order of arrival. */
  readonly incomingFills: readonly Fill[];
  readonly rawResponses: readonly RawResponses[];
  readonly finished: readonly FinishedWindow[];
  readonly checkpoint: Checkpoint;
  /**
   * True for the windows whose coverage rests on a fact that is now known to be wrong. Their coverage is
   * withdrawn; their rows stay. Absent: none.
   */
  readonly distrusts?: (window: WindowRecord) => boolean;
  /** Times that are no longer covered, in windows that otherwise stay. */
  readonly uncovered?: readonly TimeRange[];
  /**
   * Set at the end of a run: the fills that the run has newly held, and the range where an older copy of them
   * may be.
   */
  readonly settles?: { readonly newlyHeld: NewlyHeld; readonly near: TimeRange };
}

export interface Counts {
  readonly added: number;
  readonly restated: number;
}

/** The archive after a change. No head names it yet. */
export interface BuiltCommit extends Counts {
  readonly manifest: Manifest;
  readonly manifestIndex: ManifestIndex;
  /** Fills that were filed in times that were not covered before. */
  readonly newlyHeld: readonly Fill[];
}

interface State {
  readonly manifest: Manifest;
  readonly manifestIndex: ManifestIndex;
}

/**
 * Files what a run has read and writes the objects that hold it. Raw responses that show nothing new are not
 * written.
 */
export async function buildCommit(ports: DataFilePorts, before: State, change: Change): Promise<BuiltCommit> {
  const { clock } = ports;
  const { manifestIndex: trusted, coverage } = await stillTrusted(ports, before, change);
  const rechecked = recheckedRanges(shownWhole(change), coverage);
  const filed = await fileFills(ports, trusted, change.incomingFills);
  const withFiled = await trusted.change({
    removed: { dataFiles: filed.removed },
    added: { dataFiles: filed.dataFiles },
  });
  // Fills in a range whose coverage is withdrawn are not late: the range was never truly covered.
  const unheld = filed.added.filter(({ txCreated }) => holds(coverage, txCreated));
  const shown = { incomingFills: change.incomingFills, added: filed.added, late: unheld, rechecked };
  const moves =
    change.settles === undefined
      ? await settleMoves(ports, withFiled, shown)
      : await settleNewlyHeld(ports, withFiled, change.settles.newlyHeld, change.settles.near);
  const added = filed.added.filter((fill) => !moves.notAdded.has(fill));
  const late = unheld.filter((fill) => !moves.notAdded.has(fill));
  const restated = [
    ...filed.restated,
    ...late.map((after) => ({ kind: "late" as const, before: null, after: plainFill(after) })),
    ...moves.restated,
  ];
  const seenAt = clock.now();
  const seq = trusted.sum.restatements + 1;
  const restatements = restated.length > 0 ? [await storeRestatements(ports, restated, { seq, seenAt })] : [];
  const withMoves = await withFiled.change({
    removed: { dataFiles: moves.removed },
    added: { dataFiles: moves.dataFiles, restatements },
  });
  const windows = await recordsOf(ports, withMoves, { coverage, restated, finished: change.finished });
  await storeRawResponses(ports, change, windows.added);
  const withWindows = await withMoves.change({
    removed: { windows: windows.superseded },
    added: { windows: windows.added },
  });
  const manifestIndex = await withoutGone(ports, withWindows, [...moves.gone, ...restated.flatMap(leftBehind)]);
  const covered = union([...coverage, ...change.finished]);
  const manifest: Manifest = {
    ...before.manifest,
    fills: manifestIndex.sum.fills,
    coverage: covered,
    maxSkewMs: [...added, ...restated.map(({ after }) => after)].reduce(
      (max, fill) => Math.max(max, skewOf(fill)),
      before.manifest.maxSkewMs,
    ),
    lateness: latenessAfter(before.manifest.lateness, late, seenAt),
    checkpoint: change.checkpoint,
  };
  ports.recent?.forget(covered);
  const newlyHeld = filed.added.filter((fill) => !(moves.notAdded.has(fill) || holds(coverage, fill.txCreated)));
  return { manifest, manifestIndex, newlyHeld, added: added.length, restated: restated.length };
}

/** The finished windows all of whose pages came with this change. */
function shownWhole({ finished, rawResponses }: Change): readonly FinishedWindow[] {
  const keys = new Set(rawResponses.map(({ key }) => key));
  return finished.filter(
    (window) => window.rawResponses.length > 0 && window.rawResponses.every((key) => keys.has(key)),
  );
}

/** Renews the records of windows from which the archive has lost a fill. */
async function withoutGone(
  ports: DataFilePorts,
  manifestIndex: ManifestIndex,
  gone: readonly Fill[],
): Promise<ManifestIndex> {
  const removed = new Set<WindowRecord>();
  const added: WindowRecord[] = [];
  for (const { txCreated } of gone) {
    for (const window of await manifestIndex.windows({ from: txCreated, to: txCreated + 1 })) {
      const sums = removed.has(window) ? null : await summariseBySums(ports, manifestIndex, window);
      if (sums !== null && sums.rows < window.rows) {
        removed.add(window);
        added.push(recordOf(window, window, sums));
      }
    }
  }
  return await manifestIndex.change({ removed: { windows: [...removed] }, added: { windows: added } });
}

/** The old version of a fill whose time has changed: the archive no longer holds it at the old time. */
function leftBehind({ before, after }: Restatement): readonly Fill[] {
  return before === null || before.txCreated === after.txCreated ? [] : [before];
}

function timesOf({ before, after }: Restatement): readonly number[] {
  return before === null ? [after.txCreated] : [before.txCreated, after.txCreated];
}

function skewOf(fill: Fill): number {
  return fill.filledAt === null ? 0 : Math.abs(fill.filledAt - fill.txCreated);
}

/**
 * Removes the records of distrusted windows, and cuts records that reach into uncovered times down to the
 * rest.
 */
async function stillTrusted(
  ports: DataFilePorts,
  { manifest, manifestIndex }: State,
  { distrusts, uncovered = [] }: Pick<Change, "distrusts" | "uncovered">,
): Promise<Pick<State, "manifestIndex"> & { readonly coverage: readonly TimeRange[] }> {
  if (distrusts === undefined && uncovered.length === 0) {
    return { manifestIndex, coverage: manifest.coverage };
  }
  const removed: WindowRecord[] = [];
  const added: WindowRecord[] = [];
  const kept: TimeRange[] = [];
  for await (const { windows } of manifestIndex.leaves((sum) => sum.windows > 0)) {
    for (const window of windows) {
      const pieces = distrusts?.(window) === true ? [] : subtract(window, uncovered);
      kept.push(...pieces);
      if (width(pieces) < width([window])) {
        removed.push(window);
        for (const piece of pieces) {
          added.push(recordOf(window, piece, await summariseBySums(ports, manifestIndex, piece)));
        }
      }
    }
  }
  const left = await manifestIndex.change({ removed: { windows: removed }, added: { windows: added } });
  return { manifestIndex: left, coverage: union(kept) };
}

interface Records {
  readonly added: readonly WindowRecord[];
  readonly superseded: readonly WindowRecord[];
}

/**
 * Makes a record for each finished window. If the window found nothing new in covered times, the older
 * records stay and the new record covers only the rest. If it found something, it replaces every older record
 * that lies inside it, unless the older one has the stronger proof.
 */
async function recordsOf(
  ports: DataFilePorts,
  manifestIndex: ManifestIndex,
  walked: {
    readonly coverage: readonly TimeRange[];
    readonly restated: readonly Restatement[];
    readonly finished: readonly FinishedWindow[];
  },
): Promise<Records> {
  const added: WindowRecord[] = [];
  const superseded = new Set<WindowRecord>();
  // Data files are written in time order, so those of the newest windows are still in memory.
  for (const window of walked.finished.toSorted((a, b) => b.from - a.from)) {
    const isNews = walked.restated.some((one) => timesOf(one).some((time) => isWithin(window, time)));
    for (const piece of isNews ? [window] : subtract(window, walked.coverage)) {
      added.push(recordOf(window, piece, await summariseBySums(ports, manifestIndex, piece)));
    }
    const older = isNews ? await manifestIndex.windows(window) : [];
    for (const one of older.filter((old) => isSuperseded(old, window))) {
      superseded.add(one);
    }
  }
  return { added: withoutDoubles(added), superseded: [...superseded] };
}

/**
 * The record of one piece of a window, with what the archive holds there. If the piece has no rows, the
 * record names no pages.
 */
function recordOf(window: FinishedWindow, { from, to }: TimeRange, sums: Summary): WindowRecord {
  return { ...window, from, to, ...sums, rawResponses: sums.rows === 0 ? [] : window.rawResponses };
}

function isSuperseded(old: WindowRecord, { from, to, ended }: FinishedWindow): boolean {
  return from <= old.from && old.to <= to && (ended === "no-last" || old.ended === "order");
}

/** The windows of one commit may repeat each other if the same range was asked for twice at once. */
function withoutDoubles(records: readonly WindowRecord[]): readonly WindowRecord[] {
  const names = new Map(records.map((one) => [`${one.from}-${one.to}-${one.pagesHash}`, one]));
  return [...names.values()];
}

/**
 * Stores the pages that brought something new, that an open window continues from, or that a failed window
 * ended with.
 */
async function storeRawResponses(
  ports: DataFilePorts,
  change: Change,
  records: readonly WindowRecord[],
): Promise<void> {
  const { open, failed } = change.checkpoint;
  const named = new Set([...records, ...open, ...failed].flatMap(({ rawResponses }) => rawResponses));
  for (const { key, body } of change.rawResponses) {
    if (named.has(key)) {
      await createContent(ports, key, body);
    }
  }
}
