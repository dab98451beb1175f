import { type Coverage, emptyManifest, type Known } from "../archive/manifest.ts";
import { covers, intersection, subtract, union, widthOf } from "../core/ranges.ts";
import { DAY_MS, HOUR_MS, type TimeRange } from "../core/time.ts";

/** What a run reads, and in which of the two ways. Pure. */

export interface PlanRequest {
  /** What is asked for; it ends where fills are settled. */
  readonly range: TimeRange;
  readonly lookBackMs: number;
  /** Look back even if that was done a short while ago. */
  readonly alwaysLooksBack: boolean;
  /** Read everything in the range once more. */
  readonly again: boolean;
  /** Wall time, ms UTC. */
  readonly now: number;
}

export interface Plan {
  /** Times that were never read. */
  readonly first: readonly TimeRange[];
  /** Covered twice, and read again: the newest days, or all of the range. */
  readonly again: readonly TimeRange[];
  /** A piece of the older times. Null: it is not due. */
  readonly rotation: TimeRange | null;
  /** It reads the newest days again, and those that were new when it was last done. */
  readonly looksBack: boolean;
}

const LOOK_BACK_EVERY_MS = 12 * HOUR_MS;
const ROTATION_EVERY_MS = 7 * DAY_MS;
/** All older times are read again in so many weeks. */
const ROTATION_WEEKS = 52;

export function planReading(coverage: readonly Coverage[], known: Known, request: PlanRequest): Plan {
  const { range, lookBackMs, now } = request;
  const twice = coveredTwice(coverage);
  const { lookedBackAt, lookedBackTo } = (known.lookedBackAt ?? 0) > now ? emptyManifest("").known : known;
  const isNewer = range.to >= (lookedBackTo ?? Number.NEGATIVE_INFINITY) + LOOK_BACK_EVERY_MS;
  const isDue = request.alwaysLooksBack || isNewer || now - (lookedBackAt ?? 0) >= LOOK_BACK_EVERY_MS;
  const daysUntil = (to: number) => ({ from: to - lookBackMs, to });
  const [newest, young] = [daysUntil(range.to), daysUntil(lookedBackTo ?? range.to)];
  const days = isDue ? union([newest, young]) : [];
  const again = (request.again ? [range] : days).flatMap((one) => intersection(one, intersection(range, twice)));
  const until = request.again || range.to <= now - lookBackMs ? range.from : newest.from;
  return {
    first: subtract(range, union(coverage)),
    again,
    rotation: rotationOf(twice, known, { ...request, until }),
    looksBack:
      known.lookedBackAt === null ||
      (again.length > 0 && intersection(young, twice).every((one) => covers(again, one))),
  };
}

/** From the newest of the older times down to the oldest, then from above again. */
function rotationOf(
  twice: readonly TimeRange[],
  { rotatedAt, rotatedTo }: Known,
  { range, now, until }: PlanRequest & { readonly until: number },
): TimeRange | null {
  const older = intersection({ from: range.from, to: until }, twice);
  const [oldest] = older;
  if (oldest === undefined || rotatedAt === null || Math.abs(now - rotatedAt) < ROTATION_EVERY_MS) {
    return null;
  }
  const step = Math.ceil((until - oldest.from) / ROTATION_WEEKS);
  const to = rotatedTo === null || rotatedTo <= oldest.from || rotatedTo > until ? until : rotatedTo;
  return { from: Math.max(oldest.from, to - step), to };
}

export function coveredTwice(coverage: readonly Coverage[]): readonly TimeRange[] {
  return union(coverage.filter(({ readings }) => readings === 2));
}

export function coveredOnce(coverage: readonly Coverage[], range: TimeRange): readonly TimeRange[] {
  return intersection(range, union(coverage.filter(({ readings }) => readings === 1)));
}

/** The widest window of the first reading, ms. */
const WIDEST_MS = 365 * DAY_MS;

/** A range as windows of at most WIDEST_MS, the newest first. */
export function windowsOf(range: TimeRange): readonly TimeRange[] {
  const count = Math.ceil(widthOf(range) / WIDEST_MS);
  const at = (place: number) => range.from + Math.floor((widthOf(range) * place) / count);
  return Array.from({ length: count }, (_, place) => ({ from: at(place), to: at(place + 1) })).toReversed();
}
