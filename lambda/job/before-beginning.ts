import { missingBeforeBeginning } from "../archive/before-beginning.ts";
import type { Manifest } from "../archive/manifest.ts";
import type { ArchiveSession } from "../archive/session.ts";
import { BEGINNING_MS } from "../core/beginning.ts";
import { FillbookError } from "../core/errors.ts";
import { holds } from "../core/ranges.ts";
import { isoTime, type TimeRange } from "../core/time.ts";
import type { RunContext } from "./context.ts";

/** Enough pages to find where the fills before the beginning start, and to get past empty pages. */
const MAX_PAGES = 50;

/**
 * An error if the archive knows of fills before the account's beginning that it does not hold: then a
 * statement from the beginning on would not be true. It is settled when their time is covered, or when the
 * service is asked again and returns none.
 */
export function unsettledBeginning(manifest: Manifest, claimed: { readonly from: number }): FillbookError[] {
  const from = missingBeforeBeginning(manifest);
  if (claimed.from > BEGINNING_MS || from === null) {
    return [];
  }
  const problem = new FillbookError("incomplete", `the account has fills before ${isoTime(BEGINNING_MS)}`, {
    hint: `give the beginning of the account: --from ${isoTime(from).slice(0, 10)}`,
  });
  return [problem];
}

/** Asks the service without a lower bound. Commits the finding, because no other run may ask for a week. */
export async function askBeforeBeginning(job: RunContext, session: ArchiveSession): Promise<void> {
  const found = await earliestBefore(job, session.manifest.coverage);
  const { beforeBeginning: known, ...checkpoint } = session.manifest.checkpoint;
  if (found === (known ?? null)) {
    return;
  }
  const next = found === null ? checkpoint : { ...checkpoint, beforeBeginning: found };
  await session.commit({ incomingFills: [], rawResponses: [], finished: [], checkpoint: next }, "soon");
}

/** `txCreated` of the earliest fill before the beginning that is not covered. Null: there is none. */
async function earliestBefore(job: RunContext, coverage: readonly TimeRange[]): Promise<number | null> {
  let earliest: number | null = null;
  let start: { start?: string } = {};
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await job.reader.completedOrders({ endDate: BEGINNING_MS - 1, ...start }, job.signal);
    if (answer.kind !== "page") {
      break;
    }
    const times = answer.rows.map((row, index) => timeOf(row, { page, row: index + 1 }));
    const older = times.filter((time) => time < BEGINNING_MS);
    const missing = older.filter((time) => !holds(coverage, time));
    earliest = missing.reduce<number | null>((least, time) => Math.min(least ?? time, time), earliest);
    // If all rows are later than the bound, the service ignores this bound.
    const isElsewhere = times.length > 0 && older.length === 0 && earliest === null;
    if (answer.last === undefined || isElsewhere) {
      break;
    }
    start = { start: answer.last };
  }
  return earliest;
}

type Row = { readonly fill: { readonly txCreated: number } } | { readonly unfilable: string };

/**
 * A row that cannot be filed may be a fill of any time. If its time is not in ms, no window would ever show
 * it.
 */
function timeOf(row: Row, at: { readonly page: number; readonly row: number }): number {
  if ("fill" in row) {
    return row.fill.txCreated;
  }
  throw new FillbookError(
    "untrusted",
    `before ${isoTime(BEGINNING_MS)}: page ${at.page}, row ${at.row} cannot be filed: ${row.unfilable}`,
    {
      hint: `show the row with this command, and ask the venue about it: fillbook completed-orders --to ${isoTime(BEGINNING_MS)}`,
    },
  );
}
