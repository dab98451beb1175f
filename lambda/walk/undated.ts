import { type Fill, identityOf } from "../core/fill.ts";
import type { TimeRange } from "../core/time.ts";
import { DAY_MS } from "../core/time.ts";
import { ignoresDates, unfilable, unread } from "./messages.ts";
import type { WalkState } from "./walk-state.ts";

/** More fills are not compared, because their identities would not fit into memory. */
const MOST_FILLS = 1_000_000;

/**
 * A service that ignores dates has one chain. It is read twice, and what both readings show alike counts.
 * `pause`: as between any two readings.
 */
export async function readUndated(
  state: WalkState,
  range: TimeRange,
  { isOnce, pause }: { readonly isOnce: boolean; readonly pause: () => Promise<void> },
): Promise<void> {
  const first = await readAll(state, range);
  if (first === null) {
    return;
  }
  state.session.file({ fills: [], covers: { ...range, readings: 1, silentIn: null } });
  if (isOnce) {
    return;
  }
  await pause();
  const second = await readAll(state, range);
  if (second !== null && first.symmetricDifference(second).size === 0) {
    state.session.file({ fills: [], covers: { ...range, readings: 2, silentIn: null } });
  } else if (second !== null) {
    state.fail(range, ignoresDates(range));
  }
}

/** Files all rows and gives the identities of those in the range; null: the chain could not be read. */
async function readAll(state: WalkState, range: TimeRange): Promise<Set<string> | null> {
  const { session, job } = state;
  const cursors = new Set<string>();
  const found = new Set<string>();
  let start: string | undefined;
  do {
    await session.room();
    const answer = await state.ask(start === undefined ? {} : { start });
    const rows = answer.kind === "page" ? answer.rows : [];
    const bad = rows.map((row) => unfilable(row, job.clock.now() + DAY_MS)).find((why) => why !== null);
    const fills = rows.flatMap((row): Fill[] => ("fill" in row ? [row.fill] : []));
    session.file({ fills, covers: null });
    for (const fill of fills.filter(({ txCreated }) => range.from <= txCreated && txCreated < range.to)) {
      found.add(identityOf(fill));
    }
    start = answer.kind === "page" ? answer.last : undefined;
    const isRound = start !== undefined && cursors.has(start);
    if (answer.kind !== "page" || bad !== undefined || isRound || found.size > MOST_FILLS) {
      const detail = bad ?? (isRound ? "the service's cursors go round in a circle" : "its one chain cannot be read");
      state.fail(range, unread(range, { why: bad === undefined ? "cursor" : "row", detail }));
      return null;
    }
    cursors.add(start ?? "");
  } while (start !== undefined);
  return found;
}
