import { type Fill, identityOf } from "../core/fill.ts";
import { isWithin } from "../core/ranges.ts";
import { DAY_MS, type TimeRange } from "../core/time.ts";
import type { PageRow } from "../formats/row.ts";
import { ignoresDates, type Refusal, unfilable, unread } from "./messages.ts";
import type { FilingSession, WalkState } from "./walk-state.ts";

/** More fills are not compared, because their identities would not fit into memory. */
const MOST_FILLS = 1_000_000;

interface UndatedOptions {
  readonly isOnce: boolean;
  /** As between any two readings. */
  readonly pause: () => Promise<void>;
  /** Whether a fill is held that was not found: without dates the service may show less. */
  readonly lacks: (found: ReadonlySet<string>) => Promise<boolean>;
}

/** A service that ignores dates has one chain. It is read twice, and what both readings show alike counts. */
export async function readUndated(
  state: WalkState<FilingSession>,
  range: TimeRange,
  { isOnce, pause, lacks }: UndatedOptions,
): Promise<void> {
  const first = await readAll(state, range);
  if (first === null) {
    return;
  }
  if (await lacks(first)) {
    state.fail(range, ignoresDates(range));
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
async function readAll(state: WalkState<FilingSession>, range: TimeRange): Promise<Set<string> | null> {
  const cursors = new Set<string>();
  const found = new Set<string>();
  const failed = (why: Refusal["why"], detail: string) => {
    state.fail(range, unread(range, { why, detail }));
    return null;
  };
  for (let start: string | null = null; ; ) {
    await state.session.room();
    const answer = await state.ask(start === null ? {} : { start });
    if (answer.kind !== "page") {
      return failed("cursor", "its one chain is refused");
    }
    const bad = fileRows(state, answer.rows, { range, found });
    if (bad !== null) {
      return failed("row", bad);
    }
    if (answer.last === undefined) {
      return found;
    }
    if (cursors.has(answer.last) || found.size > MOST_FILLS) {
      return failed("cursor", "the service's cursors go round in a circle, or never end");
    }
    start = answer.last;
    cursors.add(start);
  }
}

/** Why a row cannot be filed; null: all are. */
function fileRows(
  { session, job }: WalkState<FilingSession>,
  rows: readonly PageRow[],
  { range, found }: { readonly range: TimeRange; readonly found: Set<string> },
): string | null {
  const fills = rows.flatMap((row): Fill[] => ("fill" in row ? [row.fill] : []));
  session.file({ fills, covers: null });
  for (const fill of fills.filter(({ txCreated }) => isWithin(range, txCreated))) {
    found.add(identityOf(fill));
  }
  const latest = job.clock.now() + DAY_MS;
  return rows.map((row) => unfilable(row, latest)).find((why) => why !== null) ?? null;
}
