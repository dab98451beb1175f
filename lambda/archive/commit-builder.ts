import { type Fill, plainFill } from "../core/fill.ts";
import { holds, isWithin, subtract, union, width } from "../core/ranges.ts";
import type { TimeRange } from "../core/time.ts";
import type { Restatement } from "../fills/merge.ts";
import type { DataFilePorts } from "./data-files.ts";
import type { ManifestIndex } from "./index/manifest-index.ts";
import { latenessAfter } from "./lateness.ts";
import type { Checkpoint, Manifest } from "./manifest.ts";
import type { WindowRecord } from "./manifest-entries.ts";
import { type NewlyHeld, settleMoves, settleNewlyHeld, walkedAgain } from "./moved.ts";
import { createContent } from "./objects.ts";
import { storeRestatements } from "./restatements.ts";
import { fileFills } from "./rewrite-data-files.ts";
import { type Summary, summariseBySums } from "./summary.ts";

/** A finished walk, before the archive says what it holds there. */
export type FinishedWindow = Omit<WindowRecord, "rows" | "first" | "last" | "setHash">;

/** An object of pages that were read: see raw-responses.ts. */
export interface RawResponses {
  readonly key: string;
  readonly body: Uint8Array;
}

/** What one commit adds: rows, the windows that ended with them, and where the run stands after them. */
export interface Change {
  /** In the order of their arrival. */
  readonly incomingFills: readonly Fill[];
  readonly evidence: readonly RawResponses[];
  readonly finished: readonly FinishedWindow[];
  readonly checkpoint: Checkpoint;
  /** Which of the archive's windows rest on what is now known to be wrong: their coverage is given up; the rows stay. Absent: none. */
  readonly distrusts?: (window: WindowRecord) => boolean;
  /** Times that do not count any more, of windows that otherwise do. */
  readonly uncovered?: readonly TimeRange[];
  /** What the run has newly held, at its end; and where that may be held too. */
  readonly settles?: { readonly newlyHeld: NewlyHeld; readonly near: TimeRange };
}

export interface Counts {
  readonly added: number;
  readonly restated: number;
}

/** The archive after a change; nothing names it yet. */
export interface BuiltCommit extends Counts {
  readonly manifest: Manifest;
  readonly manifestIndex: ManifestIndex;
  /** Filed in times that were not covered. */
  readonly newlyHeld: readonly Fill[];
}

interface State {
  readonly manifest: Manifest;
  readonly manifestIndex: ManifestIndex;
}

/** Files what a run has read, and writes the objects that hold it. What shows nothing new is not written. */
export async function buildCommit(ports: DataFilePorts, before: State, change: Change): Promise<BuiltCommit> {
  const { clock } = ports;
  const { manifestIndex: trusted, coverage } = await stillTrusted(ports, before, change);
  const again = walkedAgain(shownWhole(change), coverage);
  const filed = await fileFills(ports, trusted, change.incomingFills);
  const withFiled = await trusted.change({
    removed: { parts: filed.removed },
    added: { parts: filed.dataFiles },
  });
  // Coverage that is given up was never held, so that what it lacked did not come late.
  const unheld = filed.added.filter(({ txCreated }) => holds(coverage, txCreated));
  const shown = { incomingFills: change.incomingFills, added: filed.added, late: unheld, again };
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
    removed: { parts: moves.removed },
    added: { parts: moves.dataFiles, restatements },
  });
  const windows = await recordsOf(ports, withMoves, { coverage, restated, finished: change.finished });
  await keepEvidence(ports, change, windows.added);
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

/** Finished windows of which all pages came with this change. */
function shownWhole({ finished, evidence }: Change): readonly FinishedWindow[] {
  const keys = new Set(evidence.map(({ key }) => key));
  return finished.filter((window) => window.evidence.length > 0 && window.evidence.every((key) => keys.has(key)));
}

/** The records of windows that held what the archive does not hold any more, made anew. */
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

/** The version of a fill that its time holds no longer. */
function leftBehind({ before, after }: Restatement): readonly Fill[] {
  return before === null || before.txCreated === after.txCreated ? [] : [before];
}

function timesOf({ before, after }: Restatement): readonly number[] {
  return before === null ? [after.txCreated] : [before.txCreated, after.txCreated];
}

function skewOf(fill: Fill): number {
  return fill.filledAt === null ? 0 : Math.abs(fill.filledAt - fill.txCreated);
}

/** Without the records of windows that are distrusted, and with those that reach into uncovered times cut to what lies beside them. */
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
 * A record for each finished window; where it found nothing new in covered times, only for what was not covered: there the older records stay. One that
 * did find something takes the place of those that it holds whole, unless it stands on weaker ground.
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
  // Data files are written in the order of time: those of the newest windows are still at hand.
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

/** Of the piece of a window, with what the archive holds there; pages that brought nothing of it are not named. */
function recordOf(window: FinishedWindow, { from, to }: TimeRange, sums: Summary): WindowRecord {
  return { ...window, from, to, ...sums, evidence: sums.rows === 0 ? [] : window.evidence };
}

function isSuperseded(old: WindowRecord, { from, to, ended }: FinishedWindow): boolean {
  return from <= old.from && old.to <= to && (ended === "no-last" || old.ended === "order");
}

/** Windows of one commit may hold each other: what was asked twice at once. */
function withoutDoubles(records: readonly WindowRecord[]): readonly WindowRecord[] {
  const names = new Map(records.map((one) => [`${one.from}-${one.to}-${one.pagesHash}`, one]));
  return [...names.values()];
}

/** Pages that brought something new, that an open window goes on from, or that a window was not read beyond. */
async function keepEvidence(ports: DataFilePorts, change: Change, records: readonly WindowRecord[]): Promise<void> {
  const { open, failed } = change.checkpoint;
  const named = new Set([...records, ...open, ...failed].flatMap(({ evidence }) => evidence));
  for (const { key, body } of change.evidence) {
    if (named.has(key)) {
      await createContent(ports, key, body);
    }
  }
}
