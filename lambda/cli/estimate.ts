/** The end of a run, as predicted at one moment. */
export interface Prediction {
  /** ms, monotonic */
  readonly at: number;
  /** 0 to 1 */
  readonly share: number;
  /** Null if there was no progress by then. */
  readonly endsAt: number | null;
}

/**
 * Time of a run that is observed before its end is predicted: at least this many ms, and this part of its
 * time so far.
 */
const LEAST_MS = 5000;
const WATCHED_PART = 1 / 3;
/** Predictions that differ by more than this part of the time left are not stable. */
const STABLE_PART = 0.2;
/** At most this many predictions are kept, spread evenly over the run. */
const MOST_KEPT = 60;

/**
 * The time left, assuming that the rest goes as fast as what was read. Null unless the predictions of the
 * last third of the run agree within a fifth. `share`: null if it is not known now.
 */
export function estimateOf(
  before: readonly Prediction[],
  now: { readonly at: number; readonly share: number | null },
): { readonly leftMs: number | null; readonly kept: readonly Prediction[] } {
  const { at, share } = now;
  if (share === null) {
    return { leftMs: null, kept: [] };
  }
  const first = before[0] ?? { at, share, endsAt: null };
  const gained = share - first.share;
  const leftMs = gained <= 0 ? null : ((1 - share) * (at - first.at)) / gained;
  const prediction = { at, share, endsAt: leftMs === null ? null : at + leftMs };
  const kept = thinned([...(before.length === 0 ? [first] : before), prediction]);
  const watchedSince = at - Math.max(LEAST_MS, (at - first.at) * WATCHED_PART);
  const watched = kept.filter((one) => one.at >= watchedSince);
  const ends = watched.map(({ endsAt }) => endsAt);
  const isLong = at - first.at >= LEAST_MS && watched.length >= 5;
  if (leftMs === null || !isLong || ends.includes(null)) {
    return { leftMs: null, kept };
  }
  const known = ends.filter((end) => end !== null);
  const apart = Math.max(...known) - Math.min(...known);
  return { leftMs: apart <= STABLE_PART * leftMs + 1000 ? leftMs : null, kept };
}

/** If there are many, drops every second one except the first and the last. */
function thinned(predictions: readonly Prediction[]): readonly Prediction[] {
  return predictions.length <= MOST_KEPT
    ? predictions
    : predictions.filter((_, index) => index % 2 === 0 || index === predictions.length - 1);
}
