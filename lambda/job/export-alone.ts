import { readHead } from "../archive/head.ts";
import type { Manifest } from "../archive/manifest.ts";
import { readArchive } from "../archive/read.ts";
import { asFillbookError, FillbookError } from "../core/errors.ts";
import { covers } from "../core/ranges.ts";
import { isoTime, type TimeRange } from "../core/time.ts";
import type { RunContext } from "./context.ts";
import { askedSince } from "./recheck.ts";
import { noArchive } from "./store-place.ts";

// An export with --allow-incomplete when the service cannot be asked: the pack is made from the archive
// alone.

/** What the archive covers, and notes for the user, in place of a walk's result. */
export interface HeldAlone {
  readonly complete: boolean;
  readonly problem: FillbookError | null;
  readonly notes: readonly string[];
}

/**
 * The error if an address or a token is missing, so that the service cannot be asked. Null: it can be asked.
 */
export async function whyUnreachable({
  requireAccess,
}: Pick<RunContext, "requireAccess">): Promise<FillbookError | null> {
  try {
    await requireAccess?.();
    return null;
  } catch (error) {
    const problem = asFillbookError(error);
    if (problem.kind !== "usage") {
      throw problem;
    }
    return problem;
  }
}

/**
 * `around`: the period, with the margin that a walk would read on both sides. Throws `usage` if there is no
 * archive.
 */
export async function heldAlone(job: RunContext, around: TimeRange, away: FillbookError): Promise<HeldAlone> {
  if ((await readHead(job.store, job.account)) === null) {
    throw await noArchive(job);
  }
  const { manifest } = await readArchive(job.store, job.account);
  const since = askedSince(manifest, around);
  const when = since === null ? "it was last asked" : isoTime(since);
  const notes = [
    `the service was not asked (${away.message}): the pack is made only from the archive, and lacks fills that were added or changed since ${when}`,
  ];
  if (covers(manifest.coverage, around)) {
    return { complete: true, problem: null, notes };
  }
  const message = `the archive does not cover all of ${isoTime(around.from)} to ${isoTime(around.to)}, and the service was not asked`;
  return {
    complete: false,
    problem: new FillbookError("incomplete", message, { hint: away.hint ?? "run again" }),
    notes,
  };
}

/** A note that the time before the period is missing, if it was not asked for and is not covered. */
export function lackingBefore({ coverage }: Manifest, history: TimeRange, away: FillbookError | null): string[] {
  const isKnown = away === null || history.from >= history.to || covers(coverage, history);
  return isKnown ? [] : [unknownBefore(history.to, away)];
}

/** The note on an unknown time before the period. */
export function unknownBefore(to: number, reason: FillbookError): string {
  return `the archive does not cover the time before ${isoTime(to)}, and the service cannot be asked (${reason.message}): realised PnL that depends on it is left blank`;
}
