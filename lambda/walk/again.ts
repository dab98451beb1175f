import type { Checkpoint, Manifest } from "../archive/manifest.ts";
import { intersection } from "../model/ranges.ts";
import { HOUR_MS, type TimeRange } from "../model/time.ts";

/** Runs that follow each other more closely share one look-back: the slices of a long backfill, for one. */
const LOOK_BACK_EVERY_MS = 12 * HOUR_MS;
/** In so many look-backs all of the archive is walked again: each costs about one more day of it. */
const ROTATIONS = 365;
const LEAST_ROWS = 1000;

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
  const ranges = [{ from, to: latest }, ...(piece === null ? [] : [piece])];
  return {
    again: ranges.flatMap((range) => intersection(range, manifest.coverage)),
    lookedBackAt: now,
    rotatedTo: piece?.from ?? null,
  };
}

/** The piece of the archive that ends at `to`, by the rows of its parts; null: there is nothing older. */
function nextPiece({ parts, fills, coverage }: Manifest, to: number): TimeRange | null {
  const wanted = Math.max(LEAST_ROWS, Math.ceil(fills / ROTATIONS));
  const beginning = coverage[0]?.from ?? to;
  let rows = 0;
  for (const part of parts.toReversed()) {
    if (part.from >= to) {
      continue;
    }
    const end = Math.min(part.to, to);
    const perMs = part.rows / (part.to - part.from);
    const needed = Math.ceil((wanted - rows) / perMs);
    if (needed <= end - part.from) {
      return { from: Math.max(beginning, end - needed), to };
    }
    rows += (end - part.from) * perMs;
  }
  return beginning < to ? { from: beginning, to } : null;
}
