/** When a run was expected to end, at a moment of it. */
export interface Prediction {
  /** ms, monotonic */
  readonly at: number;
  /** 0 to 1 */
  readonly share: number;
  /** Null: nothing was gained by then. */
  readonly endsAt: number | null;
}

/** A run is watched for so long before its end is predicted: ms, and of its time so far. */
const LEAST_MS = 5000;
const WATCHED_PART = 1 / 3;
/** Predictions that are further apart than this part of the time left are not stable. */
const STABLE_PART = 0.2;
/** Predictions that are kept, evenly over the time. */
const MOST_KEPT = 60;

/**
 * The time left, if the predictions of the last third of the run agree within a fifth: then what is left goes
 * as fast as what was read. Null: they do not, or too little is known. `share`: null, not known now.
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

/** Where there are many, each second one but for the first and the last. */
function thinned(predictions: readonly Prediction[]): readonly Prediction[] {
  return predictions.length <= MOST_KEPT
    ? predictions
    : predictions.filter((_, index) => index % 2 === 0 || index === predictions.length - 1);
}
