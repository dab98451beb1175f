import type { Lateness } from "../../archive/manifest.ts";
import { counted, durationText } from "../../core/text.ts";
import { DAY_MS, isoTime } from "../../core/time.ts";

/** The longest look-back that the settings accept. */
const MAX_DAYS = 3650;

/** How late fills came, for people; empty if none came late. */
export function latenessLines(lateness: Lateness | null): readonly string[] {
  return lateness === null
    ? []
    : [
        `${counted(lateness.count, "fill")} came late, up to ${durationText(lateness.maxMs)} after the transaction; the last was seen ${isoTime(lateness.lastSeenAt)}`,
      ];
}

/** What to do if a fill came later than half of the look-back, which may soon miss one, or already has. */
export function latenessWarnings(lateness: Lateness | null, lookBackMs: number): readonly string[] {
  if (lateness === null || lateness.maxMs < lookBackMs / 2) {
    return [];
  }
  const days = lookBackMs / DAY_MS;
  const enough = Math.min(MAX_DAYS, Math.floor((2 * lateness.maxMs) / DAY_MS) + 1);
  const raise =
    enough > days ? ` Raise the look-back with --look-back ${enough} (FILLBOOK_LOOK_BACK_DAYS=${enough}).` : "";
  return [
    `a fill came ${durationText(lateness.maxMs)} after its transaction, and the look-back is ${counted(days, "day")}: one that comes later than that may be missed.` +
      `${raise} To find fills that are missing in older times: fillbook verify --rewalk`,
  ];
}
