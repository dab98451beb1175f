import type { Fill } from "../core/fill.ts";
import type { Lateness } from "../job/context.ts";

/**
 * Updates the lateness with late fills: fills seen at `seenAt` (ms UTC) in times that were already covered
 * without them.
 */
export function latenessAfter(known: Lateness | null, late: readonly Fill[], seenAt: number): Lateness | null {
  if (late.length === 0) {
    return known;
  }
  const longest = late.reduce((max, { txCreated }) => Math.max(max, seenAt - txCreated), known?.maxMs ?? 0);
  return { maxMs: longest, count: (known?.count ?? 0) + late.length, lastSeenAt: seenAt };
}
