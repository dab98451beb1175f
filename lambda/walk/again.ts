import type { Calendar } from "../archive/calendar/calendar.ts";
import type { Checkpoint, Manifest } from "../archive/manifest.ts";
import { intersection, isWithin, union } from "../model/ranges.ts";
import { DAY_MS, HOUR_MS, type TimeRange } from "../model/time.ts";
import { safeWidth } from "./plan.ts";

/** Runs that follow each other more closely share one look-back: the slices of a long backfill, for one. */
const LOOK_BACK_EVERY_MS = 12 * HOUR_MS;
/** A piece of the older times is walked again so often: nights half a day early count. */
const ROTATE_EVERY_MS = 7 * DAY_MS - LOOK_BACK_EVERY_MS;
/** In so many pieces all of the archive is walked again, about a year. */
const ROTATIONS = 52;
const LEAST_ROWS = 7000;
/** Widest piece: where few fills prove no width, the empty past costs a request for each of these. */
const MOST_SAFE_WIDTHS = 70;
/** A look-back begins so much earlier at most, to begin where a stretch does whose fills the manifest sums up. */
const EARLIER_MS = DAY_MS;

export interface LookBack {
  readonly now: number;
  /** The newest time that is walked, and how far back from it fills may come late or change: ms. */
  readonly latest: number;
  readonly lookBackMs: number;
}

export type Again = Pick<Checkpoint, "again" | "lookedBackAt" | "rotatedTo" | "rotatedAt">;

/**
 * What is to be walked again although it is covered, as of this run: the look-back, and once a week a piece of what is older, cut elsewhere than the first
 * time. What an earlier run began and did not end is among it. It follows from the archive and the time alone.
 */
export async function planAgain(
  { manifest, calendar }: { readonly manifest: Manifest; readonly calendar: Calendar },
  { now, latest, lookBackMs }: LookBack,
): Promise<Again> {
  const { again, lookedBackAt, rotatedTo, rotatedAt } = manifest.checkpoint;
  if (lookBackMs === 0 || !isDue(lookedBackAt, now, LOOK_BACK_EVERY_MS)) {
    return { again, lookedBackAt, rotatedTo, rotatedAt };
  }
  const from = beginningOf(manifest, latest - lookBackMs);
  const rotates = isDue(rotatedAt, now, ROTATE_EVERY_MS);
  const archive = { manifest, calendar };
  const piece = rotates
    ? ((await nextPiece(archive, Math.min(rotatedTo ?? from, from))) ?? (await nextPiece(archive, from)))
    : null;
  const ranges = union([...again, { from, to: latest }, ...(piece === null ? [] : [piece])]);
  return {
    again: ranges.flatMap((range) => intersection(range, manifest.coverage)),
    lookedBackAt: now,
    rotatedTo: rotates ? (piece?.from ?? null) : rotatedTo,
    rotatedAt: piece === null ? rotatedAt : now,
  };
}

function isDue(at: number | null, now: number, everyMs: number): boolean {
  return at === null || now - at >= everyMs || now < at;
}

/** The beginning of the stretch that holds the time, if it is near. */
function beginningOf({ recent }: Manifest, time: number): number {
  const stretch = recent.find((one) => isWithin(one, time));
  return stretch !== undefined && time - stretch.from <= EARLIER_MS ? stretch.from : time;
}

interface Archive {
  readonly manifest: Manifest;
  readonly calendar: Calendar;
}

/** The piece of the archive that ends at `to`, by the rows of its parts; null: there is nothing older. */
async function nextPiece({ manifest, calendar }: Archive, to: number): Promise<TimeRange | null> {
  const { fills, coverage, checkpoint } = manifest;
  const beginning = coverage[0]?.from ?? to;
  if (to <= beginning) {
    return null;
  }
  const widest = Math.max(beginning, to - MOST_SAFE_WIDTHS * safeWidth(checkpoint.proven));
  const wanted = Math.max(LEAST_ROWS, Math.ceil(fills / ROTATIONS));
  return { from: Math.max(widest, await backBy(calendar, wanted, { from: widest, to })), to };
}

/** The time down to which there are so many rows before `to`, as if those of a part were even; not far below `from`. */
async function backBy(calendar: Calendar, wanted: number, { from, to }: TimeRange): Promise<number> {
  // Few parts are looked at where rows are dense: the stretch doubles until it holds enough.
  for (let reach = DAY_MS; ; reach *= 2) {
    const start = Math.max(from, to - reach);
    let rows = 0;
    for (const part of (await calendar.parts({ from: start, to })).toReversed()) {
      const end = Math.min(part.to, to);
      const perMs = part.rows / (part.to - part.from);
      const needed = Math.ceil((wanted - rows) / perMs);
      if (needed <= end - part.from) {
        return end - needed;
      }
      rows += (end - part.from) * perMs;
    }
    if (start === from) {
      return Number.NEGATIVE_INFINITY;
    }
  }
}
