import { readHead } from "../archive/head.ts";
import type { Manifest } from "../archive/manifest.ts";
import { readArchive } from "../archive/read.ts";
import { asFillbookError, FillbookError } from "../core/errors.ts";
import { covers } from "../core/ranges.ts";
import { isoTime } from "../core/time.ts";
import { coveredTwice } from "../walk/plan.ts";
import type { RunContext } from "./context.ts";
import { type Needed, rangeAsRead } from "./reading-plan.ts";
import { noArchive } from "./store-place.ts";

// An export with --allow-incomplete when the service cannot be asked: the pack is made from the archive
// alone.

/** What an export knows of its fills after it has read them. */
export interface HeldFills {
  /** Null: the period and its history were read twice. */
  readonly problem: FillbookError | null;
  /** For the user. */
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

/** Throws `usage` if there is no archive. */
export async function heldAlone(job: RunContext, needed: Needed, away: FillbookError): Promise<HeldFills> {
  if ((await readHead(job.store, job.account)) === null) {
    throw await noArchive(job);
  }
  const { manifest } = await readArchive(job.store, job.account);
  const twice = coveredTwice(manifest.coverage);
  const range = rangeAsRead(needed, manifest);
  const from = needed.period.from;
  const notes = [
    `the service was not asked (${away.message}): the pack is made only from the archive, and lacks fills that were added or changed since ${lastAsked(manifest)}`,
    ...(covers(twice, { from: range.from, to: from })
      ? []
      : [`the archive does not cover the time before ${isoTime(from)}: realised PnL that depends on it is left blank`]),
  ];
  if (covers(twice, range)) {
    return { problem: null, notes };
  }
  const message = `the archive does not cover all of ${isoTime(range.from)} to ${isoTime(range.to)}, and the service was not asked`;
  return { problem: new FillbookError("incomplete", message, { hint: away.hint ?? "run again" }), notes };
}

/** When the newest days were last read again, for people. */
export function lastAsked({ known: { lookedBackAt } }: Manifest): string {
  return lookedBackAt === null ? "it was last asked" : isoTime(lookedBackAt);
}
