import type { ManifestIndex } from "../archive/index/manifest-index.ts";
import type { Checkpoint, Manifest, Unsettled } from "../archive/manifest.ts";
import { intersection, overlaps, subtract, union } from "../core/ranges.ts";
import { DAY_MS, HOUR_MS, type TimeRange } from "../core/time.ts";
import { safeWidth } from "../walk/clamp-proof.ts";
import type { Recheck } from "../walk/walk-request.ts";

/** Runs within this time share one look-back, for example the slices of a long backfill. */
const LOOK_BACK_EVERY_MS = 12 * HOUR_MS;
/**
 * How often a piece of the older times is rechecked. A nightly run that comes up to half a day early still
 * counts.
 */
const ROTATE_EVERY_MS = 7 * DAY_MS - LOOK_BACK_EVERY_MS;
/** The number of pieces into which the archive is divided, so that all of it is rechecked in about a year. */
const ROTATIONS = 52;
const LEAST_ROWS = 7000;
/**
 * The widest piece: this many weeks, each of which is one request if it is empty. If the safe width is more
 * than a week: this many safe widths.
 */
const MOST_SAFE_WIDTHS = 52;
const WEEK_MS = 7 * DAY_MS;
/** Runs of many small ranges must not make the manifest grow, so neighbours are joined above this number. */
const MOST_UNSETTLED = 64;

export interface LookBack {
  readonly now: number;
  /**
   * `latest`: the newest time that is walked. `lookBackMs`: how far back from it fills may come late or
   * change.
   */
  readonly latest: number;
  readonly lookBackMs: number;
  /** The requested range, if it has an end of its own. Absent: everything up to `latest`. */
  readonly range?: TimeRange;
  /** Look back even if it was done a short while ago. */
  readonly always?: boolean;
}

/**
 * The covered times that this run must recheck: the look-back, and once a week a piece of the older times,
 * split differently than before. It includes what an earlier run began and did not finish. The plan depends
 * only on the archive and the time. Null: nothing to walk, nothing to record.
 */
export async function planRecheck(archive: Archive, run: LookBack): Promise<Recheck | null> {
  if (run.range !== undefined) {
    return run.lookBackMs === 0 ? null : planRange(archive.manifest, run, run.range);
  }
  const { manifest } = archive;
  const noted = notedIn(manifest.checkpoint);
  const { now, lookBackMs } = run;
  if (lookBackMs === 0) {
    return noted;
  }
  const { rechecks, rotatedTo, rotatedAt } = noted;
  const recent = recentOf(run);
  if (!isLookBackDue(manifest.checkpoint, run)) {
    return {
      ...noted,
      ...unsettledAfter(manifest, run, { rechecked: [], first: subtract(recent, manifest.coverage) }),
    };
  }
  const { from } = recent;
  const rotates = isDue(rotatedAt, now, ROTATE_EVERY_MS);
  const piece = rotates
    ? ((await nextPiece(archive, Math.min(rotatedTo ?? from, from))) ?? (await nextPiece(archive, from)))
    : null;
  // Times that no run has rechecked since, because there was none or because its range was elsewhere.
  const missed = unsettledOf(manifest).flatMap((one) => subtract(one, [recent]));
  const ranges = union([...rechecks, ...missed, recent, ...(piece === null ? [] : [piece])]);
  const isCovered = intersection(recent, manifest.coverage).length > 0;
  return {
    rechecks: ranges.flatMap((range) => intersection(range, manifest.coverage)),
    lookedBackAt: now,
    rotatedTo: rotates ? (piece?.from ?? null) : rotatedTo,
    rotatedAt: piece === null ? rotatedAt : now,
    unsettled: [{ ...recent, askedAt: now, rechecked: isCovered }],
  };
}

/** The plan extended to all covered times of the range, for a run that is told to recheck them. */
export function wholeRecheck({ checkpoint, coverage }: Manifest, planned: Recheck | null, range: TimeRange): Recheck {
  const recheck = planned ?? notedIn(checkpoint);
  return { ...recheck, rechecks: union([...recheck.rechecks, ...intersection(range, coverage)]) };
}

/** When the covered days that this run leaves alone were last rechecked. Null: it leaves none alone. */
export function leftAloneSince({ checkpoint, coverage }: Manifest, run: LookBack): number | null {
  const { now, lookBackMs, range } = run;
  if (lookBackMs === 0 || run.always === true) {
    return null;
  }
  if (range === undefined) {
    return isLookBackDue(checkpoint, run) ? null : checkpoint.lookedBackAt;
  }
  const left = (checkpoint.unsettled ?? []).filter((one) => !isToBeAsked(one, now) && overlaps(one, range));
  const isCovered = intersection(range, intersection(recentOf(run), coverage)).length > 0;
  return left.length === 0 || !isCovered ? null : Math.min(...left.map(({ askedAt }) => askedAt));
}

/**
 * The time, ms, as of which the archive reflects a covered range: the earliest time at which the service was
 * last asked for a part of it that may have changed since. Null: not known, or no part may have changed.
 */
export function askedSince({ checkpoint }: Manifest, range: TimeRange): number | null {
  const { rechecks, unsettled = [] } = checkpoint;
  const times = unsettled.filter((one) => overlaps(one, range)).map(({ askedAt }) => askedAt);
  return times.length === 0 || intersection(range, rechecks).length > 0 ? null : Math.min(...times);
}

/**
 * The plan of a run with a range of its own. It rechecks only its part of the look-back, so it does not
 * change `lookedBackAt`.
 */
function planRange(manifest: Manifest, run: LookBack, range: TimeRange): Recheck | null {
  const { now, latest, lookBackMs } = run;
  const noted = notedIn(manifest.checkpoint);
  const end = Math.min(range.to, latest);
  const asked = { from: range.from, to: end };
  const recent = { from: (run.always === true ? end : latest) - lookBackMs, to: latest };
  const unsettled = unsettledOf(manifest);
  const alone = run.always === true ? [] : union(unsettled.filter((one) => !isToBeAsked(one, now)));
  const wanted = union([recent, ...unsettled]).flatMap((one) => subtract(one, alone));
  const rechecked = intersection(
    asked,
    wanted.flatMap((one) => intersection(one, manifest.coverage)),
  );
  const first = subtract(asked, manifest.coverage);
  if (rechecked.length + first.length + intersection(asked, noted.rechecks).length === 0) {
    return null;
  }
  return {
    ...noted,
    rechecks: union([...noted.rechecks, ...rechecked]),
    ...unsettledAfter(manifest, run, { rechecked, first }),
  };
}

/** What earlier runs have recorded for the next one, without the unsettled times. */
function notedIn({ rechecks, lookedBackAt, rotatedTo, rotatedAt }: Checkpoint): Recheck {
  return { rechecks, lookedBackAt, rotatedTo, rotatedAt };
}

function recentOf({ latest, lookBackMs }: LookBack): TimeRange {
  return { from: latest - lookBackMs, to: latest };
}

function isLookBackDue({ lookedBackAt, unsettled }: Checkpoint, { now, always }: LookBack): boolean {
  // A look-back in which nothing was covered yet (an account's first run) does not count.
  const wasOfNothing = unsettled?.some((one) => one.askedAt === lookedBackAt && !one.rechecked) === true;
  return always === true || wasOfNothing || isDue(lookedBackAt, now, LOOK_BACK_EVERY_MS);
}

/** True if a run whose range includes it walks it again. */
function isToBeAsked({ askedAt, rechecked }: Unsettled, now: number): boolean {
  return !rechecked || isDue(askedAt, now, LOOK_BACK_EVERY_MS);
}

function unsettledOf({ checkpoint }: Manifest): readonly Unsettled[] {
  return checkpoint.unsettled ?? [];
}

/**
 * The times that may still change after this run. The run rechecks `rechecked` and walks `first` for the
 * first time.
 */
function unsettledAfter(
  manifest: Manifest,
  run: LookBack,
  walked: { readonly rechecked: readonly TimeRange[]; readonly first: readonly TimeRange[] },
): Pick<Checkpoint, "unsettled"> {
  const recent = recentOf(run);
  const all = union([...walked.rechecked, ...walked.first]);
  const kept = unsettledOf(manifest).flatMap((one) => subtract(one, all).map((range) => ({ ...one, ...range })));
  const noted = (ranges: readonly TimeRange[], rechecked: boolean) =>
    intersection(recent, ranges).map((range) => ({ ...range, askedAt: run.now, rechecked }));
  const unsettled = [...kept, ...noted(walked.rechecked, true), ...noted(walked.first, false)];
  return unsettled.length === 0 && manifest.checkpoint.unsettled === undefined
    ? {}
    : { unsettled: joined(unsettled, MOST_UNSETTLED) };
}

/**
 * Joins neighbours until at most `most` are left. Joined ranges include the time between them and count as
 * asked for at the earlier of their times.
 */
function joined(unsettled: readonly Unsettled[], most: number): readonly Unsettled[] {
  const list = unsettled.toSorted((a, b) => a.from - b.from);
  while (list.length > most) {
    const gaps = list.slice(1).map((one, index) => one.from - (list[index] ?? one).to);
    const at = gaps.indexOf(Math.min(...gaps));
    list.splice(at, 2, spanOf(list.slice(at, at + 2)));
  }
  return list;
}

function spanOf(some: readonly Unsettled[]): Unsettled {
  return {
    from: Math.min(...some.map(({ from }) => from)),
    to: Math.max(...some.map(({ to }) => to)),
    askedAt: Math.min(...some.map(({ askedAt }) => askedAt)),
    rechecked: some.every(({ rechecked }) => rechecked),
  };
}

function isDue(at: number | null, now: number, everyMs: number): boolean {
  return at === null || now - at >= everyMs || now < at;
}

interface Archive {
  readonly manifest: Manifest;
  readonly manifestIndex: ManifestIndex;
}

/**
 * The piece of the archive that ends at `to`, measured by the rows of its data files. Null: nothing is older.
 */
async function nextPiece({ manifest, manifestIndex }: Archive, to: number): Promise<TimeRange | null> {
  const { fills, coverage, checkpoint } = manifest;
  const beginning = coverage[0]?.from ?? to;
  if (to <= beginning) {
    return null;
  }
  const widest = Math.max(beginning, to - MOST_SAFE_WIDTHS * Math.max(WEEK_MS, safeWidth(checkpoint.proven)));
  const wanted = Math.max(LEAST_ROWS, Math.ceil(fills / ROTATIONS));
  return { from: Math.max(widest, await backBy(manifestIndex, wanted, { from: widest, to })), to };
}

/**
 * The time from which there are `wanted` rows up to `to`, if the rows of each data file are spread evenly.
 * Not far below `from`.
 */
async function backBy(manifestIndex: ManifestIndex, wanted: number, { from, to }: TimeRange): Promise<number> {
  // The range doubles until it holds enough rows, so that only a few data files are looked at where rows are
  // dense.
  for (let reach = DAY_MS; ; reach *= 2) {
    const start = Math.max(from, to - reach);
    let rows = 0;
    for (const dataFile of (await manifestIndex.dataFiles({ from: start, to })).toReversed()) {
      const end = Math.min(dataFile.to, to);
      const perMs = dataFile.rows / (dataFile.to - dataFile.from);
      const needed = Math.ceil((wanted - rows) / perMs);
      if (needed <= end - dataFile.from) {
        return end - needed;
      }
      rows += (end - dataFile.from) * perMs;
    }
    if (start === from) {
      return Number.NEGATIVE_INFINITY;
    }
  }
}
