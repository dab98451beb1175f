import type { Fill } from "../core/fill.ts";
import { intersection, isWithin, subtract } from "../core/ranges.ts";
import { DAY_MS, HOUR_MS, type TimeRange } from "../core/time.ts";
import { mergeFills } from "../fills/merge.ts";
import type { DataFilePorts } from "./data-files.ts";
import type { ManifestIndex } from "./index/manifest-index.ts";
import type { RangeDigest } from "./manifest.ts";
import { addSets, formatSetHash, parseSetHash, setHashOf } from "./set-hash.ts";
import { digestOf, summariseBySums } from "./summary.ts";

/** A look-back begins at the end of a stretch (job/recheck.ts): up to so much earlier than it had to, and the runs may be late. */
const MARGIN_MS = 2 * DAY_MS;
/** Neighbours that are together no longer become one, so that runs in quick succession leave no more of them than nights do. */
const WIDTH_MS = 12 * HOUR_MS;

/** Stretches that were shown exactly as the archive is known to hold them. */
export function shownAsHeld(recent: readonly RangeDigest[], incomingFills: readonly Fill[]): readonly RangeDigest[] {
  return recent.filter((stretch) => stretch.rows > 0 && isSame(stretch, incomingFills));
}

function isSame(stretch: RangeDigest, incomingFills: readonly Fill[]): boolean {
  const seen = incomingFills.filter(({ txCreated }) => isWithin(stretch, txCreated));
  if (seen.length < stretch.rows) {
    return false;
  }
  // A fill that was shown in two versions has changed meanwhile: both are kept, whichever came last.
  const { fills, restated } = mergeFills([], seen);
  return restated.length === 0 && fills.length === stretch.rows && formatSetHash(setHashOf(fills)) === stretch.setHash;
}

interface Covered {
  readonly before: readonly TimeRange[];
  readonly after: readonly TimeRange[];
}

/** The stretches after a commit: those that it changed anew, and what it covered beside them, as far as a look-back may ask for it. */
export async function digestsAfter(
  ports: Pick<DataFilePorts, "store" | "recent"> & { readonly lookBackMs: number },
  manifestIndex: ManifestIndex,
  { recent, coverage, changed }: { recent: readonly RangeDigest[]; coverage: Covered; changed: readonly number[] },
): Promise<readonly RangeDigest[]> {
  const newest = coverage.after.at(-1)?.to;
  if (newest === undefined || ports.lookBackMs === 0) {
    return [];
  }
  const asked = { from: newest - ports.lookBackMs - MARGIN_MS, to: newest };
  const stretches: RangeDigest[] = [];
  for (const one of recent.filter(({ to }) => to > asked.from)) {
    const isChanged = changed.some((time) => isWithin(one, time));
    stretches.push(isChanged ? digestOf(one, await summariseBySums(ports, manifestIndex, one)) : one);
  }
  const fresh = coverage.after.flatMap((range) => subtract(range, coverage.before));
  for (const piece of intersection(asked, fresh).flatMap(cut)) {
    stretches.push(digestOf(piece, await summariseBySums(ports, manifestIndex, piece)));
  }
  return joined(stretches.toSorted((a, b) => a.from - b.from));
}

/** No wider than a look-back may begin earlier. */
function cut({ from, to }: TimeRange): readonly TimeRange[] {
  const count = Math.ceil((to - from) / WIDTH_MS);
  return Array.from({ length: count }, (_, at) => ({
    from: from + at * WIDTH_MS,
    to: Math.min(to, from + (at + 1) * WIDTH_MS),
  }));
}

function joined(stretches: readonly RangeDigest[]): readonly RangeDigest[] {
  const out: RangeDigest[] = [];
  for (const one of stretches) {
    const last = out.at(-1);
    if (last !== undefined && last.to === one.from && one.to - last.from <= WIDTH_MS) {
      out[out.length - 1] = {
        from: last.from,
        to: one.to,
        rows: last.rows + one.rows,
        setHash: formatSetHash(addSets(parseSetHash(last.setHash), parseSetHash(one.setHash))),
      };
    } else {
      out.push(one);
    }
  }
  return out;
}
