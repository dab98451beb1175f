import type { Checkpoint, Manifest } from "../archive/manifest.ts";
import { intersection, union } from "../model/ranges.ts";
import { HOUR_MS, type TimeRange } from "../model/time.ts";
import { safeWidth } from "./plan.ts";

/** Runs that follow each other more closely share one look-back: the slices of a long backfill, for one. */
const LOOK_BACK_EVERY_MS = 12 * HOUR_MS;
/** In so many look-backs all of the archive is walked again: each costs about one more day of it. */
const ROTATIONS = 365;
const LEAST_ROWS = 1000;
/** Widest piece: where few fills prove no width, the empty past costs a request for each of these. */
const MOST_SAFE_WIDTHS = 10;

export interface LookBack {
  readonly now: number;
  /** The newest time that is walked, and how far back from it fills may come late or change: ms. */
  readonly latest: number;
  readonly lookBackMs: number;
}

/**
 * What is to be walked again although it is covered, as of this run: the look-back, and in rotation a piece of what is older, cut elsewhere than the first time.
 * What an earlier run began and did not end is among it. A pure function of the manifest and the time.
 */
export function planAgain(
  manifest: Manifest,
  { now, latest, lookBackMs }: LookBack,
): Pick<Checkpoint, "again" | "lookedBackAt" | "rotatedTo"> {
  const { again, lookedBackAt, rotatedTo } = manifest.checkpoint;
  const isDue = lookedBackAt === null || now - lookedBackAt >= LOOK_BACK_EVERY_MS || now < lookedBackAt;
  if (lookBackMs === 0 || !isDue) {
    return { again, lookedBackAt, rotatedTo };
  }
  const from = latest - lookBackMs;
  const piece = nextPiece(manifest, Math.min(rotatedTo ?? from, from)) ?? nextPiece(manifest, from);
  const ranges = union([...again, { from, to: latest }, ...(piece === null ? [] : [piece])]);
  return {
    again: ranges.flatMap((range) => intersection(range, manifest.coverage)),
    lookedBackAt: now,
    rotatedTo: piece?.from ?? null,
  };
}

/** The piece of the archive that ends at `to`, by the rows of its parts; null: there is nothing older. */
function nextPiece({ parts, fills, coverage, checkpoint }: Manifest, to: number): TimeRange | null {
  const beginning = coverage[0]?.from ?? to;
  if (to <= beginning) {
    return null;
  }
  const widest = MOST_SAFE_WIDTHS * safeWidth(checkpoint.proven);
  return {
    from: Math.max(beginning, to - widest, backBy(parts, Math.max(LEAST_ROWS, Math.ceil(fills / ROTATIONS)), to)),
    to,
  };
}

/** The time down to which there are so many rows before `to`, as if those of a part were even. */
function backBy(parts: Manifest["parts"], wanted: number, to: number): number {
  let rows = 0;
  for (const part of parts.toReversed().filter(({ from }) => from < to)) {
    const end = Math.min(part.to, to);
    const perMs = part.rows / (part.to - part.from);
    const needed = Math.ceil((wanted - rows) / perMs);
    if (needed <= end - part.from) {
      return end - needed;
    }
    rows += (end - part.from) * perMs;
  }
  return Number.NEGATIVE_INFINITY;
}
