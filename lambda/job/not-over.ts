import { FillbookError } from "../core/errors.ts";
import { flagsUntil, type Period } from "../core/period.ts";
import { dayInWords, readPackName } from "../core/period-name.ts";
import { notYet } from "./sync-archive.ts";

/**
 * The error for a period whose end cannot have been read yet. `latest`: until when fills can be read, ms UTC.
 */
export function notOver(
  period: Period,
  { now, latest }: { readonly now: number; readonly latest: number },
  { allowIncomplete }: { readonly allowIncomplete: boolean },
): FillbookError {
  if (period.to <= now) {
    return notYet(period, latest); // it is over, but fills may still appear late
  }
  const named = readPackName(period.name)?.typed ?? "the period";
  const soFar = flagsUntil(period, latest);
  const hint = soFar === null ? "run again after that day" : `for the time so far: ${soFar}`;
  return new FillbookError(
    "incomplete",
    `${named} is not over: it ends on ${dayInWords(period.lastDay)} (${period.zone})`,
    { hint: soFar === null || allowIncomplete ? hint : `${hint}; or add --allow-incomplete` },
  );
}
